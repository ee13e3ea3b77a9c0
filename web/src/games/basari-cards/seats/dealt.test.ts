import { expect, test } from "vitest";
import type { Told } from "../../../protocol/table";
import type { CardsPosition } from "../types";
import { lying, turnedUp } from "./dealt";

const gems = [
  ["basari-common.gems.red", { n: 2 }],
  ["basari-common.gems.blue", { n: 1 }],
];
const card = (workers: number): Told => ["basari-cards.told.card", { workers, points: 4, gems: { all: gems } }];
const dealt = (seat: number, workers: number): Told => ["basari-cards.told.is_dealt", { who: { seat }, card: card(workers) }];
const drawn = (seat: number, workers: number): Told => ["basari-cards.told.draws", { who: { seat }, card: card(workers) }];
const over: Told = ["basari-cards.told.deal_over", { n: 1 }];
const line = (...told: Told[]) => ({ told });

const position = (workers: number[], cards: (string | null)[]) => ({ workers, cards }) as CardsPosition;

test("everybody's cards are told apart, and those of the deal before are gone once the next begins", () => {
  const first = [line(dealt(0, 2)), line(dealt(1, 3)), line(["basari-common.told.offers", {}], drawn(1, 4)), undefined, line(over)];
  expect(turnedUp(first, 2).map((cards) => cards.map(({ workers }) => workers))).toEqual([[2], [3, 4]]);
  expect(turnedUp([...first, line(dealt(0, 1))], 2).map((cards) => cards.length)).toEqual([1, 0]);
});

test("the card of this round lies on top, also of one drawn after it", () => {
  const [cards] = turnedUp([line(dealt(0, 2)), line(dealt(0, 3)), line(drawn(0, 4))], 1);
  expect(lying(position([9], ["3/5/RGB"]), 0, cards!, 5)).toEqual({ rest: 0, older: [2, 4], card: "3/5/RGB", bare: "" });
  expect(lying(position([9], [null]), 0, cards!, 5)).toEqual({ rest: 0, older: [2, 3, 4], card: null, bare: "4/4/RRB" });
});

test("where the log says less than the position, and of many cards, workers are only counted", () => {
  const [cards] = turnedUp(
    [1, 2, 3, 4, 1].map((n) => line(dealt(0, n))),
    1,
  );
  expect(lying(position([14], ["1/7/YB"]), 0, cards!, 5)).toEqual({ rest: 13, older: [], card: "1/7/YB", bare: "" });
  expect(lying(position([11], ["1/7/YB"]), 0, cards!, 3)).toEqual({ rest: 3, older: [3, 4], card: "1/7/YB", bare: "" });
  expect(lying(position([0], [null]), 0, cards!, 3)).toEqual({ rest: 0, older: [], card: null, bare: "" });
});
