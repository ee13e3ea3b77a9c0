import { expect, test } from "vitest";
import { pips, placeWidth } from "./pips";

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])("%i chips lie beside each other, none on another", (count) => {
  const { spots, half } = pips(count);
  expect(spots).toHaveLength(count);
  for (const [k, [x, y]] of spots.entries()) {
    expect(Math.abs(y)).toBeLessThan(half);
    expect(2 * Math.abs(x) + 1).toBeLessThan(placeWidth(count));
    for (const [a, b] of spots.slice(0, k)) expect(Math.hypot(x - a, y - b)).toBeGreaterThan(0.99);
  }
});

test("ten chips of a colour take little more height than three rows", () => {
  expect(pips(10).half).toBeLessThan(2.1);
  expect(pips(1).half).toBeLessThan(0.6);
});
