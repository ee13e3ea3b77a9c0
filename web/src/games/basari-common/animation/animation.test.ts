import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pass, view } from "../../../tests/server";
import { settings } from "../../lib/settings.svelte";
import type { Brought, Haggling } from "./brought";
import { FLIGHT, REVEAL, settling as timeOf, STAYS, TALLY } from "./pace";
import { Settling } from "./settling.svelte";

const now = view<Haggling>({ position: { phase: "choose", choices: [null, null] } });
const scoring = { number: 1, majorities: [], besides: [] };
const nothing: Brought = { choices: null, lost: [], gems: [], points: [], scoring: null };
const round: Brought = { ...nothing, choices: ["A", "B"], lost: ["A"], points: [{ seat: 0, points: 3 }], scoring };
const atOnce = () => Promise.resolve();

beforeEach(() => {
  vi.useFakeTimers();
  settings.motion = "on";
});

afterEach(() => vi.useRealTimers());

test("cards are turned over, then points travel, then the scoring is read out, in the time that was announced", async () => {
  const settling = new Settling();
  void settling.show(round, now, atOnce, () => null);
  await pass(0);
  expect([settling.revealed, settling.lost, settling.revealing, settling.scoring]).toEqual([["A", "B"], ["A"], true, null]);
  await pass(REVEAL);
  expect([settling.revealing, settling.scoring]).toEqual([false, null]);
  await pass(FLIGHT);
  expect(settling.scoring).toEqual(scoring);
  await pass(TALLY);
  expect(settling.scoring).toEqual(scoring); // for whoever has not read it yet
  await pass(STAYS - TALLY);
  expect(settling.scoring).toBe(null);
  expect(REVEAL + FLIGHT + TALLY).toBe(timeOf(round));
});

test("what is newer is shown instead", async () => {
  const settling = new Settling();
  void settling.show(round, now, atOnce, () => null);
  await pass(REVEAL / 2);
  void settling.show({ ...nothing, choices: ["B", "C"] }, now, atOnce, () => null);
  await pass(REVEAL - 1);
  expect([settling.revealed, settling.revealing]).toEqual([["B", "C"], true]);
  settling.rest(now, 1);
  expect([settling.revealed, settling.revealing]).toEqual([null, false]);
  await pass(REVEAL + FLIGHT + TALLY);
  expect(settling.scoring).toBe(null);
});

test("without motion the scoring stays as long, while the next round begins, until cards are turned over again", async () => {
  settings.motion = "off";
  const settling = new Settling();
  await settling.show(round, now, atOnce, () => null);
  expect([settling.scoring, settling.revealing]).toEqual([scoring, false]);
  await settling.show(nothing, now, atOnce, () => null);
  await pass(STAYS - 1);
  expect(settling.scoring).toEqual(scoring);
  await settling.show({ ...nothing, choices: ["B", "C"] }, now, atOnce, () => null);
  expect(settling.scoring).toBe(null);
  await settling.show(round, now, atOnce, () => null);
  settling.rest(now, 1);
  expect(settling.scoring).toBe(null);
});

test("the last scoring can be looked at again, for as long as one likes", async () => {
  settings.motion = "off";
  const settling = new Settling();
  settling.again();
  expect([settling.scoring, settling.last]).toEqual([null, null]);
  await settling.show(round, now, atOnce, () => null);
  settling.close();
  expect([settling.scoring, settling.last]).toEqual([null, scoring]);
  settling.again();
  await pass(2 * STAYS);
  expect(settling.scoring).toEqual(scoring);
});

test("the last scoring is still there when the page is loaded again, unless there was another meanwhile", async () => {
  settings.motion = "off";
  await new Settling().show(round, now, atOnce, () => null);
  const [again, later] = [new Settling(), new Settling()];
  again.rest(now, 1);
  expect([again.scoring, again.last]).toEqual([null, scoring]);
  later.rest(now, 2);
  expect(later.last).toBe(null);
});

test("while choices lie open it can be seen which are lost, however one came to the table", () => {
  const settling = new Settling();
  const choices = ["A", "B", "B", "B"];
  settling.rest(view<Haggling>({ position: { phase: "haggle", choices }, scene: { lost: ["B"] } }), 0);
  expect([settling.revealed, settling.lost]).toEqual([choices, ["B"]]);
});
