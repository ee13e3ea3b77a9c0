import { expect, test } from "vitest";
import { event } from "../../../../tests/server";
import { duration } from "../motion";
import { chipTransfers, together } from "./chip-changes";
import type { Fact, Game } from "../types";

const happened = (...facts: Fact[]) => event<Game>(1, { facts });
const sale = { seat: 2, rest: 0, plain: 5, star: 0, empty_stall: 0, actions: 0 };
const white: Fact = { is: "die_thrown", seat: 0, face: "white" };
const gone: Fact = { is: "bank_out", seat: 0, chip: "W" };

test.each<[string, Fact[], [number, string, string] | null]>([
  ["a roll brings a chip", [white, { is: "chip_taken", seat: 0, chip: "W", by: "die" }], [0, "", "W"]],
  ["a bank that is out brings none", [white, gone], null],
  ["a trade goes both ways", [{ is: "traded", seat: 1, gives: "R", gets: "WW" }], [1, "R", "WW"]],
  ["a surplus goes back from its holder", [{ is: "chip_returned", seat: 1, chip: "B", by: 2 }], [1, "B", ""]],
  ["to keep one's chips moves none", [{ is: "bought_nothing", seat: 1 }], null],
])("%s", (_, facts, moved) => {
  const found = chipTransfers(happened(...facts));
  expect(found && [found.seat, found.gives, found.gets]).toEqual(moved);
});

test("two wares cost the chips of both", () => {
  const sold = (stall: number, ware: string): Fact => ({ ...sale, is: "sold", stall, ware, points: 5 });
  expect(chipTransfers(happened(sold(1, "WWRRY"), sold(3, "WBBGR")))).toEqual({ seat: 2, gives: "WWWBBGRRRY", gets: "" });
  expect(together(["RW", "BW"])).toBe("WWBR");
});

test("what moves is shown for as long as it moves", () => {
  const chip: Fact = { is: "chip_taken", seat: 0, chip: "W", by: "die" };
  const trade: Fact = { is: "traded", seat: 1, gives: "R", gets: "WW" };
  const times = [happened(white, chip), happened(white, gone), happened(trade), happened({ is: "rolled", seat: 0 })].map(duration);
  expect(times).toEqual([1750, 1270, 1350, 0]);
  expect(duration({ ...happened(), taken_back: true })).toBe(420);
});
