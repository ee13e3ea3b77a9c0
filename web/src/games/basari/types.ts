// Written by `python -m souk.server.protocol.typescript` from souk/games/basari/notation.py, souk/games/basari/board_info.py, souk/games/basari/facts.py: change it there.

import type { BasariCommonFact, Gems, HagglingBox, HagglingPosition, HagglingScene } from "../basari-common/types";
import type { Ended } from "../types";
import type { AnyPosition } from "../../protocol/table";

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

/** The number and gems of an arch. */
export interface ArchSign {
  points: number;
  gems: Gems;
}

export interface BasariBox extends HagglingBox {
  arches: ArchSign[];
  /** points for rolling again, by roll from 1 to 6 */
  dice: number[];
  /** arches */
  lap: number;
  lap_points: number;
  scorings: number;
}

/** B5: a seat chose its start. */
export interface DiscPlaced {
  is: "disc_placed";
  seat: number;
  arch: number;
}

/** B10, B12: a figure walked what the die showed, arch by arch. */
export interface FigureWalked {
  is: "figure_walked";
  seat: number;
  die: number;
  path: number[];
  /** by the action dice, not at the start of a round */
  again: boolean;
}

/** B20: on equal points a roll decided who opens the haggle. */
export interface OpenerFound {
  is: "opener_found";
  seat: number;
}

/** B30: a figure has completed a lap, so there is a scoring. */
export interface ScoringBegan {
  is: "scoring_began";
  number: number;
}

/** B31: points for completing a lap. */
export interface LapScored {
  is: "lap_scored";
  seat: number;
  points: number;
}

export type Fact =
  | BasariCommonFact
  | DiscPlaced
  | FigureWalked
  | OpenerFound
  | ScoringBegan
  | LapScored
  | Ended;

/** The types of this game. */
export interface Game {
  position: BasariPosition;
  box: BasariBox;
  scene: HagglingScene;
  fact: Fact;
}
