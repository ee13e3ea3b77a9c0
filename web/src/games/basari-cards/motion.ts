/** How long an event of the card game takes to watch, in ms. */
import type { Event, View } from "../../protocol";
import type { Shown } from "../haggling/flights";
import { CHOSEN, SAID, settling } from "../haggling/pace";

export const DEAL = 480;
export const DRAW = 1500;

export function duration(event: Event, before: View): number {
  const shown = event.shown as Shown;
  if (shown.card) return (before.position["phase"] === "draw" ? DRAW : DEAL) + settling(shown);
  if (before.position["phase"] === "choose" && !shown.choices) return CHOSEN;
  return settling(shown) || SAID;
}
