/** How long things take at a table of either Basari game, in ms. */
import type { Shown } from "./flights";

export const REVEAL = 1500; // all cards are turned over
export const FLIGHT = 950; // gems or points travel
export const TALLY = 4600; // a scoring is read out
export const SAID = 900; // an offer lies on the counter
export const CHOSEN = 350; // somebody lays a card down

export function settling(shown: Shown): number {
  const reveal = shown.choices ? REVEAL : 0;
  const flight = shown.gems || shown.points ? FLIGHT : 0;
  return reveal + flight + (shown.scoring ? TALLY : 0);
}

export function wait(time: number): Promise<void> {
  return new Promise((done) => setTimeout(done, time));
}
