/** How long things take at a table of either Basari game, in ms. */
import type { Event } from "../../protocol";
import type { Brought } from "./brought";

export const REVEAL = 1500; // all cards are turned over
export const FLIGHT = 950; // gems or points travel
export const TALLY = 3200; // a scoring is read out
export const STAYS = 12_000; // its tally lies there, however fast the game goes on
export const SAID = 900; // an offer lies on the counter
export const CHOSEN = 350; // somebody lays a card down

export function settling({ choices, gems, points, scoring }: Brought): number {
  const reveal = choices ? REVEAL : 0;
  const flight = gems.length || points.length ? FLIGHT : 0;
  return reveal + flight + (scoring ? TALLY : 0);
}

/** An offer that has been topped already: of those that wait to be shown the last is enough. */
export function isTopped(event: Event, next: Event): boolean {
  return [event, next].every(({ facts }) => facts.length && facts.every(({ is }) => is === "offered"));
}
