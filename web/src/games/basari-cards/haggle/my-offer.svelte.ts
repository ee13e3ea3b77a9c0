/** The offer I put together: the gems I have laid on the table, and whether they may be offered. */
import { untrack } from "svelte";
import { say, t } from "../../../i18n/translate.svelte";
import type { Answer, View } from "../../../protocol/table";
import { dealOf, possibleAnswers } from "../../basari-common/deals/shares";
import { COLOURS, NO_GEMS, offerMove, total } from "../../basari-common/gems/gems";
import type { Gems } from "../../basari-common/types";
import type { BoardProps } from "../../contract";
import type { Game } from "../types";

const PAUSE = 120; // ms before the server is asked about an offer

interface Now {
  view: View<Game>;
  me: number;
  busy: boolean;
  ask: BoardProps["ask"];
}

export class MyOffer {
  laid = $state<Gems>([...NO_GEMS]);
  #verdict = $state.raw<{ move: string; answer: Answer } | null>(null);
  #now: () => Now;

  /** Call while a component is created. */
  constructor(now: () => Now) {
    this.#now = now;
    // When the haggle moves on, start again from the smallest legal offer.
    $effect(() => {
      void this.stage;
      this.laid = [...(untrack(() => this.said.raises[0]?.gems) ?? NO_GEMS)];
    });
    $effect(() => this.#check(this.move));
  }

  get haggle() {
    return this.#now().view.position.haggle;
  }
  get speaking() {
    const { view, me } = this.#now();
    return me >= 0 && view.position.haggle?.turn === me;
  }
  get held(): Gems {
    const { view, me } = this.#now();
    return view.position.gems[me] ?? NO_GEMS;
  }

  said = $derived.by(() => possibleAnswers(this.#now().view.scene.deals));
  stage = $derived.by(() => `${this.haggle?.action} ${this.haggle?.offer} ${this.haggle?.turn} ${this.said.raises[0]?.move}`);
  move = $derived(offerMove(this.laid));
  deal = $derived(dealOf(this.move, this.said));
  answer = $derived(this.#verdict?.move === this.move ? this.#verdict.answer : null);
  legal = $derived(!!this.move && (this.said.raises.some((deal) => deal.move === this.move) || !!this.answer?.legal));
  refused = $derived(!!this.move && !!this.answer && !this.answer.legal);

  /** Ask whether an offer is allowed, unless that is known. */
  #check(move: string): (() => void) | undefined {
    if (!move || !this.speaking || this.said.raises.some((deal) => deal.move === move)) return;
    const { ask } = untrack(this.#now);
    const timer = setTimeout(() => void ask(move).then((answer) => (this.#verdict = { move, answer })), PAUSE);
    return () => clearTimeout(timer);
  }

  lay(colour: number, n: number): void {
    const next = this.laid[colour]! + n;
    if (this.#now().busy || next < 0 || next > this.held[colour]!) return;
    this.laid = this.laid.map((count, each) => (each === colour ? next : count));
  }

  /** My gems compared with the offer, in words; at first what to do. */
  get compared(): string {
    const lying = this.haggle?.offer;
    if (this.move === this.said.raises[0]?.move || !this.move) return this.said.raises.length ? t("basari-cards.tap_gems") : "";
    if (!this.legal) return this.answer ? (this.answer.reason ? say(this.answer.reason) : "") : "…";
    if (!lying) return t("basari-common.opens_with", { n: total(this.laid) });
    const more = total(this.laid) - total(lying);
    if (more > 0) return t("basari-common.more", { n: more });
    const colour = this.laid.findIndex((n, each) => n !== lying[each]);
    return t("basari-common.higher", { gem: [`basari-common.gem_many.${COLOURS[colour]}`, {}] });
  }
}
