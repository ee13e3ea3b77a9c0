import { expect, test } from "vitest";
import { averageOf, ownerOf, stopsOf } from "./scene";
import type { Way } from "./types";

const sixths = [1, 2, 2, 1];
const way: Way = { faces: "n", way: "d5 d6 d5s d4", owed: [0, 3, 0, 4], pays: [0, 3, 0, 2], to: [-1, 1, -1, 1] };

test("a way ends on each of its fields with the chance of all steps that lead there", () => {
  expect(stopsOf(way, sixths)).toMatchObject([
    { field: "d5", percent: 50, owed: 0 },
    { field: "d6", percent: 33, owed: 3, pays: 3, to: 1 },
    { field: "d4", percent: 17, owed: 4, pays: 2, to: 1 },
  ]);
});

test("a way costs what its stops cost, each as often as it comes", () => {
  expect(averageOf(way, sixths)).toBeCloseTo((2 * 3 + 1 * 2) / 6);
  expect(averageOf({ faces: "n", way: "d5" }, sixths)).toBe(0);
});

test("a colour belongs to the seat that plays with it", () => {
  const box = { colours: ["rg", "yb"], balconies: [], sixths: [] };
  expect([ownerOf(box, "g"), ownerOf(box, "y")]).toEqual([0, 1]);
});
