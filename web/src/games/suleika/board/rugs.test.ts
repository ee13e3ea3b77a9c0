import { expect, test } from "vitest";
import { halfAt, RugLayout } from "./rugs";

/** A board from its rug halves, such as { d4: "r1" }; all else is bare. */
function board(halves: Record<string, string>): string[][] {
  return [..."7654321"].map((row) => [..."abcdefg"].map((column) => halves[column + row] ?? ""));
}

test("rugs lie as two halves or as one, the oldest first", () => {
  const rugs = new RugLayout().rugs(board({ c3: "b2", c4: "b2", d4: "r1", e4: "y3", e5: "y3" }), { d4: "w" });
  expect(rugs.map(({ number, colour, fields }) => [number, colour, fields])).toEqual([
    [1, "red", ["d4"]],
    [2, "blue", ["c4", "c3"]],
    [3, "yellow", ["e5", "e4"]],
  ]);
  expect(halfAt(board({ c3: "b2" }), "c3")).toBe("b2");
});

test("rugs keep the way they lay when a half is covered", () => {
  const lying = new RugLayout();
  lying.rugs(board({ c4: "r1", d4: "r1" }), {});
  const covered = board({ d4: "r1", d5: "b2", d6: "b2", c4: "y3", c3: "y3" });
  expect(lying.rugs(covered, { d4: "n" })[0]).toMatchObject({ number: 1, fields: ["d4"], towards: "w" });
});

test("rugs that were never seen whole lie as the scene has it", () => {
  const [red, yellow] = new RugLayout().rugs(board({ d4: "r2", e4: "y1", d3: "b3", d2: "b3" }), { d4: "s", e4: "w" });
  expect([red, yellow].map((rug) => [rug!.colour, rug!.towards])).toEqual([
    ["yellow", "w"],
    ["red", "s"],
  ]);
});
