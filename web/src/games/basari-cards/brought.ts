/** What an event of the card game brought. */
import type { Event } from "../../protocol";
import { told } from "../facts";
import { broughtBy, type Brought } from "../haggling/brought";
import type { DealEnded, Game, GemsReturned, WorkersScored } from "./types";

export function brought(event: Event<Game> | null): Brought {
  const [ended] = told<DealEnded>(event, "deal_ended");
  const found = broughtBy(event, ended, told<WorkersScored>(event, "workers_scored"));
  const returned = told<GemsReturned>(event, "gems_returned").map(({ seat, gems }) => ({ from: seat, to: null, gems }));
  return { ...found, gems: [...found.gems, ...returned] };
}
