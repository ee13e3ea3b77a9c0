import { expect, test } from "vitest";
import { swaysOf } from "./sway";

const LEAST = 0.005;

function percent(bar: { share: number }[]): number {
  return Math.round(100 * bar.reduce((sum, { share }) => sum + share, 0));
}

test("sums beyond a whole game become parts of 100 %", () => {
  const sways = swaysOf({ start: 0.25, luck: -0.64, own: -1.37, others: 2.05, result: 0.29 }, LEAST);
  expect(sways.lifted).toEqual([{ part: "others", share: 1 }]);
  expect(sways.pulled).toEqual([
    { part: "own", share: 0.68 },
    { part: "luck", share: 0.32 },
  ]);
});

test("luck stands with what lifted if it was good", () => {
  const sways = swaysOf({ start: 0.28, luck: 0.27, own: -0.09, others: 0.54, result: 1 }, LEAST);
  expect(sways.lifted.map(({ part }) => part)).toEqual(["others", "luck"]);
  expect(sways.pulled).toEqual([{ part: "own", share: 1 }]);
});

test("every bar is 100 % or empty, whatever the figures", () => {
  for (let k = 0; k < 500; k++) {
    const wave = (n: number) => 3 * Math.sin(n * k);
    const balance = { start: 0.5, luck: wave(7), own: -Math.abs(wave(3)), others: Math.abs(wave(5)), result: 0.5 };
    const { lifted, pulled } = swaysOf(balance, LEAST);
    for (const bar of [lifted, pulled]) {
      expect(percent(bar)).toBe(bar.length ? 100 : 0);
      for (const { share } of bar) expect(share >= 0 && share <= 1).toBe(true);
    }
  }
});

test("what hardly counts is left out, and nothing at all makes an empty bar", () => {
  expect(swaysOf({ start: 0.5, luck: 0.001, own: -0.3, others: -0, result: 0.2 }, LEAST)).toEqual({
    lifted: [],
    pulled: [{ part: "own", share: 1 }],
  });
  expect(swaysOf({ start: 1, luck: 0, own: 0, others: 0, result: 1 }, LEAST)).toEqual({ lifted: [], pulled: [] });
});
