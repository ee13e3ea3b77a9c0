// Written by `python -m souk.table.typescript` from souk/table/protocol.py: change it there.

export const VERSION = 2;
export const NOBODY = -1;

/** A message as JSON: [key, values]. */
export type Told = [string, Record<string, unknown>];

/** What every position says, as `to_json` gives it; the game's own fields come besides. */
export interface AnyPosition {
  game: string;
  players: number;
  options: Record<string, unknown>;
  phase: string;
  turn: number | null;
}

/** Who is to sit on a seat: "me", "here" (another person at this device), "link" (whoever opens the link) or "bot". */
export interface SeatWish {
  who: string;
  name?: string;
  /** of a bot, such as "vizier:quick" */
  level?: string;
}

/** POST /api/tables */
export interface NewTable {
  game: string;
  seats: SeatWish[];
  options?: Record<string, unknown>;
}

/** The answer: where the table is, and the secret of each seat that is offered by link (shown to whoever made it, once). */
export interface TableMade {
  table: string;
  invitations: Record<number, string>;
}

/** POST /api/tables/{table}/sit: take the seat that a link offers. */
export interface SitDown {
  secret: string;
  name: string;
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
  /** for somebody to open a link */
  waiting: boolean;
  /** it was played by other rules than today's, and can only be looked at */
  old: boolean;
  scores: number[];
  winners: number[];
  /** when something last happened there, in seconds since 1970 */
  changed: number;
}

/** GET /api/lobby */
export interface Lobby {
  version: number;
  /** in the order in which they are introduced */
  games: GameCard[];
  /** of bots */
  levels: string[];
  /** that bots may go by */
  names: string[];
  /** mine, the latest first */
  tables: TableCard[];
}

/** The first message on a socket, and again to look through another of one's seats. `after`: the last event already known, -1 for none. */
export interface Watch {
  do: "watch";
  version: number;
  after?: number;
  seat?: number | null;
}

/** Make a move. `after`: the last event that was known when it was made; refused where somebody was faster. */
export interface Move {
  do: "move";
  id: number;
  after: number;
  seat: number;
  move: string;
}

/** Whether a move would be allowed, and why not. Changes nothing. */
export interface Ask {
  do: "ask";
  id: number;
  seat: number;
  move: string;
}

/** Take the last move back, where nothing has followed it. */
export interface TakeBack {
  do: "take_back";
  id: number;
  after: number;
  seat: number;
}

/** Let a bot of this level play for a person who is away, until they return. */
export interface StandIn {
  do: "stand_in";
  id: number;
  seat: number;
  level: string;
}

/** Another game with the same seats, once this one is over. */
export interface Rematch {
  do: "rematch";
  id: number;
}

/** Whether the server is still there. */
export interface Ping {
  do: "ping";
  id: number;
}

export interface SeatNow {
  name: string;
  /** "person", "bot", or "free" while a link has not been used */
  kind: string;
  /** of a bot */
  level?: string;
  /** a person who is not connected */
  away?: boolean;
  /** the level of the bot that plays for them meanwhile */
  stand_in?: string;
  /** a bot that is still being prepared: until then another, simpler one plays for it */
  waking?: boolean;
  /** a bot that thinks for a shorter time than its level has, as many games are played at once */
  hurried?: boolean;
}

/** A position as one seat, or a spectator, may see it. */
export interface View<G extends OfGame = OfGame> {
  position: G["position"];
  actors: number[];
  /** my legal moves; the lowest few where there are very many */
  moves: string[];
  scores: number[];
  winners: number[];
  over: boolean;
  /** what the rules say about what lies on the table */
  scene: G["scene"];
  /** it holds choices that are not revealed yet */
  secret?: boolean;
  /** there are further legal moves (higher offers) */
  more?: boolean;
  can_take_back?: boolean;
}

/** An event in words, for the log. */
export interface LogLine {
  seq: number;
  /** null: dice and cards */
  seat: number | null;
  told: Told[];
  /** this event takes back the seat's last move before it */
  taken_back?: boolean;
}

/** What makes the dice provably fair: the digest of their seed, and once the game is over the seed. */
export interface DicePromise {
  digest: string;
  seed: string;
}

/** The answer to Watch: all there is to know. */
export interface TableNow<G extends OfGame = OfGame> {
  is: "table";
  version: number;
  table: string;
  game: string;
  /** what does not change in a game: arches, rate cards, … */
  box: G["box"];
  seats: SeatNow[];
  mine: number[];
  /** through whose eyes the view is, NOBODY for a spectator's */
  seat: number;
  /** of the last event */
  seq: number;
  /** those after the number that Watch named */
  lines: LogLine[];
  view: View<G>;
  dice: DicePromise;
  /** the table where it goes on */
  rematch: string;
  old: boolean;
}

/** The answer to Watch where today's rules cannot read what was played by others: the words that were told, without a board. Nothing follows it. */
export interface OldTable {
  is: "old";
  game: string;
  /** the version by which it was played */
  rules: number;
  names: string[];
  lines: LogLine[];
  over: boolean;
  scores: number[];
  winners: number[];
}

/** Something has happened. */
export interface Event<G extends OfGame = OfGame> {
  is: "event";
  seq: number;
  seat: number | null;
  /** what was played or came up; null where I may not know it */
  move: string | null;
  told: Told[];
  /** what it did: the way Omar walked, who paid whom, … */
  facts: G["fact"][];
  view: View<G>;
  /** this event takes back the seat's last move, which had this text */
  taken_back?: boolean;
}

/** Somebody sat down, left, came back. */
export interface Seats {
  is: "seats";
  seats: SeatNow[];
  mine: number[];
}

/** After the last event, and after TableNow where the game is over: where everybody's points came from, and the seed of the dice. */
export interface Result {
  is: "result";
  /** by seat: the source's name -> points */
  sources: Record<string, number>[];
  dice: DicePromise;
}

/** It goes on at another table; one's seats there are the same. */
export interface NextTable {
  is: "rematch";
  table: string;
}

/** The answer to Ping. */
export interface Pong {
  is: "pong";
  id: number;
}

/** A command was carried out, and is kept. */
export interface Done {
  is: "done";
  id: number;
  seq: number;
}

/** A command was not carried out, and nothing has changed. */
export interface Refused {
  is: "refused";
  /** null where it could not be read */
  id: number | null;
  reason: Told;
  clause: string | null;
}

/** The answer to Ask. */
export interface Answer {
  is: "answer";
  id: number;
  legal: boolean;
  reason: Told | null;
  clause: string | null;
}

/** What is a game's own in all this; its room says more about it. */
export interface OfGame {
  position: AnyPosition;
  box: object;
  scene: object;
  fact: { is: string };
}

export type Command =
  | Watch
  | Move
  | Ask
  | TakeBack
  | StandIn
  | Rematch
  | Ping;

export type Message<G extends OfGame = OfGame> =
  | TableNow<G>
  | OldTable
  | Event<G>
  | Seats
  | Result
  | NextTable
  | Done
  | Refused
  | Answer
  | Pong;
