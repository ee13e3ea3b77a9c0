// Written by `python -m souk.server.protocol.typescript` from souk/games/basari_common/notation.py, souk/games/basari_common/board_info.py, souk/games/basari_common/facts.py: change it there.

import type { Chose } from "../types";

/** How many by colour: red, yellow, green, blue. */
export type Gems = number[];

/** Two seats haggling. */
export interface Haggle {
  action: string;
  /** the opener first, once known */
  seats: number[];
  /** the seat to speak */
  turn: number | null;
  offer: Gems | null;
  offerer: number | null;
}

/** Position fields of both games. */
export interface HagglingPosition {
  phase: string;
  turn: number | null;
  points: number[];
  gems: Gems[];
  supply: Gems;
  choices: (string | null)[];
  /** who has chosen, while all choose */
  ready: boolean[];
  haggle: Haggle | null;
  /** actions still to settle, the current one first */
  pending: string[];
}

export interface HagglingBox {
  /** highest rank first */
  colours: string[];
  /** points for the majority of each colour */
  majority: number[];
}

/** What a colour would pay at a scoring: to whom, and how much each. An array on the wire, as every message carries four. */
export type Payout = [seats: number[], points: number];

/** What the actions for points and for gems would bring a seat. */
export interface Brings {
  points: number;
  gems: Gems;
}

/** A move that ends a haggle, or would if accepted, and its consequences. */
export interface Deal {
  move: string;
  /** gets the action; what it brings is in `stakes` */
  winner: number;
  /** gets the gems */
  loser: number;
  gems: Gems;
  /** What a scoring would then bring the viewing seat, if any. */
  scoring?: number;
}

export interface HagglingScene {
  /** by colour */
  most?: Payout[];
  /** by seat: points a scoring would bring now */
  scoring?: number[];
  /** actions of the revealed choices that too many have chosen */
  lost?: string[];
  /** for the viewing seat */
  brings?: Brings;
  /** What the action at stake would bring the opener and the other, if known. */
  stakes?: (number | Gems)[];
  /** for the seat to speak: stopping, and some raises, cheapest first */
  deals?: Deal[];
  /** For everybody else: the consequences of accepting the current offer. */
  on_counter?: Deal;
  /** For everybody: the speaker's options, i.e. stopping if allowed, and the cheapest raise. */
  may_say?: string[];
}

/** B11, K11: everybody's choice, once all have chosen. */
export interface Revealed {
  is: "revealed";
  choices: string[];
}

/** B15, K16: too many chose an action, so nobody gets it. */
export interface Lost {
  is: "lost";
  action: string;
  seats: number[];
}

/** B20, K20: two chose an action and will haggle. `opener` is null if a roll decides who opens. */
export interface HaggleCalled {
  is: "haggle_called";
  action: string;
  /** the opener first, once known */
  seats: number[];
  opener: number | null;
}

/** B21, K21: gems were offered. */
export interface Offered {
  is: "offered";
  seat: number;
  gems: Gems;
}

/** B22, K22: one of the two accepted the gems offered, or passed, leaving the action to the other. */
export interface HaggleEnded {
  is: "haggle_ended";
  action: string;
  /** gets the action */
  winner: number;
  /** gets the gems */
  loser: number;
  gems: Gems;
  opener: number;
}

/** B14, K15, K31: gems came from the supply; `wanted` were due but may have been short. */
export interface GemsTaken {
  is: "gems_taken";
  seat: number;
  gems: Gems;
  wanted: Gems;
}

/** B12, B13, K14: an action brought points. */
export interface PointsScored {
  is: "points_scored";
  seat: number;
  points: number;
  action: string;
}

/** B32, B33, K41, K42: who was paid for the majority of a colour, how much each, and gems returned. */
export interface MajorityScored {
  is: "majority_scored";
  colour: number;
  seats: number[];
  points: number;
  back: number[];
}

export type BasariCommonFact =
  | Chose
  | Revealed
  | Lost
  | HaggleCalled
  | Offered
  | HaggleEnded
  | GemsTaken
  | PointsScored
  | MajorityScored;
