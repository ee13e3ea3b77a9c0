import { expect, test } from "vitest";
import { event } from "../../../../tests/server";
import { eventEffects as inBasari } from "../../basari/event-effects";
import { duration, together } from "../../basari/motion";
import type { Fact, Game } from "../../basari/types";
import { eventEffects as inCards } from "../../basari-cards/event-effects";
import { together as togetherInCards } from "../../basari-cards/motion";
import type { Fact as CardsFact, Game as Cards } from "../../basari-cards/types";
import type { MajorityScored } from "../types";

const basari = (...facts: Fact[]) => event<Game>(1, { facts });
const cards = (...facts: CardsFact[]) => event<Cards>(1, { facts });

const taken: Fact = { is: "gems_taken", seat: 2, gems: [1, 0, 0, 0], wanted: [1, 0, 0, 1] };
const none: Fact = { is: "gems_taken", seat: 0, gems: [0, 0, 0, 0], wanted: [1, 0, 0, 1] };
const agreed: Fact = { is: "haggle_ended", action: "gems", winner: 2, loser: 1, gems: [0, 2, 0, 0], opener: 1 };

test("gems pass from the one who gets the action to the other, and from the supply", () => {
  expect(inBasari(basari(agreed, taken)).gems).toEqual([
    { from: 2, to: 1, gems: [0, 2, 0, 0] },
    { from: null, to: 2, gems: [1, 0, 0, 0] },
  ]);
});

test("an empty supply sends nothing on its way", () => {
  expect(inBasari(basari(none))).toEqual({ choices: null, lost: [], gems: [], points: [], scoring: null });
});

test("gems go back to the supply", () => {
  expect(inCards(cards({ is: "gems_returned", seat: 3, gems: [0, 0, 1, 0] })).gems).toEqual([{ from: 3, to: null, gems: [0, 0, 1, 0] }]);
});

test("all choices are seen together, with what is lost of them", () => {
  const choices = ["gems", "gems", "gems", "points"];
  const points: Fact = { is: "points_scored", seat: 3, points: 5, action: "points" };
  const found = inBasari(basari({ is: "revealed", choices }, points, { is: "lost", action: "gems", seats: [0, 1, 2] }));
  expect([found.choices, found.lost, found.points.map(({ seat }) => seat)]).toEqual([choices, ["gems"], [3]]);
});

test("a scoring is what the majorities bring, and what comes besides", () => {
  const red: MajorityScored = { is: "majority_scored", colour: 0, seats: [1], points: 14, back: [3] };
  const found = inBasari(basari({ is: "scoring_began", number: 2 }, { is: "lap_scored", seat: 1, points: 10 }, red));
  expect(found.scoring).toMatchObject({ number: 2, majorities: [red], besides: [{ seat: 1, points: 10 }] });
  const deal = inCards(cards({ is: "deal_ended", number: 1 }, red, { is: "workers_scored", seat: 4, points: 12 }));
  expect(deal.scoring).toMatchObject({ number: 1, majorities: [red], besides: [{ seat: 4, points: 12 }] });
});

test("a figure walks for as long as its path, before what it brings", () => {
  const walked: Fact = { is: "figure_walked", seat: 0, die: 3, path: [5, 6, 7], again: true };
  const before = event<Game>(0).view;
  expect(duration(basari(walked), before)).toBe(520 + 3 * 150 + 120);
  expect(duration(basari(walked, { is: "points_scored", seat: 0, points: 8, action: "dice" }), before)).toBe(520 + 3 * 150 + 120 + 950);
});

test("an offer that has been topped is not waited for; what ends the haggle is", () => {
  const offer: Fact & CardsFact = { is: "offered", seat: 1, gems: [0, 0, 0, 1] };
  expect(together(basari(offer), basari(offer))).toBe(true);
  expect(togetherInCards(cards(offer, offer), cards(offer))).toBe(true);
  expect(together(basari(offer), basari(agreed))).toBe(false);
  expect(togetherInCards(cards(), cards(offer))).toBe(false);
});
