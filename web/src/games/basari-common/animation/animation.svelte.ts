/** Shows events on both boards: revealed cards, flying gems and points, scoring tables. */
import { wait } from "../../../ui/animation/tween";
import { motionOn } from "../../../state/settings.svelte";
import type { View } from "../../../protocol/table";
import type { EventEffects, BasariGame, Scoring } from "./event-effects";
import { flyBack, flyGems, flyPoints } from "./flights";
import { REVEAL, FLIGHT, SCORING_STAYS, SCORING_READ } from "./pace";

const KEY = "souk-scoring"; // one entry: a tab has one table

/** Keep a scoring across a page reload. */
function remember(scoring: Scoring): void {
  sessionStorage.setItem(KEY, JSON.stringify([location.pathname, scoring]));
}

/** The scoring with this number if this tab saw it at this table, or null. */
function remembered(number: number): Scoring | null {
  const [table, scoring] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string?, Scoring?];
  return table === location.pathname && scoring?.number === number ? scoring : null;
}

export class BoardAnimation {
  revealed = $state.raw<(string | null)[] | null>(null); // everyone's revealed choices
  lost = $state.raw<string[]>([]); // actions cancelled by too many choices
  revealing = $state(false); // cards are being turned over; hide what follows from them
  scoring = $state.raw<Scoring | null>(null); // on show
  last = $state.raw<Scoring | null>(null); // the last one seen in this tab
  #leaving: ReturnType<typeof setTimeout> | undefined; // hides the scoring table
  #shown = 0; // run number; older runs stop

  /** Show a view without animation. `scorings`: number of scorings so far. */
  rest(view: View<BasariGame>, scorings: number): void {
    this.#shown += 1;
    this.close();
    this.revealing = false;
    this.#open(view);
    if (this.last?.number !== scorings) this.last = remembered(scorings);
  }

  /** Hide the scoring table. */
  close(): void {
    clearTimeout(this.#leaving);
    this.scoring = null;
  }

  /** Show the last scoring again until it is closed. */
  again(): void {
    clearTimeout(this.#leaving);
    this.scoring = this.last;
  }

  /** Animate an event after `first` (a die, a walk). Resolves when done or superseded. */
  async show(brought: EventEffects, view: View<BasariGame>, first: () => Promise<void>, points: () => Element | null): Promise<void> {
    const turn = (this.#shown += 1);
    this.revealing = false;
    this.#open(view);
    if (brought.choices) {
      this.close(); // the new event takes its place
      this.revealed = brought.choices;
      this.lost = [...brought.lost, ...(view.scene.lost ?? [])];
    }
    if (!motionOn()) {
      if (brought.scoring) this.#read(brought.scoring);
      return;
    }
    await first();
    if (brought.choices) {
      this.revealing = true;
      await wait(REVEAL);
    }
    if (this.#shown !== turn) return;
    this.revealing = false;
    if (brought.gems.length || brought.points.length) {
      void flyPoints(brought.points, points());
      void flyGems(brought.gems);
      await wait(FLIGHT);
    }
    if (this.#shown === turn && brought.scoring) await this.#tally(brought.scoring, turn);
  }

  /** Keep the revealed choices of a view. */
  #open({ position, scene }: View<BasariGame>): void {
    const settled = position.phase !== "choose" && position.choices.some((choice) => choice !== null);
    this.revealed = settled ? position.choices : null;
    this.lost = scene.lost ?? [];
  }

  async #tally(scoring: Scoring, turn: number): Promise<void> {
    this.#read(scoring);
    await wait(SCORING_READ - FLIGHT);
    if (this.#shown !== turn) return;
    void flyBack(scoring.majorities);
    await wait(FLIGHT);
  }

  /**
   * Leave the scoring table up while the next round begins, at any pace, so that there is time to
   * read it.
   */
  #read(scoring: Scoring): void {
    clearTimeout(this.#leaving);
    this.scoring = this.last = scoring;
    remember(scoring);
    this.#leaving = setTimeout(() => this.close(), SCORING_STAYS);
  }
}
