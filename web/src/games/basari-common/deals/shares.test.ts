import { expect, test } from "vitest";
import { dealOf, isNothing, possibleAnswers, shares } from "./shares";
import type { Deal, Haggle } from "../types";

const haggle: Haggle = { action: "points", seats: [2, 0], turn: 0, offer: [0, 0, 0, 1], offerer: 2 };
const accept: Deal = { move: "accept", winner: 2, loser: 0, gems: [0, 0, 0, 1], scoring: 9 };
const cheapest: Deal = { move: "offer 1g", winner: 0, loser: 2, gems: [0, 0, 1, 0], scoring: 4 };
const dearer: Deal = { move: "offer 2b", winner: 0, loser: 2, gems: [0, 0, 0, 2], scoring: 5 };
const known = possibleAnswers([accept, cheapest, dearer]);

test("one gets the action and what it brings them, the other the gems; the onlooker comes first", () => {
  const gems = { seat: 0, action: null, worth: [0, 0, 0, 1] };
  const action = { seat: 2, action: "points", worth: 7 };
  expect(shares(accept, haggle, [7, 5], 0)).toEqual([gems, action]);
  expect(shares(accept, haggle, [7, 5], 2)).toEqual([action, gems]);
  expect(shares(cheapest, haggle, [7, 5], 0)[0]).toEqual({ seat: 0, action: "points", worth: 5 });
});

test("what dice or a card bring is not known before", () => {
  expect(shares(cheapest, haggle, undefined, 0)[0]).toEqual({ seat: 0, action: "points", worth: null });
});

test("to stop is one thing, to raise another", () => {
  expect(known).toEqual({ stop: accept, raises: [cheapest, dearer] });
  expect(possibleAnswers()).toEqual({ stop: null, raises: [] });
});

test("what I have laid down is a deal that is known, or one like it with other gems", () => {
  expect(dealOf("offer 2b", known)).toEqual(dearer);
  expect(dealOf("offer 1r1b", known)).toEqual({ move: "offer 1r1b", winner: 0, loser: 2, gems: [1, 0, 0, 1] });
  expect(dealOf("", known)).toBe(null);
  expect(dealOf("offer 1r", possibleAnswers([accept]))).toBe(null);
});

test("who passes gets nothing, and who takes gems from an empty supply still gets the action", () => {
  expect(isNothing({ seat: 0, action: null, worth: [0, 0, 0, 0] })).toBe(true);
  expect(isNothing({ seat: 0, action: "gems", worth: [0, 0, 0, 0] })).toBe(false);
});
