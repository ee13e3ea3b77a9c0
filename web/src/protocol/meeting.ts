// Written by `python -m souk.server.protocol.typescript` from souk/server/protocol/meeting.py: change it there.

import type { ClockTerms, Done, Ping, Pong, Refused } from "./table";

export type ClockChoice = "none" | "move" | "game";

export type InviteState = "" | "asked" | "declined" | "here";

/** Look for people to play with, replacing an earlier search. `patience`: seconds until bots fill the table; 0: only people. */
export interface FindPlayers {
  do: "find_players";
  id: number;
  game: string;
  players: number;
  clock?: ClockChoice;
  patience?: number;
  name?: string;
  /** to a share of the dice */
  commitment?: string;
}

/** Stop looking. */
export interface StopSearch {
  do: "stop_search";
  id: number;
}

/** A public table. */
export interface PublicTable {
  table: string;
  game: string;
  /** by seat; "" for a free one */
  names: string[];
  /** can be watched; otherwise it has open seats */
  begun?: boolean;
  clock?: ClockTerms;
}

/** Numbers of a public lobby. */
export interface Counts {
  /** people */
  here: number;
  /** tables with open seats */
  open: number;
  /** games to watch */
  playing: number;
  /** by game: people looking for others */
  finding: Record<string, number>;
}

/** The public tables that are shown, and how many there are. */
export interface PublicBoardState {
  tables: PublicTable[];
  counts: Counts;
}

/** Changes of the public board: tables that are gone, and new or changed ones. */
export interface PublicBoardChange {
  is: "board";
  gone: string[];
  tables: PublicTable[];
  counts: Counts;
}

/** My search. */
export interface Searching {
  game: string;
  players: number;
  clock: ClockChoice;
  /** how many we are, including me */
  there: number;
  /** seconds until bots fill the table; null: never */
  bots_in: number | null;
}

/** My search has changed; null: I look for nobody. */
export interface SearchingNow {
  is: "searching";
  looking: Searching | null;
}

/** Enough players: the game is at this table. */
export interface PlayersFound {
  is: "players_found";
  table: string;
}

/** An invitation to a table; `again`: to a rematch, where my seat is reserved. */
export interface InvitationCard {
  table: string;
  game: string;
  /** their name at that table */
  by: string;
  players: number;
  again: boolean;
  /** when, in seconds since 1970 */
  at: number;
  clock: ClockTerms | null;
}

/** All my invitations, latest first, and whether I want any. */
export interface InvitationsNow {
  is: "invitations";
  invitations: InvitationCard[];
  wanted: boolean;
}

/** My list of tables is out of date. */
export interface TablesChanged {
  is: "tables_changed";
}

/** The first message on a socket. */
export interface Hello {
  is: "hello";
  /** of the protocol, as at tables */
  version: number;
  invitations: InvitationsNow;
  looking: Searching | null;
  /** null if this server has no public lobby */
  board: PublicBoardState | null;
  /** by ClockChoice */
  clocks: Record<string, ClockTerms>;
}

/** A person I have shared a table with: the table, their seat, and their name there. */
export interface PastPlayer {
  table: string;
  seat: number;
  name: string;
  game: string;
  /** when something last happened there, in seconds since 1970 */
  at: number;
  /** if a table is named: whether I have invited them to it, and their answer */
  state: InviteState;
}

/** GET /api/fellows: latest first. */
export interface PastPlayers {
  fellows: PastPlayer[];
}

/** POST /api/tables/{table}/invite: invite somebody to a table of mine that has not begun. */
export interface InvitePlayer {
  /** the one we shared */
  table: string;
  /** theirs */
  seat: number;
}

/** POST /api/tables/{table}/decline */
export type DeclineInvitation = object;

/** POST /api/invitations: whether I want invitations at all. */
export interface SetInvitationsAllowed {
  wanted: boolean;
}

export type LobbyCommand =
  | FindPlayers
  | StopSearch
  | Ping;

export type LobbyMessage =
  | Hello
  | PublicBoardChange
  | SearchingNow
  | InvitationsNow
  | TablesChanged
  | PlayersFound
  | Done
  | Refused
  | Pong;
