// Written by `python -m souk.server.protocol.typescript` from souk/games/basari_cards/notation.py, souk/games/basari_cards/board_info.py, souk/games/basari_cards/facts.py: change it there.

import type { BasariCommonFact, Gems, HagglingBox, HagglingPosition, HagglingScene } from "../basari-common/types";
import type { Ended } from "../types";
import type { AnyPosition } from "../../protocol/table";

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
  /** enough to end a deal */
  workers: number;
  workers_points: number;
  cards: number;
  deals: number;
}

export interface CardsScene extends HagglingScene {
  /** number of its cards with 1, 2, 3 and 4 workers */
  pile?: number[];
  /** the pile is empty, so drawing a card brings nothing */
  no_card?: boolean;
  /** gems the exchanging seat may take */
  take?: number;
}

/** K10, K13: a card was dealt to a seat, or drawn for action A; the seat gets its workers. */
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

/** K17, K33: an action brought nothing. A: the pile is empty; B, C: the seat has no card; D: the supply is empty. */
export interface CameToNothing {
  is: "came_to_nothing";
  seat: number;
  action: string;
}

/** K40: a seat has enough workers, so the deal is scored. */
export interface DealEnded {
  is: "deal_ended";
  number: number;
}

/** K43: points for enough workers. */
export interface WorkersScored {
  is: "workers_scored";
  seat: number;
  points: number;
}

export type Fact =
  | BasariCommonFact
  | CardTurnedUp
  | GemsReturned
  | CameToNothing
  | DealEnded
  | WorkersScored
  | Ended;

/** The types of this game. */
export interface Game {
  position: CardsPosition;
  box: CardsBox;
  scene: CardsScene;
  fact: Fact;
}
