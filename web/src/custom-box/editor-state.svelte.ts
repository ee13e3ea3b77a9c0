/** State of the box editor: the text and the server's verdict on it. */
import { loadBoxForm, checkBox, errorText } from "../net/api";
import { boxesOf, storeBox, newId, removeBox, toToml, type OwnBox } from "../state/custom-boxes.svelte";
import { say, t } from "../i18n/translate.svelte";
import type { CustomBoxChecked, CustomBoxError, CustomBoxForm } from "../protocol/lobby";

const REST = 350; // ms without typing before a check

export class EditorState {
  sheet = $state.raw<CustomBoxForm | null>(null);
  box = $state.raw<OwnBox | null>(null);
  entries = $state.raw<Record<string, string[]>>({});
  checked = $state.raw<CustomBoxChecked | null>(null); // null until the text has been checked
  trouble = $state(""); // why the check failed
  private timer = 0;

  constructor(readonly game: string) {
    loadBoxForm(game).then(
      (sheet) => {
        this.sheet = sheet;
        const latest = boxesOf(game).at(-1);
        if (latest) this.open(latest);
      },
      (error: unknown) => (this.trouble = errorText(error)),
    );
  }

  open(box: OwnBox): void {
    this.box = box;
    this.entries = {};
    void this.check(true);
  }

  /** Create a box with these entries, or an empty one. */
  begin(name: string, entries?: Record<string, string[]>): void {
    const blank = Object.fromEntries(this.sheet!.parts.map(({ key, count }) => [key, Array<string>(count).fill("")]));
    this.take(toToml(name, this.sheet!.parts, entries ?? blank));
  }

  /** Create a box from a file. */
  take(text: string): void {
    const box = { id: newId(), name: "", text, ready: "" };
    storeBox(this.game, box);
    this.open(box);
  }

  /** Set an entry, typed in the form. */
  set(part: string, index: number, text: string): void {
    const list = this.entries[part]!.map((each, k) => (k === index ? text : each));
    this.entries = { ...this.entries, [part]: list };
    this.rewrite(this.box!.name);
  }

  rename(name: string): void {
    this.rewrite(name);
  }

  /** Set the whole text, typed as a file. */
  retype(text: string): void {
    this.change({ ...this.box!, text, ready: "" }, true);
  }

  /** Delete the box; returns it. */
  remove(): OwnBox {
    const gone = this.box!;
    clearTimeout(this.timer);
    removeBox(this.game, gone.id);
    const latest = boxesOf(this.game).at(-1);
    this.box = null;
    if (latest) this.open(latest);
    return gone;
  }

  /** Whether the text can be shown entry by entry. */
  get readable(): boolean {
    return Object.keys(this.entries).length > 0 && !this.checked?.faults.some(({ part }) => part === "");
  }

  faultAt(part: string, index: number): string {
    const found = this.checked?.faults.filter((each) => each.part === part && each.entry === index) ?? [];
    return found.map(({ said }) => say(said)).join("; ");
  }

  /** Other problems of a section, or of the file. */
  get others(): CustomBoxError[] {
    return this.checked?.faults.filter(({ entry }) => entry === null) ?? [];
  }

  private rewrite(name: string): void {
    this.change({ ...this.box!, name, text: toToml(name, this.sheet!.parts, this.entries), ready: "" }, false);
  }

  private change(box: OwnBox, whole: boolean): void {
    this.box = box;
    this.checked = null;
    storeBox(this.game, box);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(whole), REST);
  }

  /** Validate on the server. `whole`: the file was typed, so the form follows it. */
  private async check(whole: boolean): Promise<void> {
    const box = this.box!;
    try {
      const answer = await checkBox({ game: this.game, text: box.text });
      if (this.box !== box) return; // edited meanwhile
      const readable = !answer.faults.some(({ part }) => part === "");
      if (whole && readable) this.entries = answer.entries;
      this.checked = answer;
      this.trouble = "";
      this.box = { ...box, name: readable ? answer.about : box.name, ready: answer.text };
      storeBox(this.game, this.box);
    } catch (error) {
      if (this.box === box) this.trouble = t("box.unchecked", { why: errorText(error) });
    }
  }
}
