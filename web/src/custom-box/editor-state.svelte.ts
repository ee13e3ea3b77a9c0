/** Where a box is typed in: what stands there, and what the server says of it a moment later. */
import { boxSheet, checkBox, whyNot } from "../lib/api";
import { boxesOf, keepBox, newId, removeBox, written, type OwnBox } from "../lib/boxes.svelte";
import { say, t } from "../lib/words.svelte";
import type { BoxChecked, BoxFault, BoxSheet } from "../lobby-protocol";

const REST = 350; // ms without a key, then it is checked

export class Desk {
  sheet = $state.raw<BoxSheet | null>(null);
  box = $state.raw<OwnBox | null>(null);
  entries = $state.raw<Record<string, string[]>>({});
  checked = $state.raw<BoxChecked | null>(null); // null while what stands there has not been checked
  trouble = $state(""); // why it could not be
  private timer = 0;

  constructor(readonly game: string) {
    boxSheet(game).then(
      (sheet) => {
        this.sheet = sheet;
        const latest = boxesOf(game).at(-1);
        if (latest) this.open(latest);
      },
      (error: unknown) => (this.trouble = whyNot(error)),
    );
  }

  open(box: OwnBox): void {
    this.box = box;
    this.entries = {};
    void this.check(true);
  }

  /** A new box: with these entries, or empty. */
  begin(name: string, entries?: Record<string, string[]>): void {
    const blank = Object.fromEntries(this.sheet!.parts.map(({ key, count }) => [key, Array<string>(count).fill("")]));
    this.take(written(name, this.sheet!.parts, entries ?? blank));
  }

  /** A new box from a file. */
  take(text: string): void {
    const box = { id: newId(), name: "", text, ready: "" };
    keepBox(this.game, box);
    this.open(box);
  }

  /** An entry, as it is typed in the form. */
  set(part: string, index: number, text: string): void {
    const list = this.entries[part]!.map((each, k) => (k === index ? text : each));
    this.entries = { ...this.entries, [part]: list };
    this.rewrite(this.box!.name);
  }

  rename(name: string): void {
    this.rewrite(name);
  }

  /** The whole file, as it is typed. */
  retype(text: string): void {
    this.change({ ...this.box!, text, ready: "" }, true);
  }

  /** The box is gone; returns what it was. */
  remove(): OwnBox {
    const gone = this.box!;
    clearTimeout(this.timer);
    removeBox(this.game, gone.id);
    const latest = boxesOf(this.game).at(-1);
    this.box = null;
    if (latest) this.open(latest);
    return gone;
  }

  /** Whether what stands there can be shown entry by entry. */
  get readable(): boolean {
    return Object.keys(this.entries).length > 0 && !this.checked?.faults.some(({ part }) => part === "");
  }

  faultAt(part: string, index: number): string {
    const found = this.checked?.faults.filter((each) => each.part === part && each.entry === index) ?? [];
    return found.map(({ said }) => say(said)).join("; ");
  }

  /** What is wrong besides with a part, or with the file. */
  get others(): BoxFault[] {
    return this.checked?.faults.filter(({ entry }) => entry === null) ?? [];
  }

  private rewrite(name: string): void {
    this.change({ ...this.box!, name, text: written(name, this.sheet!.parts, this.entries), ready: "" }, false);
  }

  private change(box: OwnBox, whole: boolean): void {
    this.box = box;
    this.checked = null;
    keepBox(this.game, box);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(whole), REST);
  }

  /** Ask the server. `whole`: the file itself was typed, so that the form follows it. */
  private async check(whole: boolean): Promise<void> {
    const box = this.box!;
    try {
      const answer = await checkBox({ game: this.game, text: box.text });
      if (this.box !== box) return; // something else stands there by now
      const readable = !answer.faults.some(({ part }) => part === "");
      if (whole && readable) this.entries = answer.entries;
      this.checked = answer;
      this.trouble = "";
      this.box = { ...box, name: readable ? answer.about : box.name, ready: answer.text };
      keepBox(this.game, this.box);
    } catch (error) {
      if (this.box === box) this.trouble = t("box.unchecked", { why: whyNot(error) });
    }
  }
}
