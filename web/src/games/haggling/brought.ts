/** What an event brought at a table of either Basari game: choices turned over, gems and points that change hands, a scoring. */
import type { AnyPosition, Event } from "../../protocol";
import { told } from "../facts";
import { total } from "./gems";
import type {
  Gems,
  GemsTaken,
  HaggleEnded,
  HagglingBox,
  HagglingPosition,
  HagglingScene,
  Lost,
  MajorityScored,
  PointsScored,
  Revealed,
} from "./types";

/** What both games have of their own, as either of them. */
export interface Haggling {
  position: AnyPosition & HagglingPosition;
  box: HagglingBox;
  scene: HagglingScene;
  fact: Event["facts"][number];
}

export interface Gain {
  seat: number;
  points: number;
}

/** Gems that pass from one to the other, null standing for the supply. */
export interface Handed {
  from: number | null;
  to: number | null;
  gems: Gems;
}

export interface Scoring {
  number: number; // from 1
  majorities: MajorityScored[];
  besides: Gain[]; // what came for a lap, or for workers
}

export interface Brought {
  choices: string[] | null; // everybody's, where they were revealed
  lost: string[]; // actions that nobody gets
  gems: Handed[];
  points: Gain[];
  scoring: Scoring | null;
}

/** What an event brought. How a scoring begins, and what it brings besides majorities, each game has its own facts for. */
export function broughtBy(event: Event | null, began: { number: number } | undefined, besides: Gain[]): Brought {
  const scoring = began ? { number: began.number, majorities: told<MajorityScored>(event, "majority_scored"), besides } : null;
  return {
    choices: told<Revealed>(event, "revealed")[0]?.choices ?? null,
    lost: told<Lost>(event, "lost").map(({ action }) => action),
    gems: handed(event).filter(({ gems }) => total(gems)),
    points: told<PointsScored>(event, "points_scored").filter(({ points }) => points),
    scoring,
  };
}

/** An offer that was accepted, and gems from the supply. */
function handed(event: Event | null): Handed[] {
  return [
    ...told<HaggleEnded>(event, "haggle_ended").map(({ winner, loser, gems }) => ({ from: winner, to: loser, gems })),
    ...told<GemsTaken>(event, "gems_taken").map(({ seat, gems }) => ({ from: null, to: seat, gems })),
  ];
}
