/** What an event of Basari brought. */
import type { Event } from "../../protocol";
import { told } from "../facts";
import { broughtBy, type Brought } from "../haggling/brought";
import type { Game, LapScored, ScoringBegan } from "./types";

export function brought(event: Event<Game> | null): Brought {
  const [began] = told<ScoringBegan>(event, "scoring_began");
  return broughtBy(event, began, told<LapScored>(event, "lap_scored"));
}
