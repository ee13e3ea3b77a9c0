/** How long an event is shown. */
import type { Event } from "../../protocol";
import { shownOf } from "./scene";

export const ROLL = 850; // ms the die tumbles
const FLIGHT = 900; // chips on their way, with the gap before the next event
const SALE = 1700;
const CARD = 420; // a card that is turned over
const BEGIN = 900;

export function duration(event: Event): number {
  const shown = shownOf(event);
  if (event.taken_back) return CARD;
  if (shown.die) return ROLL + (shown.gets ? FLIGHT : CARD);
  if (shown.sold) return SALE;
  if (shown.gives && shown.gets) return FLIGHT + 450;
  if (shown.gives || shown.gets) return FLIGHT;
  if (shown.rate || shown.up) return CARD;
  return shown.first === undefined ? 0 : BEGIN;
}
