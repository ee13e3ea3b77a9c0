import { expect, test } from "vitest";
import { randomOrder, randomFirst, seatingOrder } from "./shuffle";

test("everybody has one seat, in every order that there is", () => {
  const seen = new Set(Array.from({ length: 400 }, () => randomOrder(3).join("")));
  expect([...seen].toSorted()).toEqual(["012", "021", "102", "120", "201", "210"]);
});

test("without lots I sit first, or where my colour is, and the others follow in their order", () => {
  expect(seatingOrder(4, null, false)).toEqual([0, 1, 2, 3]);
  expect(seatingOrder(4, 2, false)).toEqual([2, 3, 0, 1]);
});

test("with lots I keep the colour that I want, and sit anywhere where I want none", () => {
  const rounds = Array.from({ length: 200 }, () => seatingOrder(4, 1, true));
  expect(new Set(rounds.map((order) => order[1]))).toEqual(new Set([0]));
  expect(new Set(rounds.map((order) => order[0]))).toEqual(new Set([1, 2, 3]));
  expect(new Set(Array.from({ length: 200 }, () => seatingOrder(3, null, true).indexOf(0)))).toEqual(new Set([0, 1, 2]));
  expect(seatingOrder(1, null, true)).toEqual([0]);
});

test("anybody begins, where that is a seat; a game that draws it itself is left to it", () => {
  expect(new Set(Array.from({ length: 100 }, () => randomFirst({ first: 0 }, 2)["first"]))).toEqual(new Set([0, 1]));
  expect([randomFirst({ first: null }, 2), randomFirst({}, 2)]).toEqual([{}, {}]);
});
