// Written by `python -m souk.table.typescript` from souk/table/meeting_protocol.py: change it there.

import type { ClockTerms, Done, Ping, Pong, Refused } from "./protocol";

export type ClockChoice = "none" | "move" | "game";

export type InviteState = "" | "asked" | "declined" | "here";

/** Look for people to play with. Who looks already looks for this from now on. `patience`: seconds until bots fill up; 0: only people. */
export interface Find {
  do: "find";
  id: number;
  game: string;
  players: number;
  clock?: ClockChoice;
  patience?: number;
  name?: string;
  /** to a share in the dice */
  commitment?: string;
}

/** Look for nobody any longer. */
export interface StopFinding {
  do: "stop";
  id: number;
}

/** A table that everybody may see. */
export interface PublicTable {
  table: string;
  game: string;
  /** by seat; "" for one that is free */
  names: string[];
  /** it can be watched; else there are open seats */
  begun?: boolean;
  clock?: ClockTerms;
}

/** How much goes on in a public house. */
export interface Counts {
  /** people */
  here: number;
  /** tables with open seats */
  open: number;
  /** games that can be watched */
  playing: number;
  /** by game: people who look for others */
  finding: Record<string, number>;
}

/** All that everybody may see: as many tables as are shown, and how many there are. */
export interface BoardNow {
  tables: PublicTable[];
  counts: Counts;
}

/** What has changed of it: tables that are no longer there, and those that have come or are no longer what they were. */
export interface BoardChange {
  is: "board";
  gone: string[];
  tables: PublicTable[];
  counts: Counts;
}

/** What I am looking for. */
export interface Looking {
  game: string;
  players: number;
  clock: ClockChoice;
  /** how many of us there are, me among them */
  there: number;
  /** seconds until bots fill up; null: never */
  bots_in: number | null;
}

/** That has changed; null: I look for nobody. */
export interface LookingNow {
  is: "looking";
  looking: Looking | null;
}

/** There are enough: it goes on at this table. */
export interface FoundPeople {
  is: "found";
  table: string;
}

/** Somebody has asked me to their table; `again`: for a rematch, and my seat is kept. */
export interface InvitationCard {
  table: string;
  game: string;
  /** what they are called there */
  by: string;
  players: number;
  again: boolean;
  /** when, in seconds since 1970 */
  at: number;
  clock: ClockTerms | null;
}

/** All of them, the latest first; and whether I want any. */
export interface InvitationsNow {
  is: "invitations";
  invitations: InvitationCard[];
  wanted: boolean;
}

/** Something about my tables is no longer as the lobby shows it. */
export interface TablesStirred {
  is: "stirred";
}

/** The first message on a socket. */
export interface Hello {
  is: "hello";
  /** of the protocol, as at a table */
  version: number;
  invitations: InvitationsNow;
  looking: Looking | null;
  /** null where the house is not open to the public */
  board: BoardNow | null;
  /** by ClockChoice */
  clocks: Record<string, ClockTerms>;
}

/** Somebody I have shared a table with: by that table and their seat, and the name they had there. */
export interface Acquaintance {
  table: string;
  seat: number;
  name: string;
  game: string;
  /** when something last happened there, in seconds since 1970 */
  at: number;
  /** where a table is named: whether I have asked them to it, and what came of it */
  state: InviteState;
}

/** GET /api/fellows: the latest first. */
export interface Acquaintances {
  fellows: Acquaintance[];
}

/** POST /api/tables/{table}/invite: ask somebody to a table of mine that has not begun. */
export interface InviteFellow {
  /** that we shared */
  table: string;
  /** theirs */
  seat: number;
}

/** POST /api/tables/{table}/decline */
export type DeclineInvitation = object;

/** POST /api/invitations: whether I want to be asked at all. */
export interface WantInvitations {
  wanted: boolean;
}

export type LobbyCommand =
  | Find
  | StopFinding
  | Ping;

export type LobbyMessage =
  | Hello
  | BoardChange
  | LookingNow
  | FoundPeople
  | InvitationsNow
  | TablesStirred
  | Done
  | Refused
  | Pong;
