// Written by `python -m souk.server.protocol.typescript` from souk/server/protocol/lobby.py: change it there.

import type { BoxPart } from "../games/types";
import type { ClockTerms, Told } from "./table";

/** Who gets a seat: "me", "here" (another person at this device), "link" (by a link of its own), "open" (first come, by the table's address) or "bot". */
export interface SeatRequest {
  who: string;
  name?: string;
  /** of a bot, such as "vizier:quick" */
  level?: string;
}

/** A start position: after the first `step` events of a finished game, or `position`. */
export interface StartFrom {
  table?: string;
  step?: number;
  /** as `to_json` gives it */
  position?: Record<string, unknown>;
  /** mine, if no seats are given; bots take the others as they sat there */
  seat?: number;
  /** mine */
  name?: string;
}

/** POST /api/tables */
export interface NewTable {
  game: string;
  /** may be empty with `from` */
  seats: SeatRequest[];
  /** with `from` those of the position */
  options?: Record<string, unknown>;
  /** to a share of the dice (docs/play/fair-dice.md) */
  commitment?: string;
  /** only for me against bots, and unrated */
  from?: StartFrom;
  /** null: no clock */
  clock?: ClockTerms;
  /** level of the bots that take open seats; "" for the default */
  fill?: string;
  /** people may write free text; otherwise there are phrases */
  free_talk?: boolean;
  /** counts for ratings (docs/play/ratings.md): people only, default options, a clock */
  rated?: boolean;
  /** listed in the lobby, with open seats for everybody; not with free chat */
  public?: boolean;
}

/** POST /api/lessons: continue my lesson in a game, or start one; `again`: start over. The answer is TableCreated. */
export interface StartLesson {
  game: string;
  name?: string;
  again?: boolean;
}

/** The new table, and the secrets of the seats offered by link, shown once to the host. */
export interface TableCreated {
  table: string;
  invitations: Record<number, string>;
}

/** POST /api/tables/{table}/invitation: ask whether a link still offers its seat. Changes nothing. */
export interface RequestInvitation {
  secret: string;
}

/** The answer to RequestInvitation. */
export interface Invited {
  seat: number;
  state: "free" | "mine" | "taken";
}

/** POST /api/tables/{table}/sit: take the seat of a link, or an open one if `secret` is "". */
export interface TakeSeat {
  secret: string;
  name: string;
  /** to a share of the dice */
  commitment?: string;
}

export interface SeatTaken {
  table: string;
  seat: number;
}

/** The answer to a refused request. */
export interface Refusal {
  reason: Told;
}

export interface LanguageCard {
  code: string;
  /** in the language itself */
  name: string;
  /** of its texts: /languages/{code}.json?v={digest} never changes */
  digest: string;
}

/** GET /languages.json */
export interface Languages {
  languages: LanguageCard[];
}

/** A game in the lobby. */
export interface GameCard {
  game: string;
  players: number[];
  /** the default number of players */
  usual: number;
  /** by number of players: every option with its default */
  options: Record<string, Record<string, unknown>>;
  /** by option: the values to choose from, if they need a picture */
  choices: Record<string, unknown>;
  /** has a guided first game */
  lesson: boolean;
  /** the option that takes the text of a custom data file; "" if there is none */
  own_box: string;
}

/** GET /api/boxes/{game}: the fields of a custom box, filled with our data. */
export interface CustomBoxForm {
  game: string;
  option: string;
  parts: BoxPart[];
  text: string;
  /** by part: the entries of the text */
  entries: Record<string, string[]>;
}

/** POST /api/boxes/check: check a data file that is being typed. Nothing is stored. */
export interface CheckCustomBox {
  game: string;
  text: string;
}

/** An error in a line, and in an entry of a part if it is about one. */
export interface CustomBoxError {
  line: number;
  /** "" if it is about none */
  part: string;
  entry: number | null;
  said: Told;
}

/** The answer to CheckCustomBox. */
export interface CustomBoxChecked {
  about: string;
  /** by part: as many as needed, "" for missing ones */
  entries: Record<string, string[]>;
  /** by part: the number of missing entries */
  missing: Record<string, number>;
  faults: CustomBoxError[];
  /** the normalised file, once it is complete */
  text: string;
  /** then: the values of options, as in GameCard */
  choices: Record<string, unknown>;
}

/** One of my tables. */
export interface TableCard {
  table: string;
  game: string;
  /** names */
  seats: string[];
  mine: number[];
  over: boolean;
  my_turn: boolean;
  /** has not begun: people are missing */
  waiting: boolean;
  /** played by older rules: can only be viewed */
  old: boolean;
  scores: number[];
  winners: number[];
  /** when something last happened, in seconds since 1970 */
  changed: number;
  /** a guided first game; over once it has been completed */
  lesson: boolean;
  /** continued from another game or position */
  branch: boolean;
  /** by me */
  resigned: boolean;
  /** may be taken off my list: nobody waits for me there */
  removable: boolean;
  rated: boolean;
}

/** GET /api/tables: a page of my tables, running ones first, then finished ones, each latest first. */
export interface TableList {
  tables: TableCard[];
  /** for ?after=…; "" on the last page */
  next: string;
}

/** POST /api/tables/{table}/hide: take a table off my list, or put it back. Others' lists stay. */
export interface HideTable {
  hidden: boolean;
}

/** The answer to HideTable. */
export interface TableHidden {
  table: string;
  hidden: boolean;
}

/** GET /api/lobby */
export interface Lobby {
  version: number;
  /** in the order in which they are introduced */
  games: GameCard[];
  /** of bots */
  levels: string[];
  /** for bots, by seat, fitting the figure drawn there */
  names: string[][];
  /** mine: running ones, then finished ones, each latest first */
  tables: TableCard[];
  /** by the host */
  announcement: string;
  /** I have more tables than these */
  more: boolean;
  /** this server has a public lobby */
  public: boolean;
}

/** The answer to POST /api/forget: my name and cookie are gone from all tables. */
export type AccountDeleted = object;

/** POST /api/forget */
export type DeleteAccount = object;

/** The server's public key for push services, in base64 as browsers want it. */
export interface PushKey {
  key: string;
}

/** POST /api/push: notify this browser when it is my turn. Fields as its push service names them. */
export interface PushSubscribe {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
}

/** POST /api/push/end: stop notifications. */
export interface PushUnsubscribe {
  endpoint: string;
}
