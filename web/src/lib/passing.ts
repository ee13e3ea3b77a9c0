/** What happened in one moment, event by event: a move is told together with the dice and cards that came up at once. */
import type { Event, Passing, View } from "../protocol";

/** The events that a message tells of, in order, each with a view. */
export function stepsTo(last: Event): Event[] {
  return [...(last.passed ?? []).map((each) => eventOf(each, last.view)), last];
}

/** Nobody could move in between; of what the rules say about the table, most is told of the end only. */
function eventOf({ position, scores, scene, ...told }: Passing, end: View): Event {
  const seen = { scene: { ...end.scene, ...scene }, lost: end.lost ?? [] };
  return { is: "event", ...told, view: { position, scores, ...seen, actors: [], moves: [], winners: [], over: false } };
}
