// Written by `python -m souk.table.typescript` from souk/games/basari_cards/notation.py, souk/games/basari_cards/scene.py, souk/games/basari_cards/facts.py: change it there.

import type { Gems, HagglingBox, HagglingFact, HagglingPosition, HagglingScene } from "../haggling/types";
import type { Ended } from "../types";
import type { AnyPosition } from "../../protocol";

export interface CardsPosition extends AnyPosition, HagglingPosition {
  game: "basari-cards";
  phase: "deal" | "choose" | "haggle" | "draw" | "give" | "take" | "over";
  workers: number[];
  /** by seat: the card dealt this round, such as "2/5/RYBB" */
  cards: (string | null)[];
  /** all cards turned up in this deal */
  seen: string[];
  deals: number;
}

export interface CardsBox extends HagglingBox {
  actions: string[];
  /** that are enough */
  workers: number;
  workers_points: number;
  cards: number;
  deals: number;
}

export interface CardsScene extends HagglingScene {
  /** how many of its cards show 1, 2, 3 and 4 workers */
  pile?: number[];
  /** the pile is empty, so that the action for another card brings nothing */
  no_card?: boolean;
  /** how many gems whoever exchanges may take */
  take?: number;
}

/** K10, K13: a card was dealt to a seat, or drawn by it for action A, and its workers are the seat's. */
export interface CardTurnedUp {
  is: "card_turned_up";
  seat: number;
  card: string;
  workers: number;
  points: number;
  gems: Gems;
  drawn: boolean;
}

/** K31: gems went back to the supply. */
export interface GemsReturned {
  is: "gems_returned";
  seat: number;
  gems: Gems;
}

/** K17, K33: an action was carried out for nothing: A, as the pile is empty; B or C, as the seat has no card; D, as the supply is empty. */
export interface CameToNothing {
  is: "came_to_nothing";
  seat: number;
  action: string;
}

/** K40: somebody has enough workers, so the deal is scored. */
export interface DealEnded {
  is: "deal_ended";
  /** from 1 */
  number: number;
}

/** K43: points for enough workers. */
export interface WorkersScored {
  is: "workers_scored";
  seat: number;
  points: number;
}

export type Fact =
  | HagglingFact
  | CardTurnedUp
  | GemsReturned
  | CameToNothing
  | DealEnded
  | WorkersScored
  | Ended;

/** What is this game's own in what is said of its tables. */
export interface Game {
  position: CardsPosition;
  box: CardsBox;
  scene: CardsScene;
  fact: Fact;
}
