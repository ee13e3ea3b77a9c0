// Written by `python -m souk.server.protocol.typescript` from souk/games/bazaar/notation.py, souk/games/bazaar/board_info.py, souk/games/bazaar/facts.py: change it there.

import type { Ended } from "../types";
import type { AnyPosition } from "../../protocol/table";

/** Chips by colour: white, blue, green, red, yellow. */
export type Bag = number[];

export type Face = "white" | "blue" | "green" | "red" | "yellow" | "choice";

export interface StallNow {
  /** the visible ware, such as "WWWRR" */
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
  /** solitaire: rolls and trades */
  actions?: number;
}

export interface BazaarBox {
  /** The equations of every rate card, from number 1 on: both sides. */
  rates: [string, string][][];
  /** wares with a star */
  starred: string[];
  /** points by stars, and by chips left over up to 3 */
  values: number[][];
  /** chips a seat may hold at the end of a turn */
  limit: number;
  /** cards at the start */
  in_a_stall: number;
  /** of each colour */
  chips: number;
  /** solitaire */
  most_actions: number;
  /** whether two wares may be bought at once */
  double: boolean;
}

/** A stall's current stars, and the points of buying it if payable. Empty for an empty stall. */
export interface Prospect {
  stars?: number;
  points?: number;
}

export interface BazaarScene {
  /** the seat whose chips are considered */
  whose: number;
  /** By seat and stall: number of chips missing for the ware, null without a ware. */
  lack: (number | null)[][];
  stalls?: Prospect[];
  /** The seat's legal trades as a bit set: bit 2 × i for equation i of the ten in play from left to right, the next bit for right to left. */
  trades?: number;
  /** Trades after which the seat could buy, with the stalls and their points then. */
  reach?: Record<string, Record<string, number>>;
  /** Double purchases open to the seat, with the points of each ware. */
  pairs?: Record<string, number[]>;
  /** the seat that would pick the eleventh chip */
  picker?: number;
  /** minimum number until the bazaar closes */
  sales_left?: number;
  /** turns without a sale, likewise */
  quiet_left?: number;
}

/** Z3: a rate card was put in play. */
export interface RateDrawn {
  is: "rate_drawn";
  card: number;
}

/** Z5: a ware was turned up in a stall. */
export interface WareTurnedUp {
  is: "ware_turned_up";
  stall: number;
  ware: string;
}

/** Z6: the starting seat was drawn. */
export interface BeginnerDrawn {
  is: "beginner_drawn";
  seat: number;
}

/** Z10: a seat chose to roll. */
export interface Rolled {
  is: "rolled";
  seat: number;
}

/** Z10: the face of the die. */
export interface DieThrown {
  is: "die_thrown";
  seat: number;
  face: Face;
}

/** Z10: a chip came from the bank, by the die's colour or by choice. */
export interface ChipTaken {
  is: "chip_taken";
  seat: number;
  chip: string;
  by: "die" | "choice";
}

/** Z13: the bank has no chip of the colour rolled. */
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

/** Z12, Z20, Z21: a ware was bought. Its points by chips left over, plus those for its own star and for an empty stall. */
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
  /** solitaire: rolls and trades so far */
  actions: number;
}

/** Z12: a seat that could have bought kept its chips. */
export interface BoughtNothing {
  is: "bought_nothing";
  seat: number;
}

/** Z15: a seat's eleventh chip went back to the bank, picked by the neighbour (in solitaire by the player). */
export interface ChipReturned {
  is: "chip_returned";
  seat: number;
  chip: string;
  by: number;
}

/** Z30, Z32: the end: two stalls are empty, or too many turns without a sale. Solitaire: the ware is bought, or there were too many actions. */
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

/** The types of this game. */
export interface Game {
  position: BazaarPosition;
  box: BazaarBox;
  scene: BazaarScene;
  fact: Fact;
}
