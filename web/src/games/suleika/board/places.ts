/** Legal places for a rug, and the place meant by a pointer. */
import { neighbour, neighbours, headings, type Point } from "./market";
import { between } from "./rugs";
import type { Game } from "../types";
import type { View } from "../../../protocol/table";

export interface Place {
  move: string; // "rug c3 c4"
  near: string; // the half beside Omar
  far: string;
  area: number; // size of the area it would join
}

export function placesOf(view: View<Game>): Place[] {
  return view.moves
    .map((move, k) => ({ move, parts: move.split(" "), area: view.scene.areas?.[k] ?? 0 }))
    .filter(({ parts }) => parts[0] === "rug")
    .map(({ move, parts, area }) => ({ move, near: parts[1]!, far: parts[2]!, area }));
}

export function covers(place: Place, field: string): boolean {
  return place.near === field || place.far === field;
}

/** Of the places that cover a square, the one whose middle is nearest to a point. */
export function placeUnder(places: Place[], field: string, point: Point): Place | null {
  const distance = ({ near, far }: Place) => {
    const { x, y } = between(near, far);
    return Math.hypot(x - point.x, y - point.y);
  };
  const possible = places.filter((place) => covers(place, field));
  return possible.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

/**
 * The place meant by touching a square: the chosen place if it covers the square; else one with the
 * same half beside Omar; else the nearest.
 */
export function placeMeant(places: Place[], chosen: Place | null, field: string, point: Point): Place | null {
  if (chosen && covers(chosen, field)) return chosen;
  const same = chosen && places.find((place) => place.near === chosen.near && place.far === field);
  return same || placeUnder(places, field, point);
}

/**
 * An illegal rug on a square, to ask the server why: with the chosen half, else another half beside
 * Omar, else any.
 */
export function attempt(field: string, omar: string, chosen: Place | null): string {
  const around = neighbours(field);
  const beside = headings.map((heading) => neighbour(omar, heading));
  const other =
    around.find((each) => each === chosen?.near) ??
    around.find((each) => beside.includes(each) && field !== omar) ??
    around.find((each) => each !== omar) ??
    around[0]!;
  return `rug ${field} ${other}`;
}
