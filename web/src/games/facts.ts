/** What an event did, as the server tells it: the facts of a game are in its types.ts. */
import type { Event, OfGame } from "../protocol";

/** What an event tells of one kind; nothing where a move was taken back. */
export function told<Fact extends OfGame["fact"]>(event: Event | null, kind: Fact["is"]): Fact[] {
  return event?.facts.filter((fact): fact is Fact => fact.is === kind) ?? [];
}
