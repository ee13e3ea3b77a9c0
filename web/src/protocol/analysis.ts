// Written by `python -m souk.server.protocol.typescript` from souk/analysis/study.py, souk/server/protocol/analysis.py: change it there.

import type { DieShown, Event, OfGame, SeatNow, Spoken, Told, View } from "./table";

/** A seat's game in five figures: start + luck + own + others == result. */
export interface Balance {
  start: number;
  luck: number;
  /** cost of its own mistakes, never above 0 */
  own: number;
  /** gain from the others' mistakes */
  others: number;
  result: number;
}

/** A finished game of mine. */
export interface PlayedGame {
  table: string;
  /** when it ended, in seconds since 1970 */
  changed: number;
  won: boolean;
  /** played by older rules: cannot be analysed */
  old?: boolean;
  /** of my seat, if it was analysed */
  balance?: Balance;
}

/** My wins: against bots, by the strongest level at the table, or "people", or "alone". */
export interface WonAgainst {
  level: string;
  games: number;
  wins: number;
}

/** A kind of move, by its first word or "secret": my number of moves and errors. */
export interface Mistake {
  kind: string;
  moves: number;
  inaccuracy: number;
  mistake: number;
  blunder: number;
  /** chances to win given away; alone, actions */
  lost: number;
}

/** Statistics of my games of one kind. */
export interface GameStats {
  game: string;
  /** then luck and errors are in actions, and nobody wins */
  alone: boolean;
  /** oldest first */
  played: PlayedGame[];
  /** strongest last */
  against: WonAgainst[];
  /** of analysed games, most errors first */
  slips: Mistake[];
}

/** The puzzles of a game on a day: solitaire puzzles of these grades, or a position with so many players. */
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

/** POST /api/puzzles: a puzzle after these moves; in a position the first is the answer. Stateless. */
export interface TryPuzzle {
  /** as in 2026-11-16, by the browser's clock */
  date: string;
  game: string;
  /** of a solitaire puzzle */
  grade?: string;
  moves?: string[];
  /** show the solution */
  give_up?: boolean;
}

/** A finished solitaire puzzle, with a shortest solution. */
export interface SoloDone {
  actions: number;
  best: number;
  stars: number;
  way: string[];
}

/** An evaluated move with its chance to win and standard error. */
export interface MoveCompared {
  move: string;
  told: Told;
  win: number;
  error: number;
}

/** The solution: all evaluated moves, best first, and why the best is better. */
export interface PuzzleAnswered {
  right: boolean;
  best: string;
  weighed: MoveCompared[];
  /** between the best and the next */
  gap: number;
  /** of the gap */
  error: number;
  /** 0 if everything is exact */
  playouts: number;
  /** about the best move, against the one played or else the next best */
  spoken: Spoken;
  /** the numbers in which they differ */
  said: Told[];
  said_of_other: Told[];
}

/** The answer to TryPuzzle. The solution follows once the puzzle is done, answered or given up. */
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
  /** of a solitaire puzzle: all that comes up */
  coming: string[];
  /** and how much of it has come up */
  used: number;
  done: SoloDone | null;
  answered: PuzzleAnswered | null;
}

/** A possible move. */
export interface OpenMove {
  move: string;
  /** its effects in words */
  told: Told[];
  /** its chance to win as far as searched; alone, the expected number of actions */
  win: number;
}

/** The analysis of an event. Alone, luck, gifts, loss and error are in actions (see `souk.analysis.study`). */
export interface AnalysedStep {
  /** null: a die or card */
  seat: number | null;
  /** "move", "secret" or "chance" */
  kind: string;
  /** chances to win */
  after: number[];
  luck: number[];
  /** what the mover gave away, and to whom */
  gifts: number[];
  /** its importance */
  weight?: number;
  loss?: number;
  /** the standard error of the loss */
  error?: number;
  /** "inaccuracy", "mistake" or "blunder" */
  mark?: string;
  /** what was played */
  move?: string;
  /** the best move, if it is another */
  best?: string;
  /** its effects in words */
  better?: Told[];
  /** the best move in a few words */
  name?: Told;
  /** why it is better */
  spoken?: Spoken;
  /** numbers about it */
  reasons?: Told[];
  /** how often each secret choice should be made */
  mix?: Record<string, number>;
  /** the best moves and the one played */
  considered?: OpenMove[];
  exact?: boolean;
  /** not analysed yet; until then it changes nothing */
  unseen?: boolean;
}

/** The analysis of a game. Accuracy needs all events; analyses by earlier versions have none. */
export interface AnalysisView {
  /** chances to win before the first event */
  start: number[];
  seats: Balance[];
  /** one for every event */
  steps: AnalysedStep[];
  /** by seat, from 0 to 1; null if nothing was at stake */
  accuracy?: (number | null)[];
}

/** The progress of an analysis. The page polls until it is complete. */
export interface AnalysisStatus {
  /** of the results */
  version: string;
  done: number;
  of: number;
  /** for each decision, at the end; 0 if all is exact */
  playouts: number;
  /** the next number of playouts; 0 for none */
  deeper?: number;
  /** estimated seconds until it can begin, as its kernels are being compiled */
  waking?: number;
  /** other games in the queue */
  before?: number;
  /** null if there is nothing yet, or the page knows this version */
  study?: AnalysisView;
}

/** POST /api/tables/{table}/study */
export interface DeepenAnalysis {
  playouts: number;
}

/** POST /api/studies: analyse a game from a file, which is kept for an hour. */
export interface AnalysisUpload {
  record: string;
}

/** Its id, or the error in the file. */
export interface UploadAccepted {
  /** for /look/ID */
  id?: string;
  fault?: Told;
}

/** Some events of a finished game, each with the view of a spectator. */
export interface Replay<G extends OfGame = OfGame> {
  game: string;
  box: G["box"];
  seats: SeatNow[];
  mine: number[];
  /** number of events */
  of: number;
  /** number of the first event here */
  first: number;
  events: Event<G>[];
  /** before the first event, if that is here */
  start?: View<G>;
  printed?: DieShown;
  /** from a file, not a table */
  file?: boolean;
}

/** POST /api/positions/check: show or check a position that is being set up. Nothing is stored. */
export interface CheckPosition {
  game: string;
  /** null: the initial one */
  position?: Record<string, unknown>;
  /** of the initial position */
  players?: number;
}

/** POST /api/positions/advise: advice for a seat that has to move. The answer is Advice. */
export interface AdvisePosition {
  game: string;
  position: Record<string, unknown>;
  seat: number;
}

/** The answer to CheckPosition. */
export interface PositionChecked<G extends OfGame = OfGame> {
  /** with all fields; {} if it is wrong */
  position: Record<string, unknown>;
  /** for the seat to move */
  view: View<G> | null;
  box: G["box"] | null;
  players: number;
  /** the error */
  fault: Told | null;
}

/** GET /api/me: from my latest hundred games played from beginning to end on one seat. */
export interface MyStats {
  /** most played first */
  games: GameStats[];
}
