/** What somebody points at in the log is lit on the board: places by their kind and name, such as "field c3" or "seat 0". Whatever draws a
 * place marks it so: data-place="field c3". */
import type { Told } from "../protocol";

const A_LOOK = 4000; // ms that a place stays lit after a touch

export const lights = $state<{ places: string[] }>({ places: [] });
let timer: ReturnType<typeof setTimeout> | undefined;

/** The places that messages are about, each once. */
export function placesOf(told: Told[]): string[] {
  return told.flatMap((message) => message[2] ?? []).filter((place, k, all) => all.indexOf(place) === k);
}

/** Light places for as long as they are pointed at. */
export function light(places: string[]): void {
  clearTimeout(timer);
  timer = undefined;
  lights.places = places;
}

/** Light places for a while, since a finger does not stay. */
export function flash(places: string[]): void {
  light(places);
  timer = setTimeout(() => light([]), A_LOOK);
}

/** Nobody points there any more. */
export function dim(): void {
  if (timer === undefined) lights.places = [];
}
