// Written by `python -m souk.table.typescript` from souk/table/evening_protocol.py: change it there.

import type { ClockTerms } from "./protocol";

export type EveningForm = "round_robin" | "swiss" | "knock_out";

export type EveningState = "open" | "playing" | "between" | "over";

export type Steering = "start" | "next" | "end_round" | "finish" | "delete" | "bots" | "remove";

export type Outcome = "" | "played" | "stood" | "level" | "bye";

/** How an evening is played. */
export interface EveningTerms {
  form: EveningForm;
  /** by round, again from the first where they are through */
  games: string[];
  /** of a table, as near as the number of people allows */
  size: number;
  /** of every table: so that it ends */
  clock: ClockTerms;
  /** 0: as many as it needs. A knock-out has as many as it takes */
  rounds?: number;
  /** knock-out: how many of each table go on */
  advance?: number;
  /** after which a round is ended, and unfinished tables count as they stand; 0 for never */
  minutes?: number;
  /** seconds between rounds; null: until the host goes on */
  pause?: number | null;
}

/** POST /api/events */
export interface NewEvening {
  name: string;
  terms: EveningTerms;
  /** that take part from the beginning */
  bots?: number;
  /** theirs */
  level?: string;
}

export interface EveningMade {
  evening: string;
}

/** POST /api/events/{event}/join: take part. Who does already is told so. */
export interface JoinEvening {
  name: string;
}

/** POST /api/events/{event}/leave: take part no longer. At a table that is being played a bot plays on. */
export type LeaveEvening = object;

/** POST /api/events/{event}/host: whoever has the host's secret is the host. */
export interface ClaimEvening {
  secret: string;
}

/** POST /api/events/{event}/steer, by the host: `bots` of a level come, somebody is to be removed (by number), or one of the other things. */
export interface SteerEvening {
  do: Steering;
  number?: number;
  count?: number;
  level?: string;
}

/** What an evening is to whoever asks. */
export interface EveningMe {
  /** theirs, where they take part */
  number: number | null;
  host: boolean;
  /** the evening has been deleted */
  gone: boolean;
}

/** Somebody who takes part. */
export interface EveningEntrant {
  number: number;
  name: string;
  /** of a bot */
  level?: string;
  /** has a page open */
  here?: boolean;
  /** takes part no longer, or not from the next round on */
  left?: boolean;
  /** takes part from the next round on */
  late?: boolean;
}

/** A line of the standings. */
export interface EveningPlace {
  number: number;
  /** from 1: those who are alike share one */
  place: number;
  points: number;
  /** of the scores at their tables: 1 is as much as everybody's mean */
  share: number;
  tables: number;
  byes?: number;
  /** knock-out: the last in which they were */
  round?: number;
  /** knock-out: they go on no longer */
  out?: boolean;
}

/** A table of a round, or the bye of one. */
export interface EveningTable {
  /** its id; "" for a bye */
  table: string;
  /** entrants by their numbers */
  seats: number[];
  /** "" while it is played */
  outcome?: Outcome;
  /** by seat, from 1 */
  ranks?: number[];
  scores?: number[];
  points?: number[];
  /** knock-out: the entrants who go on from here */
  on?: number[];
}

/** GET /api/events/{event}/rounds/{round} */
export interface EveningRound {
  round: number;
  game: string;
  tables: EveningTable[];
}

/** GET /api/events/{event}: as everybody may see it. */
export interface EveningNow {
  evening: string;
  name: string;
  terms: EveningTerms;
  state: EveningState;
  /** 0 before the first */
  round: number;
  /** 0 where nobody knows yet */
  rounds: number;
  entrants: EveningEntrant[];
  standings: EveningPlace[];
  /** the round that is played, or was played last */
  now: EveningRound | null;
  joinable: boolean;
  /** when this round did, in seconds since 1970 */
  began_at: number;
  /** when it is ended at the latest; 0 for never */
  ends_at: number;
  /** when the next begins; 0 where the host has to go on */
  next_at: number;
}

/** An evening among mine. */
export interface EveningCard {
  evening: string;
  name: string;
  state: EveningState;
  round: number;
  host: boolean;
}

/** GET /api/events */
export interface EveningList {
  evenings: EveningCard[];
  /** anybody may open one */
  open_to_all: boolean;
}
