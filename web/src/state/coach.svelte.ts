/** Coach state at a table: its advice, and a move held back until its warning is answered. */
import type { Advice, AdvisedMove } from "../protocol/table";
import { settings } from "./settings.svelte";
import type { Table } from "./table.svelte";
import { hasText, sayAll, t } from "../i18n/translate.svelte";

const THRESHOLD = 0.05; // loss of win chance without a warning
const MOST_TABLES = 30; // number of tables whose warning setting is remembered

export class Coach {
  open = $state(false);
  asking = $state(false);
  advice = $state.raw<Advice | null>(null);
  held = $state(""); // the move the warning is about

  constructor(readonly table: Table) {}

  /** It is my turn and the coach is available. */
  get ready(): boolean {
    return !!this.table.coach && this.table.myTurn && !this.table.busy && !this.asking && this.table.passTo === null;
  }

  get warns(): boolean {
    return settings.warned.includes(this.table.id);
  }

  set warns(on: boolean) {
    const others = settings.warned.filter((id) => id !== this.table.id);
    settings.warned = on ? [this.table.id, ...others].slice(0, MOST_TABLES) : others;
  }

  /** Ask for advice. */
  async ask(): Promise<void> {
    this.open = true;
    if (!this.ready || !this.table.coach?.open || this.advice) return;
    this.asking = true;
    this.advice = await this.table.askCoach();
    this.asking = false;
    if (!this.advice) this.open = false;
  }

  /** Play a move, unless the coach warns first. */
  async play(move: string): Promise<boolean> {
    if (!this.warns || !this.table.coach?.open || !this.ready || this.held === move) return this.#play(move);
    this.asking = true;
    const advice = await this.table.checkMove(move, THRESHOLD);
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

  /** Discard advice about an earlier position. */
  forget(): void {
    this.open = false;
    this.advice = null;
    this.held = "";
  }
}

/** A move in words: its effect, or the name of a choice. */
export function inWords(game: string, { move, told }: AdvisedMove): string {
  if (told.length) return sayAll(told);
  const name = `${game}.action.${move}`;
  return hasText(name) ? t(name) : move;
}
