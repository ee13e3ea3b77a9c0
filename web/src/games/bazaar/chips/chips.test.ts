import { expect, test } from "vitest";
import { colourOf, counts, inWords, more, total, traded } from "./chips";

test("a bag is counted by colour", () => {
  expect(counts("WWRY")).toEqual([2, 0, 0, 1, 1]);
  expect(counts("")).toEqual([0, 0, 0, 0, 0]);
  expect([colourOf("W"), colourOf("Y"), total(counts("WWRY"))]).toEqual(["white", "yellow", 4]);
});

test("a trade gives one side and takes the other", () => {
  expect(traded([0, 0, 0, 1, 2], "R>WW")).toEqual([2, 0, 0, 0, 2]);
});

test("what lacks nothing has nothing more", () => {
  expect(more([2, 0, 1, 0, 0], [1, 1, 1, 0, 0])).toEqual([1, 0, 0, 0, 0]);
});

test("words name only the colours that are there", () => {
  expect(inWords("WR").all).toEqual(["bazaar.word.chips.white", "bazaar.word.chips.red"]);
});
