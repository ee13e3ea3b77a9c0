import { expect, test } from "vitest";
import type { AnalysedStep, AnalysisView } from "../protocol/analysis";
import { mistakesOf, momentAfter, momentBefore, momentsOf, openingOf, spread } from "./mistakes";

function step(more: Partial<AnalysedStep> = {}): AnalysedStep {
  return { seat: 0, kind: "move", after: [0.5, 0.5], luck: [0, 0], gifts: [0, 0], ...more };
}

function analysis(...steps: AnalysedStep[]): AnalysisView {
  const balance = { start: 0.5, luck: 0, own: 0, others: 0, result: 0.5 };
  return { start: [0.5, 0.5], seats: [balance, balance], steps };
}

const LUCK = step({ seat: null, kind: "chance", weight: 0.3 });
const SLIP = step({ seat: 1, mark: "inaccuracy", loss: 0.03 });
const BLUNDER = step({ seat: 0, mark: "blunder", loss: 0.2 });

test("an analysis opens at my first mistake, not at an earlier one of somebody else", () => {
  const moments = momentsOf(analysis(LUCK, SLIP, step(), BLUNDER, BLUNDER));
  expect(openingOf(moments, [0])?.at).toBe(4);
  expect(openingOf(moments, [1])?.at).toBe(2);
});

test("without a mistake of mine it opens at the first of anybody, and luck is none", () => {
  expect(openingOf(momentsOf(analysis(LUCK, SLIP)), [0])?.at).toBe(2);
  expect(openingOf(momentsOf(analysis(SLIP, BLUNDER)), [])?.at).toBe(1);
  expect(openingOf(momentsOf(analysis(LUCK, step())), [0])).toBeNull();
});

test("mistakes come in the order of the game, and only those of the seats", () => {
  const moments = momentsOf(analysis(BLUNDER, SLIP, LUCK, BLUNDER));
  expect(moments.map(({ mark }) => mark)).toEqual(["blunder", "inaccuracy", "luck", "blunder"]);
  expect(mistakesOf(moments, [0]).map((each) => each.step)).toEqual([1, 4]);
  expect(mistakesOf(moments, [0, 1]).map((each) => each.step)).toEqual([1, 2, 4]);
});

test("a mistake in a secret choice is looked at once the choices are revealed", () => {
  const secret = (seat: number, mark = "") => step({ kind: "secret", seat, mark, loss: mark ? 0.1 : 0 });
  const moments = momentsOf(analysis(step(), secret(0, "mistake"), secret(1), step({ mark: "mistake", loss: 0.1 })));
  expect(moments.map((each) => [each.step, each.at])).toEqual([
    [2, 3],
    [4, 4],
  ]);
});

test("from any step there is a next mistake and one before, if there are any", () => {
  const moments = momentsOf(analysis(step(), BLUNDER, step(), SLIP));
  expect(momentAfter(moments, 0)?.at).toBe(2);
  expect(momentAfter(moments, 2)?.at).toBe(4);
  expect(momentAfter(moments, 4)).toBeNull();
  expect(momentBefore(moments, 4)?.at).toBe(2);
  expect(momentBefore(moments, 3)?.at).toBe(2);
  expect(momentBefore(moments, 2)).toBeNull();
});

test("numbers on the graph stand apart and within it", () => {
  expect(spread([50, 52, 54], 10, 100)).toEqual([50, 60, 70]);
  expect(spread([0, 96, 99], 10, 100)).toEqual([5, 85, 95]);
  expect(spread([], 10, 100)).toEqual([]);
});
