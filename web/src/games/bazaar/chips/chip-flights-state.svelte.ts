/** Chips show where they were until they have landed: the number of the last event that has. Board and purses share it. */
import { motionOn } from "../../lib/settings.svelte";
import type { Event, View } from "../../protocol";
import { counts, more } from "./chips";
import { chipsMoved } from "./moved";
import type { Bag, Game } from "./types";

const last = $state({ landed: -1 });

function flying(event: Event<Game> | null, before: View<Game> | null): boolean {
  return !!event && !!before && motionOn() && last.landed !== event.seq && !event.taken_back;
}

/** What is to be drawn: the view before the event while its chips are on their way. */
export function drawn(view: View<Game>, event: Event<Game> | null, before: View<Game> | null): View<Game> {
  return flying(event, before) ? before! : view;
}

/** A seat's chips: those it gives have left it, those it gets are not there yet. */
export function chipsOf(seat: number, view: View<Game>, event: Event<Game> | null, before: View<Game> | null): Bag {
  const chips = drawn(view, event, before).position.chips[seat] ?? [0, 0, 0, 0, 0];
  const moved = chipsMoved(event);
  return flying(event, before) && moved?.seat === seat ? more(chips, counts(moved.gives)) : chips;
}

export function land(event: Event<Game>): void {
  last.landed = event.seq;
}
