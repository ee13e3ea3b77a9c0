/** What happened in one moment, event by event: a move is told together with the dice and cards that came up at once. */
import type { Event, Passing, View } from "../protocol";

/** The events that a message tells of, in order, each with a view. */
export function stepsTo(last: Event): Event[] {
  return [...(last.passed ?? []).map((each) => eventOf(each, last.view)), last];
}

/** Nobody could move in between; what is not told of it is as it is in the end. */
function eventOf({ position, scores, scene, ...told }: Passing, end: View): Event {
  const seen = { position: { ...end.position, ...position }, scene: { ...end.scene, ...scene }, ...(end.lost && { lost: end.lost }) };
  return { is: "event", ...told, view: { ...seen, scores, actors: [], moves: [], winners: [], over: false } };
}
