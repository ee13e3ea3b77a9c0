/** Effects of an event in the card game. */
import type { Event } from "../../protocol/table";
import { factsOf } from "../facts";
import { effectsOf, type EventEffects } from "../basari-common/animation/event-effects";
import type { DealEnded, Game, GemsReturned, WorkersScored } from "./types";

export function eventEffects(event: Event<Game> | null): EventEffects {
  const [ended] = factsOf<DealEnded>(event, "deal_ended");
  const found = effectsOf(event, ended, factsOf<WorkersScored>(event, "workers_scored"));
  const returned = factsOf<GemsReturned>(event, "gems_returned").map(({ seat, gems }) => ({ from: seat, to: null, gems }));
  return { ...found, gems: [...found.gems, ...returned] };
}
