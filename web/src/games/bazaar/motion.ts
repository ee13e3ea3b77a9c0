/** How long an event is shown. */
import type { Event } from "../../protocol";
import { told } from "../facts";
import { chipsMoved } from "./moved";
import type { BeginnerDrawn, DieThrown, Game, RateDrawn, Sold, WareTurnedUp } from "./types";

export const ROLL = 850; // ms the die tumbles
const FLIGHT = 900; // chips on their way, with the gap before the next event
export const LIFT = 450; // after which what is got follows what was given
const SALE = 1700;
const CARD = 420; // a card that is turned over
const BEGIN = 900;

export function duration(event: Event<Game>): number {
  const moved = chipsMoved(event);
  if (event.taken_back) return CARD;
  if (told<DieThrown>(event, "die_thrown").length) return ROLL + (moved ? FLIGHT : CARD);
  if (told<Sold>(event, "sold").length) return SALE;
  if (moved) return FLIGHT + (moved.gives && moved.gets ? LIFT : 0);
  if (told<RateDrawn>(event, "rate_drawn").length || told<WareTurnedUp>(event, "ware_turned_up").length) return CARD;
  return told<BeginnerDrawn>(event, "beginner_drawn").length ? BEGIN : 0;
}
