/** Chips show where they were until they have landed: the number of the last event that has. Board and purses share it. */
import { motionOn } from "../../lib/settings.svelte";
import type { Event, View } from "../../protocol";
import { counts, more, type Counts } from "./chips";
import { positionOf, shownOf } from "./scene";

const last = $state({ landed: -1 });

function flying(event: Event | null, before: View | null): boolean {
  return !!event && !!before && motionOn() && last.landed !== event.seq && !event.taken_back;
}

/** What is to be drawn: the view before the event while its chips are on their way. */
export function drawn(view: View, event: Event | null, before: View | null): View {
  return flying(event, before) ? before! : view;
}

/** A seat's chips: those it gives have left it, those it gets are not there yet. */
export function chipsOf(seat: number, view: View, event: Event | null, before: View | null): Counts {
  const chips = positionOf(drawn(view, event, before)).chips[seat] ?? [0, 0, 0, 0, 0];
  const shown = shownOf(event);
  return flying(event, before) && shown.seat === seat ? more(chips, counts(shown.gives ?? "")) : chips;
}

export function land(event: Event): void {
  last.landed = event.seq;
}
