/** Effects of an event in Basari. */
import type { Event } from "../../protocol/table";
import { factsOf } from "../facts";
import { effectsOf, type EventEffects } from "../basari-common/animation/event-effects";
import type { Game, LapScored, ScoringBegan } from "./types";

export function eventEffects(event: Event<Game> | null): EventEffects {
  const [began] = factsOf<ScoringBegan>(event, "scoring_began");
  return effectsOf(event, began, factsOf<LapScored>(event, "lap_scored"));
}
