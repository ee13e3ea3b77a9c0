// Written by `python -m souk.server.protocol.typescript` from souk/server/protocol/events.py: change it there.

import type { ClockTerms } from "./table";

export type EventForm = "round_robin" | "swiss" | "knock_out";

export type EventStatus = "open" | "playing" | "between" | "over";

export type EventAction = "start" | "next" | "end_round" | "finish" | "delete" | "bots" | "remove";

export type Outcome = "" | "played" | "stood" | "level" | "bye";

/** How an event is played. */
export interface EventSettings {
  form: EventForm;
  /** by round, repeated from the first */
  games: string[];
  /** of a table, as near as the number of entrants allows */
  size: number;
  /** of every table */
  clock: ClockTerms;
  /** 0: as many as needed; a knock-out ignores it */
  rounds?: number;
  /** knock-out: how many of each table go on */
  advance?: number;
  /** after which a round is ended, and unfinished tables count as they stand; 0: never */
  minutes?: number;
  /** seconds between rounds; null: until the host goes on */
  pause?: number | null;
}

/** POST /api/events */
export interface NewEvent {
  name: string;
  terms: EventSettings;
  /** that take part from the beginning */
  bots?: number;
  /** of the bots */
  level?: string;
}

export interface EventCreated {
  event: string;
}

/** POST /api/events/{event}/join: take part. Harmless for entrants. */
export interface JoinEvent {
  name: string;
}

/** POST /api/events/{event}/leave: withdraw. A bot takes over at a running table. */
export type LeaveEvent = object;

/** POST /api/events/{event}/host: become the host, with its secret. */
export interface ClaimEvent {
  secret: string;
}

/** POST /api/events/{event}/control, by the host: add `count` bots of a level, remove entrant `number`, or control the rounds. */
export interface ControlEvent {
  do: EventAction;
  number?: number;
  count?: number;
  level?: string;
}

/** My part in an event. */
export interface MyEventEntry {
  /** mine, if I take part */
  number: number | null;
  host: boolean;
  /** the event has been deleted */
  gone: boolean;
}

/** A person or bot that takes part. */
export interface EventEntrant {
  number: number;
  name: string;
  /** of a bot */
  level?: string;
  /** has a page open */
  here?: boolean;
  /** does not take part any more, or from the next round on */
  left?: boolean;
  /** takes part from the next round on */
  late?: boolean;
}

/** A line of the standings. */
export interface EventPlace {
  number: number;
  /** from 1; equals share one */
  place: number;
  points: number;
  /** of the scores at their tables: 1 is the mean */
  share: number;
  tables: number;
  byes?: number;
  /** knock-out: their last round */
  round?: number;
  /** knock-out: eliminated */
  out?: boolean;
}

/** A table of a round, or a bye. */
export interface EventTable {
  /** its id; "" for a bye */
  table: string;
  /** numbers of entrants */
  seats: number[];
  /** "" while it is played */
  outcome?: Outcome;
  /** by seat, from 1 */
  ranks?: number[];
  scores?: number[];
  points?: number[];
  /** knock-out: entrants who go on */
  on?: number[];
}

/** GET /api/events/{event}/rounds/{round} */
export interface EventRound {
  round: number;
  game: string;
  tables: EventTable[];
}

/** GET /api/events/{event}: what everybody may see. */
export interface EventState {
  event: string;
  /** "" if its host was forgotten */
  name: string;
  terms: EventSettings;
  state: EventStatus;
  /** 0 before the first */
  round: number;
  /** 0 if unknown */
  rounds: number;
  entrants: EventEntrant[];
  standings: EventPlace[];
  /** the current or last round */
  now: EventRound | null;
  joinable: boolean;
  /** start of this round, in seconds since 1970 */
  began_at: number;
  /** its latest end; 0: never */
  ends_at: number;
  /** start of the next round; 0 if the host has to start it */
  next_at: number;
}

/** One of my events. */
export interface EventCard {
  event: string;
  /** "" if its host was forgotten */
  name: string;
  state: EventStatus;
  round: number;
  host: boolean;
}

/** GET /api/events */
export interface EventList {
  events: EventCard[];
  /** anybody may open one */
  open_to_all: boolean;
}
