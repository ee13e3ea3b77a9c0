/** Splits a message into events: a move comes together with the dice and cards drawn after it. */
import type { Event, BriefView, View } from "../protocol/table";

/** The events of a message in order, each with a view. */
export function unpackEvents(last: Event): Event[] {
  return [...(last.passed ?? []).map((each) => eventOf(each, last.view)), last];
}

/** Intermediate views have no moves; fields left out equal those of the final view. */
function eventOf({ position, scores, scene, ...told }: BriefView, end: View): Event {
  const seen = { position: { ...end.position, ...position }, scene: { ...end.scene, ...scene }, ...(end.lost && { lost: end.lost }) };
  return { is: "event", ...told, view: { ...seen, scores, actors: [], moves: [], winners: [], over: false } };
}
