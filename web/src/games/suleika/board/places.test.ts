import { expect, test } from "vitest";
import { view } from "../../../../tests/server";
import { middle } from "./market";
import { attempt, placeMeant, placesOf, placeUnder } from "./places";
import type { Game } from "../types";

const places = placesOf(
  view<Game>({ moves: ["rug d5 d6", "rug d5 e5", "rug c4 c5"], scene: { halves: [], rugs: [], covered: {}, areas: [2, 5, 1] } }),
);
const [upwards, across] = places;

test("places come with the area they would be part of; other moves are none", () => {
  expect(across).toEqual({ move: "rug d5 e5", near: "d5", far: "e5", area: 5 });
  expect(placesOf(view<Game>({ moves: ["left", "straight"] }))).toEqual([]);
});

test("places are pointed at by their nearest middle", () => {
  const { x, y } = middle("d5");
  expect(placeUnder(places, "d5", { x: x + 30, y })).toBe(across);
  expect(placeUnder(places, "d5", { x, y: y - 30 })).toBe(upwards);
  expect(placeUnder(places, "a1", middle("a1"))).toBe(null);
});

test("places are turned by a second touch beside the same half, and laid by a touch on them", () => {
  expect(placeMeant(places, upwards!, "d5", { x: middle("d5").x + 30, y: middle("d5").y })).toBe(upwards);
  expect(placeMeant(places, upwards!, "e5", middle("e5"))).toBe(across);
  expect(placeMeant(places, null, "c4", middle("c4"))?.move).toBe("rug c4 c5");
});

test("places that are not allowed can still be asked about", () => {
  expect(attempt("e5", "d4", upwards!)).toBe("rug e5 d5");
  expect(attempt("e5", "d4", null)).toBe("rug e5 e4");
  expect(attempt("d4", "d4", null)).toMatch(/^rug d4 (d5|e4|d3|c4)$/);
  expect(attempt("a1", "g7", null)).toMatch(/^rug a1 (a2|b1)$/);
});
