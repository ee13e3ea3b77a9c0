/** The scene's ways and rugs in words. */
import type { SuleikaBox, Way } from "./types";

/** The seat that owns a colour, by its initial. */
export function ownerOf(box: SuleikaBox, initial: string): number {
  return box.colours.findIndex((own) => own.includes(initial));
}

export interface Stop {
  field: string;
  percent: number;
  owed: number;
  pays: number;
  to: number;
}

/** The possible ends of a way, each square once, with probability and cost. */
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

/** The average cost of a way. */
export function averageOf(way: Way, sixths: number[]): number {
  return (way.pays ?? []).reduce((sum, pays, k) => sum + (pays * (sixths[k] ?? 0)) / 6, 0);
}
