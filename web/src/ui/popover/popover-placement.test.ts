import { expect, test } from "vitest";
import { around, distance, nearest, overlap, placeOf } from "./popover-placement";

const window = { x: 0, y: 0, width: 400, height: 800 };
const size = { width: 200, height: 100 };

test("a bubble stays in the window, beside what it is about", () => {
  const about = { x: 20, y: 400, width: 100, height: 50 };
  const place = { ...placeOf(size, about, [], window), ...size };
  expect(overlap(place, about)).toBe(0);
  expect(distance(place, about)).toBeLessThan(24);
  expect(place.x).toBeGreaterThanOrEqual(0);
  expect(place.x + place.width).toBeLessThanOrEqual(400);
});

test("it goes further away where something near must be seen", () => {
  const about = { x: 0, y: 700, width: 400, height: 60 };
  const board = { x: 0, y: 200, width: 400, height: 490 };
  expect(placeOf(size, about, [{ box: board, weight: 10 }], window).y + size.height).toBeLessThanOrEqual(200);
});

test("boxes", () => {
  const one = { x: 0, y: 0, width: 10, height: 10 };
  const two = { x: 20, y: 5, width: 10, height: 10 };
  expect(around([one, two])).toEqual({ x: 0, y: 0, width: 30, height: 15 });
  expect(nearest(one, two)).toEqual([10, 10]);
  expect(distance(one, two)).toBe(10);
});
