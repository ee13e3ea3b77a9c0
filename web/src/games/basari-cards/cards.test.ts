import { expect, test } from "vitest";
import { readCard } from "./cards";

test("a card is read from its text", () => {
  expect(readCard("2/5/RYBB")).toEqual({ workers: 2, points: 5, gems: [1, 1, 0, 2] });
  expect(readCard("1/12/GG")).toEqual({ workers: 1, points: 12, gems: [0, 0, 2, 0] });
});
