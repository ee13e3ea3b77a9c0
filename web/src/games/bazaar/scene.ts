/** What souk/games/bazaar/scene.py and the position say, with types. */
import type { Event, View } from "../../protocol";
import type { Counts } from "./chips";

export interface Box {
  rates: [string, string][][];
  starred: string[];
  values: number[][]; // by stars, then by chips left over
  limit: number;
  in_a_stall: number;
  chips: number;
  most_actions: number;
  double: boolean;
}

export interface Prospect {
  stars?: number; // that count now; none where no ware lies
  points?: number; // where it could be paid
}

export interface Scene {
  whose: number;
  lack: (number | null)[][];
  stalls?: Prospect[];
  trades?: number;
  reach?: Record<string, Record<string, number>>;
  pairs?: Record<string, number[]>;
  picker?: number;
  sales_left?: number;
  quiet_left?: number;
}

export interface Position {
  phase: "rates" | "stalls" | "first" | "act" | "die" | "choice" | "buy" | "reveal" | "return" | "over";
  turn: number | null;
  players: number;
  chips: Counts[];
  bank: Counts;
  points: number[];
  bought: number[];
  rates: number[];
  stalls: { top: string | null; left: number }[];
  actions?: number;
}

export interface Sale {
  stall: number;
  ware: string;
  points: number;
  star: number;
}

export interface Shown {
  die?: string;
  seat?: number;
  gives?: string;
  gets?: string;
  sold?: Sale[];
  closes?: boolean;
  up?: number;
  ware?: string;
  rate?: number;
  first?: number;
}

export function positionOf(view: View): Position {
  return view.position as unknown as Position;
}

export function sceneOf(view: View): Scene {
  return view.scene as unknown as Scene;
}

export function shownOf(event: Event | null): Shown {
  return (event?.shown ?? {}) as Shown;
}
