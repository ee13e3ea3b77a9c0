/** What the ways and rugs on the market mean, for those who read it there. */
import type { SuleikaBox, Way } from "./types";

/** Whose rugs are of a colour, by its initial. */
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
