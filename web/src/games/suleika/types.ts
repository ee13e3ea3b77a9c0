// Written by `python -m souk.server.protocol.typescript` from souk/games/suleika/notation.py, souk/games/suleika/board_info.py, souk/games/suleika/facts.py: change it there.

import type { Ended } from "../types";
import type { AnyPosition } from "../../protocol/table";

export type Initial = "r" | "y" | "b" | "g";

export type Direction = "n" | "e" | "s" | "w";

export type Ground = "bare" | "own" | "other";

export interface Omar {
  /** a field such as "d4" */
  at: string;
  facing: Direction;
}

export interface SuleikaPosition extends AnyPosition {
  game: "suleika";
  phase: "card" | "turn" | "die" | "rug" | "over";
  turn: number | null;
  omar: Omar;
  /** rows from 7 down to 1: "" or a colour's initial and a rug's number */
  board: string[][];
  money: number[];
  /** rugs still to lay, by seat; with two players also by colour */
  left: (number | number[])[];
  /** two players: the colour to be laid now */
  rug: Initial | null;
}

export interface SuleikaBox {
  /** by seat: the initials of its colours */
  colours: string[];
  /** field sides they join, such as "a7n b7n" */
  balconies: string[];
  /** by number of steps: die faces showing it */
  sixths: number[];
}

/** A way Omar may go. If any stop costs something: tolls owed, tolls payable, and payees. */
export interface Way {
  faces: Direction;
  way: string;
  owed?: number[];
  pays?: number[];
  to?: number[];
}

export interface SuleikaScene {
  /** by seat: visible rug halves */
  halves: number[];
  /** by seat: rugs still to lay */
  rugs: number[];
  /** By field of a rug visible on that field alone: where its other half seems to lie. */
  covered: Record<string, Direction>;
  /** For the seat turning Omar: who will walk him, and his possible ways. */
  walker?: number;
  ways?: Record<string, Way>;
  /** For the seat laying a rug: the area each move would form. */
  areas?: number[];
}

/** S4: two players: the rug to be laid this turn, by its colour's initial. */
export interface RugCameUp {
  is: "rug_came_up";
  seat: number;
  rug: Initial;
}

/** S10: a seat set Omar's direction. */
export interface OmarTurned {
  is: "omar_turned";
  seat: number;
  way: "back" | "left" | "right" | "straight";
  faces: Direction;
}

/** S11: Omar walked what the die showed, from `start` along `way` (see paths.py) to `at`. */
export interface OmarWalked {
  is: "omar_walked";
  seat: number;
  die: number;
  start: string;
  /** when he set out */
  faces: Direction;
  way: string;
  at: string;
  ground: Ground;
}

/** S13, S16: a seat paid the owner of the area Omar stopped on, as far as its purse went. */
export interface Paid {
  is: "paid";
  seat: number;
  to: number;
  owed: number;
  paid: number;
  /** its fields */
  area: string[];
}

/** S18: a rug was laid on two fields, the one next to Omar first. */
export interface Laid {
  is: "laid";
  seat: number;
  colour: Initial;
  fields: [string, string];
  /** owners of the halves it covers */
  hides: number[];
  /** size of the area it joins */
  area: number;
}

/** S31: what everybody's points are made of at the end. */
export interface Counted {
  is: "counted";
  money: number[];
  halves: number[];
}

export type Fact =
  | RugCameUp
  | OmarTurned
  | OmarWalked
  | Paid
  | Laid
  | Counted
  | Ended;

/** The types of this game. */
export interface Game {
  position: SuleikaPosition;
  box: SuleikaBox;
  scene: SuleikaScene;
  fact: Fact;
}
