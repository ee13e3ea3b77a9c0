import { expect, test } from "vitest";
import { layoutOf, middleOf, sidesOf, standing } from "./layout";

test.each([
  [913, 660, "wide"],
  [795, 620, "wide"],
  [1900, 1230, "wide"],
  [382, 510, "tall"],
  [795, 830, "tall"],
  [740, 336, "low"],
])("a box of %i x %i is laid %s", (width, height, shape) => {
  expect(layoutOf(width, height).shape).toBe(shape);
});

test("twice the box is the same table at twice the size", () => {
  const [once, twice] = [layoutOf(913, 660), layoutOf(1826, 1320)];
  expect(twice.unit).toBeCloseTo(2 * once.unit);
  expect(middleOf(twice, 1826, 1320, false).y).toBeCloseTo(2 * middleOf(once, 913, 660, false).y);
});

test("the first to play after me sits on my left, the last on my right", () => {
  expect(sidesOf(2)).toEqual(["left", "right"]);
  expect(sidesOf(4)).toEqual(["left", "top", "top", "right"]);
});

test("everybody stands behind a wide table, in the order they sit, and nobody behind a small one", () => {
  const wide = standing([1, 2, 3, 4], layoutOf(913, 660), 913);
  expect(wide.map(({ seat }) => seat)).toEqual([1, 2, 3, 4]);
  expect(wide.map(({ x }) => x)).toEqual(wide.map(({ x }) => x).toSorted((one, other) => one - other));
  expect(standing([1, 2], layoutOf(382, 510), 382)).toEqual([]);
});
