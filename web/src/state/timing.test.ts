import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TimingNow } from "../protocol/table";
import { clockFigures, clockWords, TableTiming } from "./timing.svelte";

const TERMS = { kind: "game", seconds: 60 } as const;
const NOW: TimingNow = {
  is: "timing",
  clocks: { terms: TERMS, left: [40, 60], running: [0] },
  paused: false,
  proposal: { number: 1, what: "end", seat: 1, agreed: [1], missing: [0], lapses_in: 20 },
  away: [{ seat: 0, decide_in: 12, voices: [1], votes: {} }],
  out: [],
};

describe("a table's life", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("counts on from what the server said, and only where a clock runs", () => {
    const life = new TableTiming();
    life.take(NOW);
    vi.advanceTimersByTime(15_000);
    expect(life.left(0)).toBeCloseTo(25, 0);
    expect(life.left(1)).toBe(60);
    expect(life.away[0]!.wait).toBe(0);
    expect(life.proposal?.number).toBe(1);
    vi.advanceTimersByTime(40_000);
    expect(life.left(0)).toBe(0);
    expect(life.proposal).toBeNull();
    life.take({ ...NOW, clocks: null, proposal: null, away: [] });
    expect(life.left(0)).toBeNull();
    life.close();
  });

  it("says what is left", () => {
    expect([0, 6.2, 90, 3661].map(clockFigures)).toEqual(["0:00", "0:07", "1:30", "1:01:01"]);
    expect(clockWords(3 * 86_400)).toEqual(["clock.of_days", 3]);
    expect(clockWords(40_000)).toEqual(["clock.hours", 11]);
    expect(clockWords(7)).toEqual(["clock.seconds", 7]);
  });
});
