import { expect, test } from "vitest";
import { middle } from "./board/market";
import { outline, ribbonOf } from "./spoken";

const SIXTHS = [1, 2, 2, 1];

function corners(path: string): number[][][] {
  return path
    .split("Z")
    .filter(Boolean)
    .map((loop) =>
      loop
        .slice(1)
        .split("L")
        .map((point) => point.split(" ").map(Number)),
    );
}

test("a single square has four corners, moved inwards", () => {
  const { x, y } = middle("c3");
  const [loop] = corners(outline(["c3"], 5));
  expect(loop).toEqual([
    [x - 45, y - 45],
    [x + 45, y - 45],
    [x + 45, y + 45],
    [x - 45, y + 45],
  ]);
});

test("an angle has six corners, the inner one moved outwards of the gap", () => {
  const [loop] = corners(outline(["c3", "c4", "d3"], 5));
  const { x, y } = middle("c3");
  expect(loop).toHaveLength(6);
  expect(loop).toContainEqual([x + 45, y - 45]);
});

test("squares that touch at a corner only are outlined apart", () => {
  expect(corners(outline(["c3", "d4"], 5)).map((loop) => loop.length)).toEqual([4, 4]);
});

test("a hole is outlined too", () => {
  const ring = ["b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"];
  expect(corners(outline(ring, 5)).map((loop) => loop.length)).toEqual([4, 4]);
});

test("a ribbon leads through the stops, with what the die brings and costs", () => {
  const way = { faces: "w" as const, way: "b5 a5 a4e b4", pays: [0, 0, 0, 8], owed: [0, 0, 0, 8], to: [-1, -1, -1, 2] };
  const ribbon = ribbonOf("c5", way, SIXTHS);
  expect(ribbon.stops.map(({ field, faces, pays }) => [field, faces, pays])).toEqual([
    ["b5", 1, 0],
    ["a5", 2, 0],
    ["a4", 2, 0],
    ["b4", 1, 8],
  ]);
  expect(ribbon.heading).toBe("e");
  // slippers stand on their own squares, off the ribbon
  for (const { field, at } of ribbon.stops) {
    expect(Math.abs(at.x - middle(field).x)).toBeLessThan(50);
    expect(Math.abs(at.y - middle(field).y)).toBeLessThan(50);
  }
  expect(ribbon.path.match(/C/g)).toHaveLength(1);
  expect(ribbon.path.endsWith(`L${ribbon.end.x} ${ribbon.end.y}`)).toBe(true);
});

test("round a corner the ribbon follows the balcony's own loop", () => {
  const ribbon = ribbonOf("g6", { faces: "n", way: "g7 g7w f7 e7" }, SIXTHS);
  expect(ribbon.path.match(/C/g)!.length).toBeGreaterThan(0);
  expect(ribbon.path).not.toContain("NaN");
  expect(ribbon.stops.map(({ field }) => field)).toEqual(["g7", "g7", "f7", "e7"]);
});
