import { describe, expect, test } from "vitest";
import { archAt, beside, BROAD, CELL, fitting, laneAt, TALL, WIDE } from "./ring";

describe.each([
  ["wide", WIDE],
  ["tall", TALL],
  ["broad", BROAD],
])("the %s ring", (_, ring) => {
  const arches = Array.from({ length: 28 }, (_, arch) => archAt(ring, arch));

  test("has 28 arches, each beside the one before, and the first after the last", () => {
    expect(new Set(arches.map(({ x, y }) => `${x} ${y}`)).size).toBe(28);
    for (const [k, { x, y }] of arches.entries()) {
      const next = arches[(k + 1) % 28]!;
      expect(Math.abs(next.x - x) + Math.abs(next.y - y)).toBe(CELL);
    }
  });

  test("goes clockwise from the top left corner", () => {
    expect(arches[0]).toEqual({ x: CELL / 2, y: CELL / 2 });
    expect(arches[1]).toEqual({ x: 1.5 * CELL, y: CELL / 2 });
  });

  test("has its lane inside the arches", () => {
    for (let arch = 0; arch < 28; arch++) {
      const { x, y } = laneAt(ring, arch);
      expect([x, ring.columns * CELL - x, y, ring.rows * CELL - y].every((distance) => distance > CELL)).toBe(true);
    }
  });
});

test("the ring goes by the room there is", () => {
  expect(fitting(380, 380)).toBe(WIDE);
  expect(fitting(380, 560)).toBe(TALL);
  expect(fitting(430, 340)).toBe(BROAD);
});

test("figures who share a place stand side by side, in the middle of it", () => {
  const places = [0, 1, 2].map((k) => beside({ x: 100, y: 100 }, k, 3).x);
  expect(places[1]).toBe(100);
  expect(places[2]! - 100).toBe(100 - places[0]!);
  expect(places[0]).toBeLessThan(places[1]!);
});
