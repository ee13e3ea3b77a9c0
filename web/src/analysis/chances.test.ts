import { expect, test } from "vitest";
import type { AnalysisView, AnalysedStep } from "../protocol/analysis";
import { actionsOf, chancesOf, curves, line, markOf, revealedAt, marksThatFit, stepAt, turningPoints, unanalysedEvents } from "./chances";

function step(more: Partial<AnalysedStep> = {}): AnalysedStep {
  return { seat: 0, kind: "move", after: [0.5, 0.5], luck: [0, 0], gifts: [0, 0], ...more };
}

function analysis(...steps: AnalysedStep[]): AnalysisView {
  const balance = { start: 0.5, luck: 0, own: 0, others: 0, result: 0.5 };
  return { start: [0.5, 0.5], seats: [balance, balance], steps };
}

test("chances begin before the first event", () => {
  expect(chancesOf(analysis(step({ after: [0.6, 0.4] })))).toEqual([
    [0.5, 0.5],
    [0.6, 0.4],
  ]);
});

test("every seat has a line from the foot of the field to its top", () => {
  const [low, high] = curves(
    [
      [0.25, 0.75],
      [1, 0],
    ],
    100,
    40,
  );
  expect(low).toBe("0.0,30.0 100.0,0.0");
  expect(high).toBe("0.0,10.0 100.0,40.0");
});

test("alone what it comes to is counted in actions, fewer being better", () => {
  const balance = { start: -7, luck: 1, own: -2, others: 0, result: -8 };
  const alone = { start: [1], seats: [balance], steps: [step({ luck: [1], gifts: [0] }), step({ luck: [0], gifts: [-2] })] };
  expect(actionsOf(alone)).toEqual([7, 6, 8]);
  expect(line([6, 8], 5, 9, 10, 40)).toBe("0.0,30.0 10.0,10.0");
});

test("an error is marked by its word, a die where it mattered", () => {
  expect(markOf(step({ mark: "blunder", weight: 0.2 }))).toBe("blunder");
  expect(markOf(step({ kind: "chance", weight: 0.2 }))).toBe("luck");
  expect(markOf(step({ kind: "chance", weight: 0.01 }))).toBe("");
  expect(markOf(step({ kind: "chance", weight: 0.2 }), true)).toBe("");
});

test("the weightiest turning points come first, and what hardly mattered is none", () => {
  const found = turningPoints(
    analysis(
      step({ loss: 0.03, weight: 0.9 }),
      step({ kind: "chance", weight: 0.2 }),
      step({ loss: 0.001 }),
      step({ loss: 0.12, mark: "blunder" }),
    ),
  );
  expect(found.map(({ step }) => step)).toEqual([2, 4, 1]);
  expect(found.map(({ mark }) => mark)).toEqual(["luck", "blunder", ""]);
});

test("where there is room for one mark only it is the weightiest", () => {
  const marks = [
    { step: 50, mark: "blunder" as const, weight: 0.3 },
    { step: 51, mark: "luck" as const, weight: 0.2 },
    { step: 90, mark: "luck" as const, weight: 0.1 },
    { step: 10, mark: "" as const, weight: 0.1 },
  ];
  expect(marksThatFit(marks, 200, 100, 17).map(({ step }) => step)).toEqual([50, 90]);
});

test("a touch goes to the nearest step", () => {
  expect([-5, 0, 51, 99, 300].map((x) => stepAt(x, 100, 10))).toEqual([0, 0, 5, 10, 10]);
});

test("what has not been looked at reaches from the beginning to the last of it", () => {
  expect(unanalysedEvents(analysis(step({ unseen: true }), step({ unseen: true }), step()))).toBe(2);
  expect(unanalysedEvents(analysis(step()))).toBe(0);
});

test("secret choices are told together, with the last of them", () => {
  const secret = (seat: number) => step({ kind: "secret", seat });
  const steps = [step(), secret(0), secret(1), step()];
  expect(revealedAt(steps, 2)).toEqual([]);
  expect(revealedAt(steps, 3).map(({ step, turning }) => [step, turning.seat])).toEqual([
    [2, 0],
    [3, 1],
  ]);
  expect(revealedAt(steps, 4)).toEqual([]);
});
