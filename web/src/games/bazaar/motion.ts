/** Animation times of Bazaar. */
import type { Event } from "../../protocol/table";
import { factsOf } from "../facts";
import { chipTransfers } from "./chips/chip-changes";
import type { BeginnerDrawn, DieThrown, Game, RateDrawn, Sold, WareTurnedUp } from "./types";

export const ROLL = 850; // ms the die tumbles
const FLIGHT = 900; // chips in flight, with the gap before the next event
export const LIFT = 450; // delay between the chips given and those received
const SALE = 1700;
const CARD = 420; // a card turns over
const BEGIN = 900;

export function duration(event: Event<Game>): number {
  const moved = chipTransfers(event);
  if (event.taken_back) return CARD;
  if (factsOf<DieThrown>(event, "die_thrown").length) return ROLL + (moved ? FLIGHT : CARD);
  if (factsOf<Sold>(event, "sold").length) return SALE;
  if (moved) return FLIGHT + (moved.gives && moved.gets ? LIFT : 0);
  if (factsOf<RateDrawn>(event, "rate_drawn").length || factsOf<WareTurnedUp>(event, "ware_turned_up").length) return CARD;
  return factsOf<BeginnerDrawn>(event, "beginner_drawn").length ? BEGIN : 0;
}
