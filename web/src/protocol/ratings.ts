// Written by `python -m souk.server.protocol.typescript` from souk/server/protocol/ratings.py: change it there.

import type { GameStats } from "./analysis";

export type Limited = "" | "short" | "repeated";

/** A rating in a game; the true one is within `off` of it in 19 of 20 cases. */
export interface RatingNow {
  rating: number;
  off: number;
  /** after few games */
  provisional: boolean;
}

/** A line of a leaderboard. */
export interface Leader {
  place: number;
  name: string;
  /** the id of their profile */
  public: string;
  now: RatingNow;
  games: number;
  wins: number;
  mine: boolean;
}

/** GET /api/leaders/{game}: fifty at a time, strongest first; provisional ratings have a board of their own. */
export interface LeaderBoard {
  game: string;
  provisional: boolean;
  /** from 0 */
  page: number;
  pages: number;
  people: number;
  leaders: Leader[];
  /** my own place, on whichever page */
  mine: Leader | null;
  /** whether I am listed */
  listed: boolean;
}

/** A rating after one game. */
export interface RatedPoint {
  at: number;
  rating: number;
  off: number;
}

/** An opponent; the id is "" without a public profile. */
export interface RatedOpponent {
  name: string;
  public: string;
  place: number;
}

/** A rated game of a profile. */
export interface RatedGame {
  /** "" if it was deleted */
  table: string;
  /** was played to its end and can be analysed */
  look: boolean;
  game: string;
  at: number;
  place: number;
  players: number;
  /** the rating */
  before: number;
  after: number;
  others: RatedOpponent[];
}

/** The results in one game. */
export interface ProfileGame {
  game: string;
  now: RatingNow;
  games: number;
  wins: number;
  /** on its leaderboard; 0 if not listed */
  place: number;
  history: RatedPoint[];
}

/** GET /api/people/{public}: public data of a person with a rated game. Says nothing of unrated tables. */
export interface Profile {
  public: string;
  name: string;
  mine: boolean;
  listed: boolean;
  games: ProfileGame[];
  recent: RatedGame[];
  /** luck and errors, if rated games were analysed */
  tallies: GameStats[];
}

/** POST /api/people/me/listed: whether leaderboards show me and others may see my profile. */
export interface SetListedOnLeaderboard {
  listed: boolean;
}

/** A seat of a rated table, with the ratings before and after. */
export interface SeatRating {
  seat: number;
  public: string;
  before: RatingNow;
  /** once the game is over, if it has changed */
  after: RatingNow | null;
}

/** A rung of a ladder: the bots of one level. */
export interface Rung {
  level: string;
  games: number;
  wins: number;
  climbed: boolean;
}

/** A game for a number of players: rungs from the weakest bots to the strongest. Enough wins on a rung lead to the next. */
export interface Ladder {
  game: string;
  players: number;
  rungs: Rung[];
  /** the current rung; the number of rungs if all are climbed */
  at: number;
  /** wins needed, */
  needed: number;
  /** among the last so many games there; 0 for any */
  of: number;
  /** wins that count so far */
  near: number;
}

/** GET /api/ladder: mine, of all games. */
export interface Ladders {
  ladders: Ladder[];
}

/** GET /api/tables/{table}/ratings: what a table means for ratings or for my ladder. */
export interface TableRatings {
  rated: boolean;
  /** the game is over and its result is stored */
  counted: boolean;
  seats: SeatRating[];
  /** mine, if this game was on it */
  ladder: Ladder | null;
  /** this game led to the next rung */
  climbed: boolean;
  /** why a rated game does not count in full */
  limited: Limited;
}
