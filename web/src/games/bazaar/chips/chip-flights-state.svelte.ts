/**
 * Number of the last event whose chips have landed, shared by board and purses: until then chips
 * are drawn where they were.
 */
import { motionOn } from "../../../state/settings.svelte";
import type { Event, View } from "../../../protocol/table";
import { counts, more } from "./chips";
import { chipTransfers } from "./chip-changes";
import type { Bag, Game } from "../types";

const last = $state({ landed: -1 });

function flying(event: Event<Game> | null, before: View<Game> | null): boolean {
  return !!event && !!before && motionOn() && last.landed !== event.seq && !event.taken_back;
}

/** The view to draw: the one before the event while its chips are in flight. */
export function drawn(view: View<Game>, event: Event<Game> | null, before: View<Game> | null): View<Game> {
  return flying(event, before) ? before! : view;
}

/** A seat's chips during a flight: without those given, and not yet with those received. */
export function chipsOf(seat: number, view: View<Game>, event: Event<Game> | null, before: View<Game> | null): Bag {
  const chips = drawn(view, event, before).position.chips[seat] ?? [0, 0, 0, 0, 0];
  const moved = chipTransfers(event);
  return flying(event, before) && moved?.seat === seat ? more(chips, counts(moved.gives)) : chips;
}

export function land(event: Event<Game>): void {
  last.landed = event.seq;
}
