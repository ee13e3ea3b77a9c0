/** What both boards show of an event: cards turned over, gems and points on their way, the tally of a scoring. */
import { wait } from "../../lib/moving";
import { motionOn } from "../../lib/settings.svelte";
import type { View } from "../../protocol";
import type { Brought, Haggling, Scoring } from "./brought";
import { flyBack, flyGems, flyPoints } from "./flights";
import { REVEAL, FLIGHT, STAYS, TALLY } from "./pace";

const KEY = "souk-scoring"; // one at most: a tab has one table

/** Keep a scoring for when the page is loaded again. */
function remember(scoring: Scoring): void {
  sessionStorage.setItem(KEY, JSON.stringify([location.pathname, scoring]));
}

/** The scoring of this number that was seen in this tab at this table, or null. */
function remembered(number: number): Scoring | null {
  const [table, scoring] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string?, Scoring?];
  return table === location.pathname && scoring?.number === number ? scoring : null;
}

export class Settling {
  revealed = $state.raw<(string | null)[] | null>(null); // everybody's choices, for all to see
  lost = $state.raw<string[]>([]); // actions that too many have chosen
  revealing = $state(false); // cards are being turned over: what follows from them has yet to be seen
  scoring = $state.raw<Scoring | null>(null); // being read out, or looked at again
  last = $state.raw<Scoring | null>(null); // the last there was, as far as it was seen in this tab
  #leaving: ReturnType<typeof setTimeout> | undefined; // when the tally goes by itself
  #shown = 0; // number of what is being shown; what is older stops

  /** At first, and whenever there is nothing to watch. `scorings`: how many there were so far. */
  rest(view: View<Haggling>, scorings: number): void {
    this.#shown += 1;
    this.close();
    this.revealing = false;
    this.#open(view);
    if (this.last?.number !== scorings) this.last = remembered(scorings);
  }

  /** The tally goes: somebody has read it, or does something else. */
  close(): void {
    clearTimeout(this.#leaving);
    this.scoring = null;
  }

  /** The last scoring once more, for as long as one likes. */
  again(): void {
    clearTimeout(this.#leaving);
    this.scoring = this.last;
  }

  /** Show what an event brought, after `first` (a die, a walk). Resolves when it is over or something newer has begun. */
  async show(brought: Brought, view: View<Haggling>, first: () => Promise<void>, points: () => Element | null): Promise<void> {
    const turn = (this.#shown += 1);
    this.revealing = false;
    this.#open(view);
    if (brought.choices) {
      this.close(); // that is what there is to see now
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

  /** The choices that lie open in a view. */
  #open({ position, scene }: View<Haggling>): void {
    const settled = position.phase !== "choose" && position.choices.some((choice) => choice !== null);
    this.revealed = settled ? position.choices : null;
    this.lost = scene.lost ?? [];
  }

  async #tally(scoring: Scoring, turn: number): Promise<void> {
    this.#read(scoring);
    await wait(TALLY - FLIGHT);
    if (this.#shown !== turn) return;
    void flyBack(scoring.majorities);
    await wait(FLIGHT);
  }

  /** The tally stays while the next round begins: whoever wants to read it has the time, whatever the pace. */
  #read(scoring: Scoring): void {
    clearTimeout(this.#leaving);
    this.scoring = this.last = scoring;
    remember(scoring);
    this.#leaving = setTimeout(() => this.close(), STAYS);
  }
}
