/** How long an event of the card game takes to watch, in ms. */
import type { Event, View } from "../../protocol";
import { told } from "../facts";
import { CHOSEN, isTopped, SAID, settling } from "../haggling/pace";
import { brought } from "./brought";
import type { CardTurnedUp, Game } from "./types";

export const DEAL = 480;
export const DRAW = 1500;

export function duration(event: Event<Game>, before: View<Game>): number {
  const [card] = told<CardTurnedUp>(event, "card_turned_up");
  const found = brought(event);
  if (card) return (card.drawn ? DRAW : DEAL) + settling(found);
  if (before.position.phase === "choose" && !found.choices) return CHOSEN;
  return settling(found) || SAID;
}

/** All are dealt their cards at once; and where others haggle, nobody waits for every offer. */
export function together(event: Event<Game>, next: Event<Game>): boolean {
  const dealt = [event, next].every((each) => told<CardTurnedUp>(each, "card_turned_up").some(({ drawn }) => !drawn));
  return (dealt && !settling(brought(event))) || isTopped(event, next);
}
