/** Animation times of the card game, in ms. */
import type { Event, View } from "../../protocol/table";
import { factsOf } from "../facts";
import { CARD_LAID, isTopped, OFFER_SHOWN, animationTime } from "../basari-common/animation/pace";
import { eventEffects } from "./event-effects";
import type { CardTurnedUp, Game } from "./types";

export const DEAL = 480;
export const DRAW = 1500;

export function duration(event: Event<Game>, before: View<Game>): number {
  const [card] = factsOf<CardTurnedUp>(event, "card_turned_up");
  const found = eventEffects(event);
  if (card) return (card.drawn ? DRAW : DEAL) + animationTime(found);
  if (before.position.phase === "choose" && !found.choices) return CARD_LAID;
  return animationTime(found) || OFFER_SHOWN;
}

/** Deals are shown at once, as are offers between others. */
export function together(event: Event<Game>, next: Event<Game>): boolean {
  const dealt = [event, next].every((each) => factsOf<CardTurnedUp>(each, "card_turned_up").some(({ drawn }) => !drawn));
  return (dealt && !animationTime(eventEffects(event))) || isTopped(event, next);
}
