// Written by `python -m souk.table.typescript` from souk/games/bazaar/notation.py, souk/games/bazaar/scene.py, souk/games/bazaar/facts.py: change it there.

import type { Ended } from "../types";
import type { AnyPosition } from "../../protocol";

/** Chips by colour: white, blue, green, red, yellow. */
export type Bag = number[];

export type Face = "white" | "blue" | "green" | "red" | "yellow" | "choice";

export interface StallNow {
  /** the ware to be seen, such as "WWWRR" */
  top: string | null;
  /** cards in the stall, the top one included */
  left: number;
}

export interface BazaarPosition extends AnyPosition {
  game: "bazaar";
  phase: "rates" | "stalls" | "first" | "act" | "die" | "choice" | "buy" | "reveal" | "return" | "over";
  turn: number | null;
  chips: Bag[];
  bank: Bag;
  points: number[];
  /** cards, by seat */
  bought: number[];
  rates: number[];
  stalls: StallNow[];
  /** all wares turned up */
  seen: string[];
  turns_without_purchase: number;
  /** alone: rolls and trades */
  actions?: number;
}

export interface BazaarBox {
  /** the equations of every rate card, from number 1 on: both sides */
  rates: [string, string][][];
  /** the wares with a star */
  starred: string[];
  /** points by stars, and by chips left over up to 3 */
  values: number[][];
  /** chips a seat may hold at the end of a turn */
  limit: number;
  /** cards at the start */
  in_a_stall: number;
  /** of each colour */
  chips: number;
  /** alone */
  most_actions: number;
  /** whether two wares may be bought at once */
  double: boolean;
}

/** Of a stall: the stars that count now, and the points of a purchase where one could pay. Nothing of an empty one. */
export interface Prospect {
  stars?: number;
  points?: number;
}

export interface BazaarScene {
  /** whose chips it is about */
  whose: number;
  /** by seat and stall: how many chips are missing for the ware, null where none lies there */
  lack: (number | null)[][];
  stalls?: Prospect[];
  /** those open to one as a set: bit 2 × i for equation i of the ten in play from left to right, the next for the way back */
  trades?: number;
  /** the trades after which one could buy, with the stalls and their points then */
  reach?: Record<string, Record<string, number>>;
  /** the double purchases open to one now, with the points of each ware */
  pairs?: Record<string, number[]>;
  /** who would pick the eleventh chip */
  picker?: number;
  /** at least, before the bazaar closes */
  sales_left?: number;
  /** turns without a sale, likewise */
  quiet_left?: number;
}

/** Z3: a rate card is in play. */
export interface RateDrawn {
  is: "rate_drawn";
  card: number;
}

/** Z5: a ware came to light in a stall. */
export interface WareTurnedUp {
  is: "ware_turned_up";
  stall: number;
  ware: string;
}

/** Z6: it was drawn by lot who begins. */
export interface BeginnerDrawn {
  is: "beginner_drawn";
  seat: number;
}

/** Z10: a seat chose to roll. */
export interface Rolled {
  is: "rolled";
  seat: number;
}

/** Z10: what the die showed. */
export interface DieThrown {
  is: "die_thrown";
  seat: number;
  face: Face;
}

/** Z10: a chip came from the bank, because the die showed its colour or because it was chosen. */
export interface ChipTaken {
  is: "chip_taken";
  seat: number;
  chip: string;
  by: "die" | "choice";
}

/** Z13: the die showed a colour of which the bank has no chip. */
export interface BankOut {
  is: "bank_out";
  seat: number;
  chip: string;
}

/** Z11: chips were exchanged at one of the rates. */
export interface Traded {
  is: "traded";
  seat: number;
  gives: string;
  gets: string;
}

/** Z12, Z20, Z21: a ware was bought. Its points: by the chips left over, what its own star adds, what an empty stall adds. */
export interface Sold {
  is: "sold";
  seat: number;
  stall: number;
  ware: string;
  /** chips left over */
  rest: number;
  points: number;
  plain: number;
  star: number;
  empty_stall: number;
  /** alone: rolls and trades so far */
  actions: number;
}

/** Z12: a seat that could have bought kept its chips. */
export interface BoughtNothing {
  is: "bought_nothing";
  seat: number;
}

/** Z15: the eleventh chip of a seat went back to the bank, picked by a neighbour (alone by oneself). */
export interface ChipReturned {
  is: "chip_returned";
  seat: number;
  chip: string;
  by: number;
}

/** Z30, Z32: the end: two stalls are empty, or nobody has bought for too long; alone: the ware is bought, or there were too many actions. */
export interface BazaarClosed {
  is: "bazaar_closed";
  why: "stalls" | "quiet" | "ware" | "actions";
}

export type Fact =
  | RateDrawn
  | WareTurnedUp
  | BeginnerDrawn
  | Rolled
  | DieThrown
  | ChipTaken
  | BankOut
  | Traded
  | Sold
  | BoughtNothing
  | ChipReturned
  | BazaarClosed
  | Ended;

/** What is this game's own in what is said of its tables. */
export interface Game {
  position: BazaarPosition;
  box: BazaarBox;
  scene: BazaarScene;
  fact: Fact;
}
