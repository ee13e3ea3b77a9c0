/** Chips show where they were until they have landed: the number of the last event that has. Board and purses share it. */
import { motionOn } from "../../lib/settings.svelte";
import type { Event, View } from "../../protocol";

const last = $state({ landed: -1 });

/** What is to be drawn: the view before the event while its chips are on their way. */
export function drawn(view: View, event: Event | null, before: View | null): View {
  const flying = event && before && motionOn() && last.landed !== event.seq && !event.taken_back;
  return flying ? before : view;
}

export function land(event: Event): void {
  last.landed = event.seq;
}
