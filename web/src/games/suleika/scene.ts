/** What souk/games/suleika/scene.py and the position say, as this room reads it. */
import type { Event, View } from "../../protocol";
import type { Heading } from "./market";

export interface Way {
  faces: Heading;
  way: string;
  owed?: number[];
  pays?: number[];
  to?: number[];
}

export interface Scene {
  halves: number[];
  rugs: number[];
  covered: Record<string, Heading>; // by field of a rug that shows there alone: where its other half seems to lie
  walker?: number;
  ways?: Record<string, Way>;
  areas?: number[]; // one for each of the moves
}

export interface Position {
  phase: "card" | "turn" | "die" | "rug" | "over";
  turn: number | null;
  omar: { at: string; facing: Heading };
  board: string[][];
  money: number[];
  left: number[] | number[][];
  rug: string | null;
}

export interface Box {
  colours: string[]; // by seat: the initials of its colours
  balconies: string[];
  sixths: number[]; // of the die: one step, two, …
}

export interface Payment {
  from: number;
  to: number;
  owed: number;
  paid: number;
  area: string[];
}

/** What was to be watched of an event; the parts depend on what it was. */
export interface Shown {
  faces?: Heading;
  die?: number;
  from?: string;
  way?: string;
  payment?: Payment;
  up?: string;
  rug?: [string, string];
  colour?: string;
}

export function positionOf(view: View): Position {
  return view.position as unknown as Position;
}

export function sceneOf(view: View): Scene {
  return view.scene as unknown as Scene;
}

/** What there is to watch; nothing where a move was taken back. */
export function shownOf(event: Event | null): Shown {
  return event && !event.taken_back ? (event.shown as Shown) : {};
}

/** Whose rugs are of a colour, by its initial. */
export function ownerOf(box: Box, initial: string): number {
  return box.colours.findIndex((own) => own.includes(initial));
}

export interface Stop {
  field: string;
  percent: number;
  owed: number;
  pays: number;
  to: number;
}

/** Where a way may end, each field once, with how likely that is and what it would cost. */
export function stopsOf(way: Way, sixths: number[]): Stop[] {
  const stops = new Map<string, Stop & { sixths: number }>();
  way.way.split(" ").forEach((part, k) => {
    const field = part.slice(0, 2);
    const share = (stops.get(field)?.sixths ?? 0) + (sixths[k] ?? 0);
    const cost = { owed: way.owed?.[k] ?? 0, pays: way.pays?.[k] ?? 0, to: way.to?.[k] ?? -1 };
    stops.set(field, { field, sixths: share, percent: Math.round((100 * share) / 6), ...cost });
  });
  return [...stops.values()];
}

/** What a way costs on average. */
export function averageOf(way: Way, sixths: number[]): number {
  return (way.pays ?? []).reduce((sum, pays, k) => sum + (pays * (sixths[k] ?? 0)) / 6, 0);
}
