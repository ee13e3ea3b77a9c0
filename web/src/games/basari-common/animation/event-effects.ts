/**
 * Effects of an event in both Basari games: revealed choices, gems and points that change hands,
 * scorings.
 */
import type { AnyPosition, Event } from "../../../protocol/table";
import { factsOf } from "../../facts";
import { total } from "../gems/gems";
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
} from "../types";

/** The type parameters of either Basari game. */
export interface BasariGame {
  position: AnyPosition & HagglingPosition;
  box: HagglingBox;
  scene: HagglingScene;
  fact: Event["facts"][number];
}

export interface Gain {
  seat: number;
  points: number;
}

/** Gems passed from one seat to another; null is the supply. */
export interface GemTransfer {
  from: number | null;
  to: number | null;
  gems: Gems;
}

export interface Scoring {
  number: number; // from 1
  majorities: MajorityScored[];
  besides: Gain[]; // for a lap, or for workers
}

export interface EventEffects {
  choices: string[] | null; // everyone's, if revealed
  lost: string[]; // cancelled actions
  gems: GemTransfer[];
  points: Gain[];
  scoring: Scoring | null;
}

/**
 * The effects of an event. The games have their own facts for the start of a scoring and for extra
 * points.
 */
export function effectsOf(event: Event | null, began: { number: number } | undefined, besides: Gain[]): EventEffects {
  const scoring = began ? { number: began.number, majorities: factsOf<MajorityScored>(event, "majority_scored"), besides } : null;
  return {
    choices: factsOf<Revealed>(event, "revealed")[0]?.choices ?? null,
    lost: factsOf<Lost>(event, "lost").map(({ action }) => action),
    gems: handed(event).filter(({ gems }) => total(gems)),
    points: factsOf<PointsScored>(event, "points_scored").filter(({ points }) => points),
    scoring,
  };
}

/** Gems from an accepted offer and from the supply. */
function handed(event: Event | null): GemTransfer[] {
  return [
    ...factsOf<HaggleEnded>(event, "haggle_ended").map(({ winner, loser, gems }) => ({ from: winner, to: loser, gems })),
    ...factsOf<GemsTaken>(event, "gems_taken").map(({ seat, gems }) => ({ from: null, to: seat, gems })),
  ];
}
