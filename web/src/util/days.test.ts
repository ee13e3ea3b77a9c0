import { beforeEach, expect, test } from "vitest";
import { daysAfter, inShort, inWords, isDate, today } from "./days";
import { distribution, recordSolved, solvedBefore, streak } from "../state/solved-puzzles.svelte";

beforeEach(() => localStorage.clear());

test("today is the day where the browser is, not the one in Greenwich", () => {
  expect(today(new Date(2026, 10, 16, 0, 5))).toBe("2026-11-16");
  expect(today(new Date(2026, 10, 16, 23, 55))).toBe("2026-11-16");
});

test("days before and after, over months, years and the end of summer time", () => {
  expect(daysAfter("2026-11-16", 1)).toBe("2026-11-17");
  expect(daysAfter("2026-12-31", 1)).toBe("2027-01-01");
  expect(daysAfter("2028-03-01", -1)).toBe("2028-02-29");
  expect(daysAfter("2026-10-24", 2)).toBe("2026-10-26");
});

test("what is a date", () => {
  expect(isDate("2026-11-16")).toBe(true);
  for (const text of ["", "today", "2026-02-30", "2026-1-1", "20261116"]) expect(isDate(text)).toBe(false);
});

test("dates in words", () => {
  expect(inWords("2026-11-16", "de")).toBe("Montag, 16. November 2026");
  expect(inWords("2026-11-16", "en-GB", false)).toBe("16 November 2026");
  expect(inShort("2026-11-16", "nl")).toBe("16 nov");
});

test("only the first solution counts; a streak is of days on which that day's puzzle was solved", () => {
  const now = today();
  expect(streak()).toBe(0);
  recordSolved(now, "bazaar", "easy", 2, 6);
  recordSolved(now, "bazaar", "easy", 3, 5);
  expect(solvedBefore(now, "bazaar", "easy")).toEqual({ stars: 2, actions: 6, on: now });
  expect(streak()).toBe(1);
  recordSolved(daysAfter(now, -1), "bazaar", "easy", 3, 5); // from the archive
  expect(streak()).toBe(1);
  expect(streak(daysAfter(now, 1))).toBe(1); // can still be continued tomorrow
  expect(streak(daysAfter(now, 2))).toBe(0);
  expect(distribution("bazaar", "easy")).toEqual([0, 0, 1, 1]);
  expect(distribution("bazaar", "hard")).toEqual([0, 0, 0, 0]);
  expect(JSON.parse(localStorage.getItem("souk-puzzles")!)).toHaveProperty([`${now}/bazaar/easy`]);
});
