import { expect, test } from "vitest";
import { balcony, fieldUnder, FIELDS, middle, neighbour, neighbours, stepsOf } from "./market";

test("the market has a field under the middle of each of its fields, and none beside it", () => {
  for (const field of FIELDS) expect(fieldUnder(middle(field))).toBe(field);
  expect(FIELDS).toHaveLength(49);
  expect(fieldUnder({ x: 20, y: 400 })).toBe(null);
  expect(fieldUnder({ x: 400, y: 781 })).toBe(null);
});

test("the market ends at its edges", () => {
  expect([neighbour("a7", "n"), neighbour("a7", "e"), neighbour("a7", "s"), neighbour("a7", "w")]).toEqual([null, "b7", "a6", null]);
  expect(neighbours("d4")).toEqual(["d5", "e4", "d3", "c4"]);
});

test("a way goes on where it turned round a balcony", () => {
  const steps = stepsOf("a6", "n", "a7 b7s b6");
  expect(steps.map(({ field, heading, round }) => [field, heading, round])).toEqual([
    ["a7", "n", false],
    ["b7", "s", true],
    ["b6", "s", false],
  ]);
  for (const [k, from] of ["a6", "a7", "b7"].entries()) {
    const { x, y } = middle(from);
    expect(steps[k]!.path).toMatch(new RegExp(`^M${x} ${y}L`));
  }
});

test("two opposite corners have the same loop, turned round", () => {
  const points = (path: string) => path.match(/[\d.]+ [\d.]+/g)!.map((point) => point.split(" ").map(Number) as [number, number]);
  const turned = points(balcony("a1s a1w")).map(([x, y]) => [808 - x, 808 - y]);
  expect(turned).toEqual(points(balcony("g7n g7e")));
});
