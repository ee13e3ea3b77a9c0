/** The moments of a game worth looking at: mistakes and luck, in the order of the game. */
import type { AnalysisView } from "../protocol/analysis";
import { turningPoints, type Mark, type TurningPoint } from "./chances";

export interface Moment extends TurningPoint {
  mark: Mark;
  at: number; // the step to look at: secret choices are shown once they are revealed
  seat: number | null; // null: a die or card
}

/** All marked events of an analysis, in the order of the game. */
export function momentsOf(analysis: AnalysisView): Moment[] {
  const isSecret = (step: number) => analysis.steps[step - 1]?.kind === "secret";
  return turningPoints(analysis)
    .sort((a, b) => a.step - b.step)
    .flatMap(({ step, mark, weight }) => {
      if (!mark) return [];
      let at = step;
      while (isSecret(at) && isSecret(at + 1)) at += 1;
      return [{ step, at, seat: analysis.steps[step - 1]!.seat, mark, weight }];
    });
}

/** The mistakes of these seats. */
export function mistakesOf(moments: Moment[], seats: number[]): Moment[] {
  return moments.filter(({ mark, seat }) => mark !== "luck" && seat !== null && seats.includes(seat));
}

/** Where an analysis opens: at my first mistake, or else anybody's; null if there is none. */
export function openingOf(moments: Moment[], mine: number[]): Moment | null {
  return mistakesOf(moments, mine)[0] ?? moments.find(({ mark }) => mark !== "luck") ?? null;
}

/** The nearest moment before this step. */
export function momentBefore(moments: Moment[], step: number): Moment | null {
  return moments.findLast(({ at }) => at < step) ?? null;
}

/** The nearest moment after this step. */
export function momentAfter(moments: Moment[], step: number): Moment | null {
  return moments.find(({ at }) => at > step) ?? null;
}

/** Moves ascending positions apart, as little as needed, within 0 and `width`. */
export function spread(positions: number[], apart: number, width: number): number[] {
  const places: number[] = [];
  for (const x of positions) places.push(Math.max(apart / 2, x, (places.at(-1) ?? -apart) + apart));
  let limit = width - apart / 2;
  for (let k = places.length - 1; k >= 0; k--) {
    places[k] = Math.min(places[k]!, limit);
    limit = places[k]! - apart;
  }
  return places;
}
