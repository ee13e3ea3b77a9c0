// Written by `python -m souk.table.typescript` from souk/table/lobby_protocol.py: change it there.

import type { BoxPart } from "./games/types";
import type { ClockTerms, Told } from "./protocol";

/** Who is to sit on a seat: "me", "here" (another person at this device), "link" (whoever opens a link of its own), "open" (whoever opens the table's address and is first) or "bot". */
export interface SeatWish {
  who: string;
  name?: string;
  /** of a bot, such as "vizier:quick" */
  level?: string;
}

/** Where a table begins that does not begin as its game does: after the first `step` events of a game that is over, or at a position. */
export interface Elsewhere {
  table?: string;
  step?: number;
  /** as `to_json` gives it */
  position?: Record<string, unknown>;
  /** mine, where no seats are given: then the others are bots, as they sat there */
  seat?: number;
  /** and mine */
  name?: string;
}

/** POST /api/tables */
export interface NewTable {
  game: string;
  /** may be empty with `from` */
  seats: SeatWish[];
  /** with `from` those of the position */
  options?: Record<string, unknown>;
  /** to a share in the dice (docs/fair-dice.md); who sends none has none */
  commitment?: string;
  /** for me against bots, and no game that counts */
  from?: Elsewhere;
  /** null: everybody takes the time they want */
  clock?: ClockTerms;
  /** the level of bots that take open seats which nobody took; "" for the usual */
  fill?: string;
  /** people may write what they like to each other; else there are phrases */
  free_talk?: boolean;
  /** it counts for ratings (docs/ratings.md): people only, usual options, a clock */
  rated?: boolean;
  /** everybody in the lobby sees it, and may sit on its open seats; not with free talk */
  public?: boolean;
}

/** POST /api/lessons: go on with my lesson in a game, or begin one; `again`: from its beginning in any case. The answer is TableMade. */
export interface Learn {
  game: string;
  name?: string;
  again?: boolean;
}

/** The answer: where the table is, and the secret of each seat that is offered by link (shown to whoever made it, once). */
export interface TableMade {
  table: string;
  invitations: Record<number, string>;
}

/** POST /api/tables/{table}/invitation: whether a link still offers its seat. Changes nothing. */
export interface AskInvitation {
  secret: string;
}

/** The answer to AskInvitation. */
export interface Invited {
  seat: number;
  state: "free" | "mine" | "taken";
}

/** POST /api/tables/{table}/sit: take the seat that a link offers or, where `secret` is "", one that is open to all. */
export interface SitDown {
  secret: string;
  name: string;
  /** to a share in the dice */
  commitment?: string;
}

export interface Seated {
  table: string;
  seat: number;
}

/** The answer to a question over HTTP that is refused. */
export interface Refusal {
  reason: Told;
}

export interface LanguageCard {
  code: string;
  /** in its own words */
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
  /** how many play where nobody says otherwise */
  usual: number;
  /** by number of players: every option that can be set, with its default */
  options: Record<string, Record<string, unknown>>;
  /** by option: what there is to choose from, where one has to see it */
  choices: Record<string, unknown>;
  /** there is a guided first game */
  lesson: boolean;
  /** the option that takes a box of one's own, as the text of its data file; "" where there is none */
  own_box: string;
}

/** GET /api/boxes/{game}: what there is to type in of one's own box, and what we have there, as a data file. */
export interface BoxSheet {
  game: string;
  option: string;
  parts: BoxPart[];
  text: string;
  /** by part: the same, one by one */
  entries: Record<string, string[]>;
}

/** POST /api/boxes/check: what is wrong with a data file that somebody is typing. Nothing is kept. */
export interface CheckBox {
  game: string;
  text: string;
}

/** Something is wrong with a line; where it is about an entry of a part, with that. */
export interface BoxFault {
  line: number;
  /** "" where it is about none */
  part: string;
  entry: number | null;
  said: Told;
}

/** The answer to CheckBox. */
export interface BoxChecked {
  about: string;
  /** by part: as many as there must be, "" for those still to come */
  entries: Record<string, string[]>;
  /** by part: how many are still to come */
  missing: Record<string, number>;
  faults: BoxFault[];
  /** the same in as few words as it needs, once one can play with it */
  text: string;
  /** then: what options are chosen from, as in GameCard */
  choices: Record<string, unknown>;
}

/** A table among mine. */
export interface TableCard {
  table: string;
  game: string;
  /** names */
  seats: string[];
  mine: number[];
  over: boolean;
  my_turn: boolean;
  /** it has not begun: somebody is still to come */
  waiting: boolean;
  /** it was played by other rules than today's, and can only be looked at */
  old: boolean;
  scores: number[];
  winners: number[];
  /** when something last happened there, in seconds since 1970 */
  changed: number;
  /** a guided first game; over once it has been gone through */
  lesson: boolean;
  /** it was played on from elsewhere */
  branch: boolean;
  /** I have */
  resigned: boolean;
  /** it may be taken off my list: nobody else waits for me there */
  removable: boolean;
  rated: boolean;
}

/** GET /api/tables: my tables, those that go on first, then those that are over, the latest first; so many at a time. */
export interface TableList {
  tables: TableCard[];
  /** to be asked for with ?after=…; "" where these were the last */
  next: string;
}

/** POST /api/tables/{table}/hide: take a table off my list, or put it there again. It stays in the others' lists. */
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
  /** that bots may go by: by seat, those that fit the figure drawn there */
  names: string[][];
  /** mine: those that go on, then those that are over, the latest first */
  tables: TableCard[];
  /** of the host */
  announcement: string;
  /** I have more tables than these */
  more: boolean;
  /** this house has a public lobby: tables may be made public */
  public: boolean;
}

/** The answer to POST /api/forget with `{}`: one's name, and what one is known by, is gone from all tables. */
export type Forgotten = object;

/** POST /api/forget */
export type ForgetMe = object;

/** The server's public key, by which push services know it: base64 as a browser wants it. */
export interface PushKey {
  key: string;
}

/** POST /api/push: call me at this browser when it is my turn. As its push service names it, keys as base64. */
export interface CallMe {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
}

/** POST /api/push/end: no longer. */
export interface CallMeNot {
  endpoint: string;
}
