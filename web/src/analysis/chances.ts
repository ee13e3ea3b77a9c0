/** Chances, marks and turning points of an analysed game. */
import type { AnalysisView, AnalysedStep } from "../protocol/analysis";

const LUCKY = 0.06; // change in win chance from which a die or card gets a mark
const LUCKY_ALONE = 0.5; // in actions
const SHOWN = 0.01; // smaller changes are no turning points
const SHOWN_ALONE = 0.1;

export type Mark = "inaccuracy" | "mistake" | "blunder" | "luck";

export interface TurningPoint {
  step: number; // number of events before it
  mark: Mark | "";
  weight: number;
}

/** Whether the game is measured in actions instead of win chances. */
export function isAlone(analysis: AnalysisView): boolean {
  return analysis.start.length === 1;
}

/** Win chances of all seats before the first event and after each. */
export function chancesOf(analysis: AnalysisView): number[][] {
  return [analysis.start, ...analysis.steps.map((step) => step.after)];
}

/** Alone: the expected total of actions at each step. */
export function actionsOf(analysis: AnalysisView): number[] {
  const found = [-analysis.seats[0]!.start];
  for (const step of analysis.steps) found.push(found.at(-1)! - step.luck[0]! - step.gifts[0]!);
  return found;
}

/** The chances of each seat as a line, in a field of this size. */
export function curves(chances: number[][], width: number, height: number): string[] {
  return (chances[0] ?? []).map((_, seat) =>
    line(
      chances.map((each) => each[seat]!),
      0,
      1,
      width,
      height,
    ),
  );
}

/** A line through values, scaled to the field. */
export function line(values: number[], least: number, most: number, width: number, height: number): string {
  const across = width / Math.max(1, values.length - 1);
  return values.map((value, k) => point(k * across, height * (1 - (value - least) / (most - least)))).join(" ");
}

/** The mark of an event: a mistake, or significant luck. */
export function markOf(step: AnalysedStep, alone = false): Mark | "" {
  if (step.mark) return step.mark as Mark;
  return step.kind === "chance" && (step.weight ?? 0) >= (alone ? LUCKY_ALONE : LUCKY) ? "luck" : "";
}

/** All significant events, most important first. */
export function turningPoints(analysis: AnalysisView): TurningPoint[] {
  const alone = isAlone(analysis);
  return analysis.steps
    .map((step, k) => ({ step: k + 1, mark: markOf(step, alone), weight: weightOf(step) }))
    .filter(({ weight }) => weight >= (alone ? SHOWN_ALONE : SHOWN))
    .sort((a, b) => b.weight - a.weight);
}

/** The marks that fit, most important first, with a minimum distance in pixels. */
export function marksThatFit(marks: TurningPoint[], width: number, of: number, apart: number): TurningPoint[] {
  const taken: TurningPoint[] = [];
  const at = ({ step }: TurningPoint) => (step / Math.max(1, of)) * width;
  for (const mark of marks.filter(({ mark }) => mark))
    if (taken.every((other) => Math.abs(at(other) - at(mark)) >= apart)) taken.push(mark);
  return taken;
}

/** The step under a point of the graph. */
export function stepAt(x: number, width: number, of: number): number {
  return Math.min(of, Math.max(0, Math.round((x / Math.max(1, width)) * of)));
}

/** The number of events from the beginning that are not analysed yet. */
export function unanalysedEvents(analysis: AnalysisView): number {
  return analysis.steps.findLastIndex((step) => step.unseen) + 1;
}

/** The secret choices revealed by this event, itself last; empty if there are none. */
export function revealedAt(steps: AnalysedStep[], step: number): { step: number; turning: AnalysedStep }[] {
  const is = (k: number) => steps[k - 1]?.kind === "secret";
  if (!is(step) || is(step + 1)) return [];
  let first = step;
  while (is(first - 1)) first -= 1;
  return Array.from({ length: step - first + 1 }, (_, k) => ({ step: first + k, turning: steps[first + k - 1]! }));
}

/** A mistake weighs what it cost, luck what it shifted. */
function weightOf(step: AnalysedStep): number {
  return step.kind === "chance" ? (step.weight ?? 0) : (step.loss ?? 0);
}

function point(x: number, y: number): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}
