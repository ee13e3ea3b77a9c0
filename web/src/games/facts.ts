/** Facts of an event; the games' fact types are in their types.ts. */
import type { Event, OfGame } from "../protocol/table";

/** The event's facts of one kind; none if a move was taken back. */
export function factsOf<Fact extends OfGame["fact"]>(event: Event | null, kind: Fact["is"]): Fact[] {
  return event?.facts.filter((fact): fact is Fact => fact.is === kind) ?? [];
}
