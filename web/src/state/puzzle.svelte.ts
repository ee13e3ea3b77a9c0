/**
 * State of a daily puzzle: moves so far, their result, possible requests. The server makes every
 * move.
 */
import type { GamePackage } from "../games/contract";
import type { Answer, Event, View } from "../protocol/table";
import type { PuzzleNow, TryPuzzle } from "../protocol/analysis";
import { askPuzzle, tryPuzzle, errorText } from "../net/api";
import { paced } from "../ui/animation/tween";
import { motionOn, settings } from "./settings.svelte";
import { recordSolved } from "./solved-puzzles.svelte";
import { toast } from "./toast.svelte";
import { say, setNames, t } from "../i18n/translate.svelte";

export class Puzzle {
  now = $state.raw<PuzzleNow | null>(null);
  view = $state.raw<View | null>(null); // on show; may lag behind
  event = $state.raw<Event | null>(null);
  before = $state.raw<View | null>(null);
  moves = $state.raw<string[]>([]);
  done = $state.raw<PuzzleNow["done"]>(null); // set once solved or given up
  answered = $state.raw<PuzzleNow["answered"]>(null);
  answer = $state(""); // given to a position puzzle
  shown = $state<number | null>(null); // number of moves of the solution on show; null shows my own
  asking = $state(false);
  fault = $state("");
  duration: GamePackage["duration"] = () => 0;

  constructor(
    readonly date: string,
    readonly game: string,
    readonly grade: string,
  ) {
    void this.#look([], false);
  }

  get busy(): boolean {
    return this.asking || this.event !== null || this.shown !== null || this.over;
  }

  /** The puzzle is solved or answered. */
  get over(): boolean {
    return !!this.now?.view.over || this.answered !== null || (this.done !== null && this.shown !== null);
  }

  async play(move: string): Promise<boolean> {
    if (this.busy) return false;
    if (!this.grade) this.answer = move;
    return this.#look([...this.moves, move], true);
  }

  async ask(move: string): Promise<Answer> {
    return askPuzzle(this.#wish([...this.moves, move]));
  }

  async why(move: string): Promise<void> {
    const answer = await this.ask(move);
    if (!answer.legal && answer.reason) toast(say(answer.reason), answer.clause);
  }

  /** Take back the last move with its consequences. */
  async takeBack(): Promise<void> {
    if (!this.asking && this.moves.length) await this.#look(this.moves.slice(0, -1), false);
  }

  async startOver(): Promise<void> {
    this.shown = null;
    await this.#look([], false);
  }

  async giveUp(): Promise<void> {
    const found = await this.#ask({ ...this.#wish(this.moves), give_up: true });
    if (!found) return;
    this.#adopt(found);
    this.#keep(found);
  }

  /** Show some moves of the solution, or the position after another answer. */
  async show(moves: string[]): Promise<void> {
    this.shown = moves.length;
    const forward = moves.length === this.moves.length + 1;
    await this.#look(moves, forward);
  }

  #wish(moves: string[]): TryPuzzle {
    return { date: this.date, game: this.game, grade: this.grade, moves, give_up: false };
  }

  async #look(moves: string[], forward: boolean): Promise<boolean> {
    const found = await this.#ask(this.#wish(moves));
    if (!found) return false;
    this.moves = moves;
    this.#adopt(found);
    if (forward) await this.#animate(found.events);
    this.event = this.before = null;
    this.view = found.view;
    this.#keep(found);
    return true;
  }

  async #ask(wish: TryPuzzle): Promise<PuzzleNow | null> {
    this.asking = true;
    try {
      return await tryPuzzle(wish);
    } catch (error) {
      const reason = errorText(error);
      if (this.now) toast(reason);
      else this.fault = reason;
      return null;
    } finally {
      this.asking = false;
    }
  }

  #adopt(found: PuzzleNow): void {
    this.now = found;
    this.view ??= found.view;
    const names = found.seats.map(({ name }, seat) => (seat === found.seat ? settings.name.trim() || t("settings.guest") : name));
    setNames(
      names,
      found.seat,
      found.seats.map(({ gender }) => gender ?? ""),
    );
    found.seats.forEach((seat, k) => (seat.name = names[k]!));
  }

  async #animate(events: Event[]): Promise<void> {
    for (const event of events) {
      this.before = this.view;
      this.event = event;
      this.view = event.view;
      const time = motionOn() && this.before ? paced(this.duration(event, this.before, event.view)) : 0;
      await new Promise((shown) => setTimeout(shown, time));
    }
  }

  /** Record the result; only the first attempt counts. */
  #keep(found: PuzzleNow): void {
    if (this.shown !== null) return;
    if (found.done) {
      this.done = found.done;
      recordSolved(this.date, this.game, this.grade, found.done.stars, found.view.over ? found.done.actions : 0);
    }
    if (found.answered) {
      this.answered ??= found.answered;
      recordSolved(this.date, this.game, "", this.answered.right ? 3 : 0);
    }
  }
}
