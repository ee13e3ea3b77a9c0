/** What both boards show of an event: cards turned over, gems and points on their way, the tally of a scoring. */
import { motionOn } from "../../lib/settings.svelte";
import type { Event, View } from "../../protocol";
import { flyBack, flyGems, flyPoints, type Shown } from "./flights";
import { REVEAL, FLIGHT, TALLY, wait } from "./pace";

export class Settling {
  revealed = $state.raw<(string | null)[] | null>(null); // everybody's choices, for all to see
  lost = $state.raw<string[]>([]); // actions that too many have chosen
  revealing = $state(false); // cards are being turned over: what follows from them has yet to be seen
  scoring = $state.raw<Shown["scoring"] | null>(null); // being read out
  #shown = 0; // number of what is being shown; what is older stops

  /** At first, and whenever there is nothing to watch. */
  rest(view: View): void {
    this.#shown += 1;
    this.scoring = null;
    this.revealing = false;
    this.#open(view);
  }

  /** Show what an event brought, after `first` (a die, a walk). Resolves when it is over or something newer has begun. */
  async show(event: Event, view: View, first: () => Promise<void>, points: () => Element | null): Promise<void> {
    const turn = (this.#shown += 1);
    const shown = event.shown as Shown;
    this.scoring = null;
    this.revealing = false;
    if (shown.choices) {
      this.revealed = shown.choices;
      this.lost = shown.lost ?? [];
    } else this.#open(view);
    if (!motionOn()) return this.#still(shown);
    await first();
    if (shown.choices) {
      this.revealing = true;
      await wait(REVEAL);
    }
    if (this.#shown !== turn) return;
    this.revealing = false;
    if (shown.gems || shown.points) {
      void flyPoints(shown.points ?? [], points());
      void flyGems(shown.gems ?? []);
      await wait(FLIGHT);
    }
    if (this.#shown === turn && shown.scoring) await this.#tally(shown.scoring, turn);
  }

  #open(view: View): void {
    const choices = view.position["choices"] as (string | null)[];
    const settled = view.position["phase"] !== "choose" && choices.some((choice) => choice !== null);
    this.revealed = settled ? choices : null;
    if (!settled) this.lost = [];
  }

  /** Without motion the tally stays until something new happens. */
  #still(shown: Shown): void {
    this.scoring = shown.scoring ?? null;
  }

  async #tally(scoring: NonNullable<Shown["scoring"]>, turn: number): Promise<void> {
    this.scoring = scoring;
    await wait(TALLY - FLIGHT);
    if (this.#shown !== turn) return;
    void flyBack(scoring.colours);
    await wait(FLIGHT);
    if (this.#shown === turn) this.scoring = null;
  }
}
