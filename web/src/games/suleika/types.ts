// Written by `python -m souk.table.typescript` from souk/games/suleika/notation.py, souk/games/suleika/scene.py, souk/games/suleika/facts.py: change it there.

import type { Ended } from "../types";
import type { AnyPosition } from "../../protocol";

export type Initial = "r" | "y" | "b" | "g";

export type Direction = "n" | "e" | "s" | "w";

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
  /** rugs still to lay, by seat; two players: by colour, too */
  left: (number | number[])[];
  /** two players: the colour that is to be laid now */
  rug: Initial | null;
}

export interface SuleikaBox {
  /** by seat: the initials of its colours */
  colours: string[];
  /** the sides of fields that they join, such as "a7n b7n" */
  balconies: string[];
  /** how many of the die's faces show one step, two, and so on */
  sixths: number[];
}

/** A way that Omar may go. Where any stop on it costs something: what would be owed on each, what paid, and to whom. */
export interface Way {
  faces: Direction;
  way: string;
  owed?: number[];
  pays?: number[];
  to?: number[];
}

export interface SuleikaScene {
  /** by seat: those that can be seen */
  halves: number[];
  /** by seat: those still to lay */
  rugs: number[];
  /** by field of a rug that shows there alone: where its other half seems to lie */
  covered: Record<string, Direction>;
  /** for whoever is to turn Omar: who will walk him */
  walker?: number;
  /** and the ways he may be sent */
  ways?: Record<string, Way>;
  /** for whoever is to lay a rug: the area that each of the moves would make */
  areas?: number[];
}

/** S4: two players: the rug that is to be laid this turn, by its colour's initial. */
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

/** S11: Omar walked what the die showed, from `start` along `way` (see ways.py) to `at`, and found bare ground there, or somebody's rug. */
export interface OmarWalked {
  is: "omar_walked";
  seat: number;
  die: number;
  start: string;
  /** as he set out */
  faces: Direction;
  way: string;
  at: string;
  ground: "bare" | "own" | "other";
}

/** S13: a seat paid the owner of the area that Omar stopped on, as far as its purse went. */
export interface Paid {
  is: "paid";
  seat: number;
  to: number;
  owed: number;
  paid: number;
  /** its fields */
  area: string[];
}

/** S18: a rug came to lie on two fields, the one beside Omar first. */
export interface Laid {
  is: "laid";
  seat: number;
  colour: Initial;
  fields: [string, string];
  /** whose halves it covers, one by one */
  hides: number[];
  /** how large the area is that it is part of now */
  area: number;
}

/** S31: at the end: what everybody's points are made of. */
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

/** What is this game's own in what is said of its tables. */
export interface Game {
  position: SuleikaPosition;
  box: SuleikaBox;
  scene: SuleikaScene;
  fact: Fact;
}
