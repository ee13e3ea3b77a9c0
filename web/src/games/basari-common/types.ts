// Written by `python -m souk.table.typescript` from souk/games/haggling/notation.py, souk/games/haggling/scene.py, souk/games/haggling/facts.py: change it there.

import type { Chose } from "../types";

/** How many by colour: red, yellow, green, blue. */
export type Gems = number[];

/** Two at the counter. */
export interface Haggle {
  action: string;
  /** the opener first, once that is known */
  seats: number[];
  /** who is to speak */
  turn: number | null;
  offer: Gems | null;
  offerer: number | null;
}

/** What the positions of both games hold. */
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
  /** the actions still to be settled, the present one first */
  pending: string[];
}

export interface HagglingBox {
  /** from the highest to the lowest */
  colours: string[];
  /** what the most of each is worth */
  majority: number[];
}

/** What a colour would bring at a scoring: to whom, and how much to each. Every message has four of them, so they are short. */
export type Payout = [seats: number[], points: number];

/** What the actions for points and for gems would bring a seat. */
export interface Brings {
  points: number;
  gems: Gems;
}

/** A move that ends a haggle, or would if it were accepted, and what comes of it. */
export interface Deal {
  move: string;
  /** of the action: what that brings is among the stakes */
  winner: number;
  /** who gets the gems instead */
  loser: number;
  gems: Gems;
  /** what a scoring would then bring the seat that looks on, if it is one */
  scoring?: number;
}

export interface HagglingScene {
  /** by colour */
  most?: Payout[];
  /** by seat: all that a scoring would bring now */
  scoring?: number[];
  /** of the choices that lie open: the actions that too many have chosen */
  lost?: string[];
  /** for a seat of one's own */
  brings?: Brings;
  /** what the action they haggle for would bring the opener and the other, where that is known */
  stakes?: (number | Gems)[];
  /** for whoever is to speak: to stop, and some raises from the cheapest on */
  deals?: Deal[];
  /** for all others: what comes of the offer that lies there if it is accepted */
  on_counter?: Deal;
  /** by whoever is to speak, for all to see: to stop, where that may be, and the cheapest raise */
  may_say?: string[];
}

/** B11, K11: all have chosen: what, by seat. */
export interface Revealed {
  is: "revealed";
  choices: string[];
}

/** B15, K16: too many have chosen an action, so nobody gets it. */
export interface Lost {
  is: "lost";
  action: string;
  seats: number[];
}

/** B20, K20: two have chosen an action, and are to haggle for it. `opener` is null where the dice are to say who opens. */
export interface HaggleCalled {
  is: "haggle_called";
  action: string;
  /** the opener first, once that is known */
  seats: number[];
  opener: number | null;
}

/** B21, K21: gems were laid on the counter. */
export interface Offered {
  is: "offered";
  seat: number;
  gems: Gems;
}

/** B22, K22: one of the two accepted the gems on the counter, or passed for nothing, and leaves the action to the other. */
export interface HaggleEnded {
  is: "haggle_ended";
  action: string;
  /** of the action */
  winner: number;
  /** who gets the gems */
  loser: number;
  gems: Gems;
  opener: number;
}

/** B14, K15, K31: gems came from the supply; `wanted` were to be taken, and there may not have been so many. */
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

/** B32, B33, K41, K42: what the most gems of a colour brought: to whom, how much to each, and what each of them gave back. */
export interface MajorityScored {
  is: "majority_scored";
  colour: number;
  seats: number[];
  points: number;
  back: number[];
}

export type HagglingFact =
  | Chose
  | Revealed
  | Lost
  | HaggleCalled
  | Offered
  | HaggleEnded
  | GemsTaken
  | PointsScored
  | MajorityScored;
