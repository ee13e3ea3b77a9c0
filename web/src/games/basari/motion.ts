/** How long an event of Basari takes to watch, in ms. */
import type { Event, View } from "../../protocol";
import { told } from "../facts";
import { CHOSEN, isTopped, SAID, settling } from "../haggling/pace";
import { brought } from "./brought";
import type { FigureWalked, Game } from "./types";

export const ROLL = 520;
export const STEP = 150;

export function duration(event: Event<Game>, before: View<Game>): number {
  const walks = told<FigureWalked>(event, "figure_walked");
  const found = brought(event);
  if (walks.length) return ROLL + STEP * Math.max(...walks.map(({ path }) => path.length)) + 120 + settling(found);
  if (before.position.phase === "choose" && !found.choices) return CHOSEN;
  return settling(found) || SAID;
}

/** All roll and walk at once when a round begins; and where others haggle, nobody waits for every offer. */
export function together(event: Event<Game>, next: Event<Game>): boolean {
  const both = [event, next].every(({ seat, facts }) => seat === null && facts.some(({ is }) => is === "figure_walked"));
  return (both && !settling(brought(event))) || isTopped(event, next);
}
