/** What both boards show of an event: cards turned over, gems and points on their way, the tally of a scoring. */
import { wait } from "../../lib/moving";
import { motionOn } from "../../lib/settings.svelte";
import type { View } from "../../protocol";
import type { Brought, Haggling, Scoring } from "./brought";
import { flyBack, flyGems, flyPoints } from "./flights";
import { REVEAL, FLIGHT, TALLY } from "./pace";

export class Settling {
  revealed = $state.raw<(string | null)[] | null>(null); // everybody's choices, for all to see
  lost = $state.raw<string[]>([]); // actions that too many have chosen
  revealing = $state(false); // cards are being turned over: what follows from them has yet to be seen
  scoring = $state.raw<Scoring | null>(null); // being read out
  #shown = 0; // number of what is being shown; what is older stops

  /** At first, and whenever there is nothing to watch. */
  rest(view: View<Haggling>): void {
    this.#shown += 1;
    this.scoring = null;
    this.revealing = false;
    this.#open(view);
  }

  /** Show what an event brought, after `first` (a die, a walk). Resolves when it is over or something newer has begun. */
  async show(brought: Brought, view: View<Haggling>, first: () => Promise<void>, points: () => Element | null): Promise<void> {
    const turn = (this.#shown += 1);
    this.scoring = null;
    this.revealing = false;
    this.#open(view);
    if (brought.choices) {
      this.revealed = brought.choices;
      this.lost = [...brought.lost, ...(view.scene.lost ?? [])];
    }
    if (!motionOn()) {
      this.scoring = brought.scoring; // stays until something new happens
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
    this.scoring = scoring;
    await wait(TALLY - FLIGHT);
    if (this.#shown !== turn) return;
    void flyBack(scoring.majorities);
    await wait(FLIGHT);
    if (this.#shown === turn) this.scoring = null;
  }
}
