/** Animation times of both Basari games, in ms. */
import type { Event } from "../../../protocol/table";
import type { EventEffects } from "./event-effects";

export const REVEAL = 1500; // all cards turn over
export const FLIGHT = 950; // gems or points fly
export const SCORING_READ = 3200; // a scoring is read
export const SCORING_STAYS = 12_000; // its table stays, however fast the game goes on
export const OFFER_SHOWN = 900; // an offer is shown
export const CARD_LAID = 350; // a card is laid down

export function animationTime({ choices, gems, points, scoring }: EventEffects): number {
  const reveal = choices ? REVEAL : 0;
  const flight = gems.length || points.length ? FLIGHT : 0;
  return reveal + flight + (scoring ? SCORING_READ : 0);
}

/** Offers already topped while waiting to be shown are skipped. */
export function isTopped(event: Event, next: Event): boolean {
  return [event, next].every(({ facts }) => facts.length && facts.every(({ is }) => is === "offered"));
}
