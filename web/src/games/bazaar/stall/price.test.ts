import { expect, test } from "vitest";
import { dotsOf, goodsSpots } from "./price";

const states = (ware: string, now: number[], then: number[]) => dotsOf(ware, now, then).map(({ state }) => state);

test("without a trade a chip is held or open", () => {
  expect(states("WWWWR", [3, 0, 0, 1, 0], [3, 0, 0, 1, 0])).toEqual(["held", "held", "held", "open", "held"]);
});

test("a trade brings some chips and gives others away", () => {
  expect(states("WWWWR", [3, 2, 1, 2, 0], [4, 0, 0, 1, 0])).toEqual(["held", "held", "held", "gained", "held"]);
  expect(states("BBYYY", [3, 2, 1, 2, 0], [4, 0, 0, 1, 0])).toEqual(["given", "given", "open", "open", "open"]);
});

test("the chips keep the order of the ware", () => {
  expect(dotsOf("WR", [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]).map(({ colour }) => colour)).toEqual(["white", "red"]);
});

test.each(["jug", "roll"])("as many goods stand there as are left, inside the stall (%s)", (kind) => {
  for (const left of [0, 1, 2, 3, 4, 5]) {
    const spots = goodsSpots(kind, left, 212, 76);
    expect(spots).toHaveLength(left);
    expect(new Set(spots.map(String)).size).toBe(left);
    expect(spots.every(([x]) => x >= 35 && x <= 177)).toBe(true);
  }
});
