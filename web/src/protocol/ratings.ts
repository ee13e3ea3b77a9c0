// Written by `python -m souk.table.typescript` from souk/table/rating_protocol.py: change it there.

import type { GameTally } from "./study-protocol";

/** How strong somebody is in a game: the true number is within `off` of it in 19 of 20 cases. */
export interface RatingNow {
  rating: number;
  off: number;
  /** too few games say so */
  provisional: boolean;
}

/** Somebody on a leaderboard. */
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

/** GET /api/leaders/{game}: fifty at a time, the strongest first; those whose ratings are provisional are on a board of their own. */
export interface LeaderBoard {
  game: string;
  provisional: boolean;
  /** from 0 */
  page: number;
  pages: number;
  people: number;
  leaders: Leader[];
  /** my own place, on whichever page it is */
  mine: Leader | null;
  /** whether I am to be listed */
  listed: boolean;
}

/** A rating after one game. */
export interface RatedPoint {
  at: number;
  rating: number;
  off: number;
}

/** Somebody at a rated table; "" as the id of who has no profile to be seen. */
export interface Fellow {
  name: string;
  public: string;
  place: number;
}

/** A rated game of somebody's. */
export interface RatedGame {
  /** "" where it is no longer kept */
  table: string;
  /** it was played to its end, and can be looked back at */
  look: boolean;
  game: string;
  at: number;
  place: number;
  players: number;
  /** the rating */
  before: number;
  after: number;
  others: Fellow[];
}

/** What somebody has done in one game. */
export interface ProfileGame {
  game: string;
  now: RatingNow;
  games: number;
  wins: number;
  /** on the leaderboard, among the sure ones or among the others; 0 for whoever is not listed */
  place: number;
  history: RatedPoint[];
}

/** GET /api/people/{public}: what all may know of somebody who has played a rated game. It says nothing of other tables than rated ones. */
export interface Profile {
  public: string;
  name: string;
  mine: boolean;
  listed: boolean;
  games: ProfileGame[];
  recent: RatedGame[];
  /** luck and errors, where rated games have been looked back at */
  tallies: GameTally[];
}

/** POST /api/people/me/listed: whether I am shown on leaderboards, and my profile to others. The answer is my Profile. */
export interface SetListed {
  listed: boolean;
}

/** A seat of a rated table: the rating with which its person came, and the one they left with. */
export interface SeatRating {
  seat: number;
  public: string;
  before: RatingNow;
  /** once the game counts */
  after: RatingNow | null;
}

/** A step of a ladder: the bots of one level. */
export interface Rung {
  level: string;
  games: number;
  wins: number;
  climbed: boolean;
}

/** Of one game and number of players: rungs from the weakest bots to the strongest. Whoever wins often enough on their rung stands on the next. */
export interface Ladder {
  game: string;
  players: number;
  rungs: Rung[];
  /** the rung to be climbed next; as many as there are rungs where all are */
  at: number;
  /** wins that lead on, */
  needed: number;
  /** among the last so many games there; 0 for any */
  of: number;
  /** wins that count by now */
  near: number;
}

/** GET /api/ladder: mine, of all games. */
export interface Ladders {
  ladders: Ladder[];
}

/** GET /api/tables/{table}/ratings: what a table means for ratings, or for my ladder. */
export interface TableRatings {
  rated: boolean;
  /** the game is over, and its result is kept */
  counted: boolean;
  seats: SeatRating[];
  /** mine, where this game was on it */
  ladder: Ladder | null;
  /** and has led to the next rung */
  climbed: boolean;
}
