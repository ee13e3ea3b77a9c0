/** The offer that is being put together in a haggle: gems laid down, and whether they make an offer. */
import { untrack } from "svelte";
import { say, t } from "../../../i18n/translate.svelte";
import type { Answer, View } from "../../../protocol/table";
import type { BasariGame } from "../animation/event-effects";
import { COLOURS, NO_GEMS, offerMove, total } from "../gems/gems";
import type { Deal, Gems } from "../types";
import { dealOf, possibleAnswers, type Answers } from "./shares";

const PATIENCE = 120; // ms before an offer is checked

interface Situation {
  view: () => View<BasariGame>;
  me: () => number;
  busy: () => boolean;
  ask: (move: string) => Promise<Answer>;
}

/** Create it while a component is set up. */
export class Bid {
  laid = $state<Gems>([...NO_GEMS]);
  #verdict = $state.raw<{ move: string; answer: Answer } | null>(null);
  #now: Situation;

  readonly haggle = $derived.by(() => this.#now.view().position.haggle);
  readonly speaking = $derived.by(() => this.#now.me() >= 0 && this.haggle?.turn === this.#now.me());
  readonly held: Gems = $derived.by(() => this.#now.view().position.gems[this.#now.me()] ?? NO_GEMS);
  readonly said: Answers = $derived.by(() => possibleAnswers(this.#now.view().scene.deals));
  readonly move: string = $derived(offerMove(this.laid));
  readonly deal: Deal | null = $derived(dealOf(this.move, this.said));
  readonly answer: Answer | null = $derived(this.#verdict?.move === this.move ? this.#verdict.answer : null);
  readonly legal: boolean = $derived(!!this.move && (this.said.raises.some((deal) => deal.move === this.move) || !!this.answer?.legal));
  readonly bad: boolean = $derived(!!this.move && !!this.answer && !this.answer.legal);

  constructor(now: Situation) {
    this.#now = now;
    // When the haggle moves on, start again from the smallest legal offer.
    const stage = $derived(`${this.haggle?.action} ${this.haggle?.offer} ${this.haggle?.turn} ${this.said.raises[0]?.move}`);
    $effect(() => {
      void stage;
      this.laid = [...(untrack(() => this.said.raises[0]?.gems) ?? NO_GEMS)];
    });
    $effect(() => {
      const asked = this.move;
      if (!asked || !this.speaking || this.said.raises.some((deal) => deal.move === asked)) return;
      const timer = setTimeout(() => void now.ask(asked).then((found) => (this.#verdict = { move: asked, answer: found })), PATIENCE);
      return () => clearTimeout(timer);
    });
  }

  /** Lay gems of a colour down, or take them back. */
  lay(colour: number, n: number): void {
    const next = this.laid[colour]! + n;
    if (this.#now.busy() || next < 0 || next > this.held[colour]!) return;
    this.laid = this.laid.map((count, each) => (each === colour ? next : count));
  }

  /** My gems compared with the offer, in words; at first an instruction. */
  get compared(): string {
    const offer = this.haggle?.offer;
    if (this.move === this.said.raises[0]?.move || !this.move) return t("basari-common.lay_here");
    if (!this.legal) return this.answer ? (this.answer.reason ? say(this.answer.reason) : "") : "…";
    if (!offer) return t("basari-common.opens_with", { n: total(this.laid) });
    const more = total(this.laid) - total(offer);
    if (more > 0) return t("basari-common.more", { n: more });
    const colour = this.laid.findIndex((n, each) => n !== offer[each]);
    return t("basari-common.higher", { gem: [`basari-common.gem_many.${COLOURS[colour]}`, {}] });
  }
}
