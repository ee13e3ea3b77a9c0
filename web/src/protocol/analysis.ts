// Written by `python -m souk.table.typescript` from souk/study/study.py, souk/table/study_protocol.py: change it there.

import type { Event, OfGame, Printed, SeatNow, Told, View } from "./protocol";

/** A seat's game in five figures: start + luck + own + others == result. */
export interface Balance {
  start: number;
  luck: number;
  /** what its own errors cost it: never above 0 */
  own: number;
  /** what the others' errors brought it */
  others: number;
  result: number;
}

/** A finished game of mine. */
export interface PlayedGame {
  table: string;
  /** when it ended, in seconds since 1970 */
  changed: number;
  won: boolean;
  /** it was played by other rules than today's, and cannot be looked back at */
  old?: boolean;
  /** of my seat, where somebody has looked back at it */
  balance?: Balance;
}

/** How often I have won: against bots of a level as the strongest at the table, or "people", or "alone". */
export interface WonAgainst {
  level: string;
  games: number;
  wins: number;
}

/** A kind of move, by the word that it begins with, or "secret": how many I have made, and how many of them were errors. */
export interface Slip {
  kind: string;
  moves: number;
  inaccuracy: number;
  mistake: number;
  blunder: number;
  /** what they gave away together: chances to win, or alone actions */
  lost: number;
}

/** What my games of one kind add up to. */
export interface GameTally {
  game: string;
  /** then luck and errors are in actions, and nobody wins */
  alone: boolean;
  /** the eldest first */
  played: PlayedGame[];
  /** the strongest last */
  against: WonAgainst[];
  /** of games that were looked back at: the kind with most errors first */
  slips: Slip[];
}

/** A game's puzzles of a day: errands of these grades, or, where there are none, a position with so many players. */
export interface PuzzleCard {
  game: string;
  grades: string[];
  players: number;
}

/** GET /api/puzzles/{date} */
export interface PuzzleDay {
  date: string;
  cards: PuzzleCard[];
}

/** POST /api/puzzles: a puzzle after these moves, of which in a position the first is the answer. The server keeps nothing of it. */
export interface TryPuzzle {
  /** as in 2026-11-16, by the clock of whoever asks */
  date: string;
  game: string;
  /** of an errand */
  grade?: string;
  moves?: string[];
  /** tell the answer */
  give_up?: boolean;
}

/** How an errand was done, and a shortest way to do it. */
export interface SoloDone {
  actions: number;
  best: number;
  stars: number;
  way: string[];
}

/** A move that was looked at, as text and in words: the chance to win that it leaves, with its standard error. */
export interface MoveWeighed {
  move: string;
  told: Told;
  win: number;
  error: number;
}

/** What there is to say about an answer: all moves that were looked at, the best first, and what speaks for that one. */
export interface PuzzleAnswered {
  right: boolean;
  best: string;
  weighed: MoveWeighed[];
  /** between the best and the next */
  gap: number;
  /** of the gap */
  error: number;
  /** 0 where everything is exact */
  playouts: number;
  /** of the best move, where it differs from the one that was played, or else from the next */
  said: Told[];
  said_of_other: Told[];
}

/** The answer to TryPuzzle. What it is all about is told once the errand is done, the question answered, or given up. */
export interface PuzzleNow<G extends OfGame = OfGame> {
  date: string;
  game: string;
  grade: string;
  box: G["box"];
  seats: SeatNow[];
  seat: number;
  view: View<G>;
  /** of the last move */
  events: Event<G>[];
  /** of an errand: all that comes up */
  coming: string[];
  /** and how much of it has */
  used: number;
  done: SoloDone | null;
  answered: PuzzleAnswered | null;
}

/** A move that there was. */
export interface OpenMove {
  move: string;
  /** in words, as if it had been made */
  told: Told[];
  /** the chance to win with it, as far as the search has seen; alone the actions it comes to in the end */
  win: number;
}

/** What there is to be said about an event. Alone luck, gifts, loss and error are in actions (see `souk.study.study`). */
export interface Turning {
  /** null: a die or card */
  seat: number | null;
  /** "move", "secret" or "chance" */
  kind: string;
  /** everybody's chance to win */
  after: number[];
  luck: number[];
  /** what the mover gave away, and who was given it */
  gifts: number[];
  /** how much it mattered */
  weight?: number;
  loss?: number;
  /** the standard error of that */
  error?: number;
  /** "inaccuracy", "mistake" or "blunder" */
  mark?: string;
  /** what was played */
  move?: string;
  /** the best move there was, where that is another */
  best?: string;
  /** it in words */
  better?: Told[];
  /** what speaks for it */
  reasons?: Told[];
  /** how often each of the secret choices should be made */
  mix?: Record<string, number>;
  /** the best few, and what was played */
  considered?: OpenMove[];
  exact?: boolean;
  /** it has not been looked at yet: until then it changes nothing */
  unseen?: boolean;
}

/** A game looked back at. Its accuracy is told once every event has been looked at; studies kept by earlier versions have none. */
export interface Lookback {
  /** everybody's chance to win before the first event */
  start: number[];
  seats: Balance[];
  /** one for every event */
  steps: Turning[];
  /** how well everybody chose, from 0 to 1; null where nothing was at stake */
  accuracy?: (number | null)[];
}

/** How far looking back at a game has come. A page asks again until all is done. */
export interface LookedBack {
  /** of what has been found out */
  version: string;
  done: number;
  of: number;
  /** for each decision, once all is done; 0 where all is known exactly */
  playouts: number;
  /** the playouts that can be asked for next; 0 for none */
  deeper?: number;
  /** about how many seconds until it can begin: what it thinks with is being compiled */
  waking?: number;
  /** other games that are being looked back at */
  before?: number;
  /** null where there is nothing yet, or the page knows this version */
  study?: Lookback;
}

/** POST /api/tables/{table}/study */
export interface LookDeeper {
  playouts: number;
}

/** POST /api/studies: look back at a game that somebody has as a file. It is kept for an hour. */
export interface StudyFile {
  record: string;
}

/** Where it is, or what is wrong with it. */
export interface FileTaken {
  /** by which it is looked at: /look/ID */
  id?: string;
  fault?: Told;
}

/** Some of the events of a game that is over, each with the view that a spectator had after it. */
export interface Replay<G extends OfGame = OfGame> {
  game: string;
  box: G["box"];
  seats: SeatNow[];
  mine: number[];
  /** events in all */
  of: number;
  /** the number of the first event here */
  first: number;
  events: Event<G>[];
  /** before the first event of the game, where that is the first here */
  start?: View<G>;
  printed?: Printed;
  /** it is no table's, but somebody's file */
  file?: boolean;
}

/** POST /api/positions/check: what a position looks like that somebody is setting up, or what is wrong with it. Nothing is kept. */
export interface CheckPosition {
  game: string;
  /** null: as the game begins */
  position?: Record<string, unknown>;
  /** then with so many */
  players?: number;
}

/** POST /api/positions/advise: what a seat that is to move could do there. The answer is Advice. */
export interface AdvisePosition {
  game: string;
  position: Record<string, unknown>;
  seat: number;
}

/** The answer to CheckPosition. */
export interface PositionChecked<G extends OfGame = OfGame> {
  /** with all its fields; {} where something is wrong */
  position: Record<string, unknown>;
  /** as whoever is to move sees it */
  view: View<G> | null;
  box: G["box"] | null;
  players: number;
  /** what is wrong with it */
  fault: Told | null;
}

/** GET /api/me: of whoever asks, and of the newest hundred games that they have played from beginning to end on one seat. */
export interface MyNumbers {
  /** the one played most first */
  games: GameTally[];
}
