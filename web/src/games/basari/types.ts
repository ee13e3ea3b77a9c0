// Written by `python -m souk.table.typescript` from souk/games/basari/notation.py, souk/games/basari/scene.py, souk/games/basari/facts.py: change it there.

import type { Gems, HagglingBox, HagglingFact, HagglingPosition, HagglingScene } from "../haggling/types";
import type { Ended } from "../types";
import type { AnyPosition } from "../../protocol";

export interface BasariPosition extends AnyPosition, HagglingPosition {
  game: "basari";
  phase: "start" | "walk" | "choose" | "opener" | "haggle" | "dice" | "over";
  /** arches, by seat */
  figures: (number | null)[];
  discs: (number | null)[];
  /** arches since the last scoring */
  walked: number[];
  scorings: number;
}

/** What an arch shows. */
export interface ArchSign {
  points: number;
  gems: Gems;
}

export interface BasariBox extends HagglingBox {
  arches: ArchSign[];
  /** the points of another roll of 1 to 6 */
  dice: number[];
  /** arches */
  lap: number;
  lap_points: number;
  scorings: number;
}

/** B5: a seat chose where to start. */
export interface DiscPlaced {
  is: "disc_placed";
  seat: number;
  arch: number;
}

/** B10, B12: a figure walked what the die showed, from arch to arch. */
export interface FigureWalked {
  is: "figure_walked";
  seat: number;
  die: number;
  path: number[];
  /** for the action dice, and not at the start of a round */
  again: boolean;
}

/** B20: on equal points the dice said who opens the haggle. */
export interface OpenerFound {
  is: "opener_found";
  seat: number;
}

/** B30: somebody has walked a lap, so there is a scoring. */
export interface ScoringBegan {
  is: "scoring_began";
  /** from 1 */
  number: number;
}

/** B31: points for having walked a lap. */
export interface LapScored {
  is: "lap_scored";
  seat: number;
  points: number;
}

export type Fact =
  | HagglingFact
  | DiscPlaced
  | FigureWalked
  | OpenerFound
  | ScoringBegan
  | LapScored
  | Ended;

/** What is this game's own in what is said of its tables. */
export interface Game {
  position: BasariPosition;
  box: BasariBox;
  scene: HagglingScene;
  fact: Fact;
}
