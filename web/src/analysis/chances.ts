/** What is drawn and listed of a game that is looked back at: everybody's chances over the game, its marks, its turning points. */
import type { Lookback, Turning } from "../study-protocol";

const LUCKY = 0.06; // of the chances that changed hands, from which on a die or card is marked
const LUCKY_ALONE = 0.5; // actions
const SHOWN = 0.01; // below that nothing is a turning point
const SHOWN_ALONE = 0.1;

export type Mark = "inaccuracy" | "mistake" | "blunder" | "luck";

export interface Turn {
  step: number; // after so many events
  mark: Mark | "";
  weight: number;
}

/** Whether it is measured in actions, and not in chances. */
export function isAlone(study: Lookback): boolean {
  return study.start.length === 1;
}

/** Everybody's chances at every step: before the first event, and after each. */
export function chancesOf(study: Lookback): number[][] {
  return [study.start, ...study.steps.map((step) => step.after)];
}

/** Alone: how many actions the game comes to in the end, as it looks at every step. */
export function actionsOf(study: Lookback): number[] {
  const found = [-study.seats[0]!.start];
  for (const step of study.steps) found.push(found.at(-1)! - step.luck[0]! - step.gifts[0]!);
  return found;
}

/** The areas of a stack, one for each seat from the ground up, as the points of a polygon in a field of this size. */
export function areas(chances: number[][], width: number, height: number): string[] {
  const seats = chances[0]?.length ?? 0;
  const across = width / Math.max(1, chances.length - 1);
  const edges = Array.from({ length: seats + 1 }, (_, seat) =>
    chances.map((each, k) => point(k * across, height * (1 - sum(each.slice(0, seat))))),
  );
  return Array.from({ length: seats }, (_, seat) => [...edges[seat]!, ...edges[seat + 1]!.toReversed()].join(" "));
}

/** A line through values, with the least at the bottom of the field and the most at its top. */
export function line(values: number[], least: number, most: number, width: number, height: number): string {
  const across = width / Math.max(1, values.length - 1);
  return values.map((value, k) => point(k * across, height * (1 - (value - least) / (most - least)))).join(" ");
}

/** What an event is marked with: an error, or luck that mattered. */
export function markOf(step: Turning, alone = false): Mark | "" {
  if (step.mark) return step.mark as Mark;
  return step.kind === "chance" && (step.weight ?? 0) >= (alone ? LUCKY_ALONE : LUCKY) ? "luck" : "";
}

/** All that mattered, the weightiest first. */
export function turns(study: Lookback): Turn[] {
  const alone = isAlone(study);
  return study.steps
    .map((step, k) => ({ step: k + 1, mark: markOf(step, alone), weight: weightOf(step) }))
    .filter(({ weight }) => weight >= (alone ? SHOWN_ALONE : SHOWN))
    .sort((a, b) => b.weight - a.weight);
}

/** The marks for which there is room, the weightiest before the others: none is nearer to another than so many pixels. */
export function roomFor(marks: Turn[], width: number, of: number, apart: number): Turn[] {
  const taken: Turn[] = [];
  const at = ({ step }: Turn) => (step / Math.max(1, of)) * width;
  for (const mark of marks.filter(({ mark }) => mark))
    if (taken.every((other) => Math.abs(at(other) - at(mark)) >= apart)) taken.push(mark);
  return taken;
}

/** The step that lies under a point of the graph. */
export function stepAt(x: number, width: number, of: number): number {
  return Math.min(of, Math.max(0, Math.round((x / Math.max(1, width)) * of)));
}

/** How far the game has not been looked at yet: so many events from its beginning. */
export function unseen(study: Lookback): number {
  return study.steps.findLastIndex((step) => step.unseen) + 1;
}

/** The secret choices that were revealed with this one: it is the last of them, or the list is empty. */
export function revealedAt(steps: Turning[], step: number): { step: number; turning: Turning }[] {
  const is = (k: number) => steps[k - 1]?.kind === "secret";
  if (!is(step) || is(step + 1)) return [];
  let first = step;
  while (is(first - 1)) first -= 1;
  return Array.from({ length: step - first + 1 }, (_, k) => ({ step: first + k, turning: steps[first + k - 1]! }));
}

/** What somebody gave away counts for as much as it cost them, what came up for as much as changed hands. */
function weightOf(step: Turning): number {
  return step.kind === "chance" ? (step.weight ?? 0) : (step.loss ?? 0);
}

function sum(values: number[]): number {
  return values.reduce((all, each) => all + each, 0);
}

function point(x: number, y: number): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}
