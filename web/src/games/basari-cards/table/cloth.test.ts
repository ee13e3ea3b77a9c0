import { expect, test } from "vitest";
import { along, outline } from "./cloth";

const oval = { x: 100, y: 50, a: 90, b: 40, fullness: 3 };

test("an outline keeps its inset on the axes", () => {
  const [east, , , , ...rest] = outline(oval, 10);
  expect(east).toEqual([180, 50]);
  expect(Math.max(...rest.map(([, y]) => y))).toBeCloseTo(80);
});

test("what is woven in stands at even distances, and two kinds take turns all the way round", () => {
  const places = along(outline(oval, 0), 12);
  const gaps = places.map(({ x, y }, k) => {
    const next = places[(k + 1) % places.length]!;
    return Math.hypot(next.x - x, next.y - y);
  });
  expect(places.length % 2).toBe(0);
  expect(Math.max(...gaps)).toBeLessThan(12.2);
  expect(Math.min(...gaps)).toBeGreaterThan(9);
});
