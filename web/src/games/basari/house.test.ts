import { describe, expect, test } from "vitest";
import { build, cells, court, discs, figures, gemsIn, numberIn, planFor, TALL, WIDE } from "./house";

const HOUSES = [
  ["wide", WIDE, { width: 900, height: 560 }],
  ["tall", TALL, { width: 382, height: 360 }],
  ["narrow", TALL, { width: 352, height: 480 }],
  ["low", WIDE, { width: 480, height: 330 }],
] as const;

describe.each(HOUSES)("the %s house", (_, plan, room) => {
  const house = build(plan, room);

  test("has 28 bays, each beside the one before, and the first after the last", () => {
    const places = cells(plan);
    expect(new Set(places.map(([x, y]) => `${x} ${y}`)).size).toBe(28);
    for (const [k, [x, y]] of places.entries()) {
      const [nextX, nextY] = places[(k + 1) % 28]!;
      expect(Math.abs(nextX - x) + Math.abs(nextY - y)).toBe(1);
    }
  });

  test("goes clockwise from the far left corner", () => {
    expect(cells(plan).slice(0, 2)).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(house.bays[1]!.x).toBeCloseTo(house.bays[0]!.x + house.bays[0]!.width);
  });

  test("fits its room, and every bay is as large as a finger", () => {
    expect(house.width).toBeLessThanOrEqual(room.width + 0.01);
    expect(house.height).toBeLessThanOrEqual(room.height + 0.01);
    for (const { x, y, width, height } of house.bays) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(house.width + 0.01);
      expect(y + height).toBeLessThanOrEqual(house.height);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(room.width > 360 ? 40 : 43.5);
    }
  });

  test("has its court between the arcades", () => {
    const { x, y, width, height } = court(house);
    for (const bay of house.bays) {
      const beside = bay.x + bay.width <= x + 1 || bay.x >= x + width - 1;
      expect(beside || bay.y + bay.height <= y + 1 || bay.y >= y + height - 1).toBe(true);
    }
  });

  test("has number and gems inside each arch, and none on another", () => {
    for (const bay of house.bays)
      for (const n of [2, 3, 4]) {
        const { size, at } = gemsIn(house, bay, n);
        expect(at).toHaveLength(n);
        for (const gem of at) {
          expect(gem.x).toBeGreaterThanOrEqual(bay.x - 0.5);
          expect(gem.x + size).toBeLessThanOrEqual(bay.x + bay.width + 0.5);
          expect(gem.y).toBeGreaterThan(bay.y + bay.height * house.style.window);
          expect(gem.y + size).toBeLessThanOrEqual(bay.y + bay.height + 0.5);
        }
        const number = numberIn(house, bay);
        expect(number.y - number.size * 0.8).toBeGreaterThan(bay.y + bay.height * house.style.window);
      }
  });

  test("shows figures who share a window side by side, and in the middle of it", () => {
    for (const places of [
      [5, 5],
      [5, 5, 5],
      [5, 5, 5, 5],
    ]) {
      const there = figures(house, places).sort((a, b) => a.seat - b.seat);
      const { x, width } = house.bays[5]!;
      expect((there[0]!.x + there.at(-1)!.x) / 2).toBeCloseTo(x + width / 2);
      for (const [k, { size }] of there.entries()) {
        if (k) expect(there[k]!.x - there[k - 1]!.x).toBeGreaterThan(size * 0.6);
      }
      expect(there[0]!.x).toBeGreaterThan(x);
      expect(there.at(-1)!.x).toBeLessThan(x + width);
    }
  });

  test("shows a start disc whole beside a figure", () => {
    const [disc] = discs(house, [null, 9], [9, 3]);
    const [figure] = figures(house, [9, 3]).filter(({ seat }) => seat === 0);
    expect(disc!.x + disc!.size / 2).toBeLessThan(figure!.x);
  });
});

test("the house goes by the room there is", () => {
  expect(planFor(1280, 640)).toBe(WIDE);
  expect(planFor(382, 560)).toBe(TALL);
  expect(planFor(750, 330)).toBe(WIDE);
});
