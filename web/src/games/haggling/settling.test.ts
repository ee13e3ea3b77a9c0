import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { event, pass, view } from "../../../tests/server";
import { settings } from "../../lib/settings.svelte";
import { FLIGHT, REVEAL, settling as timeOf, TALLY } from "./pace";
import { Settling } from "./settling.svelte";

const now = view({ position: { phase: "choose", choices: [null, null] } });
const scoring = { number: 1, colours: [], besides: [] };
const shown = { choices: ["A", "B"], lost: ["A"], points: [[0, 3]], scoring };
const nothing = () => Promise.resolve();

beforeEach(() => {
  vi.useFakeTimers();
  settings.motion = "on";
});

afterEach(() => vi.useRealTimers());

test("cards are turned over, then points travel, then the scoring is read out, in the time that was announced", async () => {
  const settling = new Settling();
  void settling.show(event(1, { shown }), now, nothing, () => null);
  await pass(0);
  expect([settling.revealed, settling.lost, settling.revealing, settling.scoring]).toEqual([["A", "B"], ["A"], true, null]);
  await pass(REVEAL);
  expect([settling.revealing, settling.scoring]).toEqual([false, null]);
  await pass(FLIGHT);
  expect(settling.scoring).toEqual(scoring);
  await pass(TALLY);
  expect(settling.scoring).toBe(null);
  expect(REVEAL + FLIGHT + TALLY).toBe(timeOf({ ...shown, points: [[0, 3]] }));
});

test("what is newer is shown instead", async () => {
  const settling = new Settling();
  void settling.show(event(1, { shown }), now, nothing, () => null);
  await pass(REVEAL / 2);
  void settling.show(event(2, { shown: { choices: ["B", "C"] } }), now, nothing, () => null);
  await pass(REVEAL - 1);
  expect([settling.revealed, settling.revealing]).toEqual([["B", "C"], true]);
  settling.rest(now);
  expect([settling.revealed, settling.revealing]).toEqual([null, false]);
  await pass(REVEAL + FLIGHT + TALLY);
  expect(settling.scoring).toBe(null);
});

test("without motion the scoring stays until something new happens", async () => {
  settings.motion = "off";
  const settling = new Settling();
  await settling.show(event(1, { shown }), now, nothing, () => null);
  expect([settling.scoring, settling.revealing]).toEqual([scoring, false]);
  settling.rest(now);
  expect(settling.scoring).toBe(null);
});
