/** The coach at a table: what it has said, and a move that is held back until I have heard its warning. */
import type { Advice, AdvisedMove } from "../protocol";
import { settings } from "./settings.svelte";
import type { Table } from "./table.svelte";
import { known, sayAll, t } from "./words.svelte";

const THRESHOLD = 0.05; // of the chance to win, that a move may give away without a warning
const MOST_TABLES = 30; // at which it is remembered that one wants to be warned

export class Coach {
  open = $state(false);
  asking = $state(false);
  advice = $state.raw<Advice | null>(null);
  held = $state(""); // the move that is warned of

  constructor(readonly table: Table) {}

  /** I am to move, and it may be asked. */
  get ready(): boolean {
    return !!this.table.coach && this.table.myTurn && !this.table.busy && !this.asking && this.table.curtain === null;
  }

  get warns(): boolean {
    return settings.warned.includes(this.table.id);
  }

  set warns(on: boolean) {
    const others = settings.warned.filter((id) => id !== this.table.id);
    settings.warned = on ? [this.table.id, ...others].slice(0, MOST_TABLES) : others;
  }

  /** What would you do? */
  async ask(): Promise<void> {
    this.open = true;
    if (!this.ready || !this.table.coach?.open || this.advice) return;
    this.asking = true;
    this.advice = await this.table.askCoach();
    this.asking = false;
    if (!this.advice) this.open = false;
  }

  /** Play a move, unless there is a warning to be heard first. */
  async play(move: string): Promise<boolean> {
    if (!this.warns || !this.table.coach?.open || !this.ready || this.held === move) return this.#play(move);
    this.asking = true;
    const advice = await this.table.weigh(move, THRESHOLD);
    this.asking = false;
    if (!advice?.asked) return this.#play(move);
    this.advice = advice;
    this.held = move;
    this.open = true;
    return false;
  }

  async #play(move: string): Promise<boolean> {
    this.forget();
    return this.table.play(move);
  }

  /** What was said is about something else by now. */
  forget(): void {
    this.open = false;
    this.advice = null;
    this.held = "";
  }
}

/** A move in words: what it would do, or the name of a choice. */
export function inWords(game: string, { move, told }: AdvisedMove): string {
  if (told.length) return sayAll(told);
  const name = `${game}.action.${move}`;
  return known(name) ? t(name) : move;
}
