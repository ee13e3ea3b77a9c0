/** How long an event of Basari takes to watch, in ms. */
import type { Event, View } from "../../protocol";
import type { Shown } from "../haggling/flights";
import { CHOSEN, SAID, settling } from "../haggling/pace";

export const ROLL = 520;
export const STEP = 150;

export function duration(event: Event, before: View): number {
  const shown = event.shown as Shown;
  if (shown.path) return ROLL + STEP * shown.path.length + 120 + settling(shown);
  if (before.position["phase"] === "choose" && !shown.choices) return CHOSEN;
  return settling(shown) || SAID;
}
