/** Animation times of Basari, in ms. */
import type { Event, View } from "../../protocol/table";
import { factsOf } from "../facts";
import { CARD_LAID, isTopped, OFFER_SHOWN, animationTime } from "../basari-common/animation/pace";
import { eventEffects } from "./event-effects";
import type { FigureWalked, Game } from "./types";

export const ROLL = 520;
export const STEP = 150;

export function duration(event: Event<Game>, before: View<Game>): number {
  const walks = factsOf<FigureWalked>(event, "figure_walked");
  const found = eventEffects(event);
  if (walks.length) return ROLL + STEP * Math.max(...walks.map(({ path }) => path.length)) + 120 + animationTime(found);
  if (before.position.phase === "choose" && !found.choices) return CARD_LAID;
  return animationTime(found) || OFFER_SHOWN;
}

/** All roll and walk at once at the start of a round; offers between others are shown at once. */
export function together(event: Event<Game>, next: Event<Game>): boolean {
  const both = [event, next].every(({ seat, facts }) => seat === null && facts.some(({ is }) => is === "figure_walked"));
  return (both && !animationTime(eventEffects(event))) || isTopped(event, next);
}
