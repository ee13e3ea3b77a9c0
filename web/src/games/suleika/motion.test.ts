import { expect, test } from "vitest";
import { event } from "../../../tests/server";
import { BALCONY, CARD, duration, PAY, ROLL, STEP, TURN, UNROLL } from "./motion";
import type { Fact, Game } from "./types";

const REST = 140;
const walked: Fact = { is: "omar_walked", seat: 1, die: 3, start: "a6", faces: "n", way: "a7 b7s b6", at: "b6", ground: "other" };
const paid: Fact = { is: "paid", seat: 1, to: 0, owed: 2, paid: 2, area: ["b6", "b5"] };

test.each<[string, Fact[], number]>([
  ["Omar walks field by field and round balconies", [walked], ROLL + 2 * STEP + BALCONY + 250],
  ["coins travel when he has stopped", [walked, paid], ROLL + 2 * STEP + BALCONY + PAY],
  ["he turns", [{ is: "omar_turned", seat: 0, way: "left", faces: "w" }], TURN],
  ["a rug comes up", [{ is: "rug_came_up", seat: 0, rug: "r" }], CARD],
  ["a rug is unrolled", [{ is: "laid", seat: 0, colour: "r", fields: ["d5", "d6"], hides: [], area: 2 }], UNROLL],
  ["a move taken back takes no time", [], 0],
])("%s", (_, facts, time) => {
  expect(duration(event<Game>(1, { facts }))).toBe(time + REST);
});
