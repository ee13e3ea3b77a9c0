/**
 * Highlights on the board what a log line mentions: places by kind and name, such as "field c3" or
 * "seat 0", which elements carry as data-place.
 */
import type { Told } from "../protocol/table";

const A_LOOK = 4000; // ms a place stays highlighted after a tap

export const highlight = $state<{ places: string[] }>({ places: [] });
let timer: ReturnType<typeof setTimeout> | undefined;

/** The places that messages mention, without duplicates. */
export function placesOf(told: Told[]): string[] {
  return told.flatMap((message) => message[2] ?? []).filter((place, k, all) => all.indexOf(place) === k);
}

/** Highlight places while the pointer is on them. */
export function highlightPlaces(places: string[]): void {
  clearTimeout(timer);
  timer = undefined;
  highlight.places = places;
}

/** Highlight places for a moment, for touch. */
export function flashPlaces(places: string[]): void {
  highlightPlaces(places);
  timer = setTimeout(() => highlightPlaces([]), A_LOOK);
}

/** Clear the highlight. */
export function clearHighlight(): void {
  if (timer === undefined) highlight.places = [];
}
