import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pass, view } from "../../../../tests/server";
import { settings } from "../../../state/settings.svelte";
import type { EventEffects, BasariGame } from "./event-effects";
import { FLIGHT, REVEAL, animationTime as timeOf, SCORING_STAYS, SCORING_READ } from "./pace";
import { BoardAnimation } from "./animation.svelte";

const now = view<BasariGame>({ position: { phase: "choose", choices: [null, null] } });
const scoring = { number: 1, majorities: [], besides: [] };
const nothing: EventEffects = { choices: null, lost: [], gems: [], points: [], scoring: null };
const round: EventEffects = { ...nothing, choices: ["A", "B"], lost: ["A"], points: [{ seat: 0, points: 3 }], scoring };
const atOnce = () => Promise.resolve();

beforeEach(() => {
  vi.useFakeTimers();
  settings.motion = "on";
});

afterEach(() => vi.useRealTimers());

test("cards are turned over, then points travel, then the scoring is read out, in the time that was announced", async () => {
  const animation = new BoardAnimation();
  void animation.show(round, now, atOnce, () => null);
  await pass(0);
  expect([animation.revealed, animation.lost, animation.revealing, animation.scoring]).toEqual([["A", "B"], ["A"], true, null]);
  await pass(REVEAL);
  expect([animation.revealing, animation.scoring]).toEqual([false, null]);
  await pass(FLIGHT);
  expect(animation.scoring).toEqual(scoring);
  await pass(SCORING_READ);
  expect(animation.scoring).toEqual(scoring); // stays up for slow readers
  await pass(SCORING_STAYS - SCORING_READ);
  expect(animation.scoring).toBe(null);
  expect(REVEAL + FLIGHT + SCORING_READ).toBe(timeOf(round));
});

test("what is newer is shown instead", async () => {
  const animation = new BoardAnimation();
  void animation.show(round, now, atOnce, () => null);
  await pass(REVEAL / 2);
  void animation.show({ ...nothing, choices: ["B", "C"] }, now, atOnce, () => null);
  await pass(REVEAL - 1);
  expect([animation.revealed, animation.revealing]).toEqual([["B", "C"], true]);
  animation.rest(now, 1);
  expect([animation.revealed, animation.revealing]).toEqual([null, false]);
  await pass(REVEAL + FLIGHT + SCORING_READ);
  expect(animation.scoring).toBe(null);
});

test("without motion the scoring stays as long, while the next round begins, until cards are turned over again", async () => {
  settings.motion = "off";
  const animation = new BoardAnimation();
  await animation.show(round, now, atOnce, () => null);
  expect([animation.scoring, animation.revealing]).toEqual([scoring, false]);
  await animation.show(nothing, now, atOnce, () => null);
  await pass(SCORING_STAYS - 1);
  expect(animation.scoring).toEqual(scoring);
  await animation.show({ ...nothing, choices: ["B", "C"] }, now, atOnce, () => null);
  expect(animation.scoring).toBe(null);
  await animation.show(round, now, atOnce, () => null);
  animation.rest(now, 1);
  expect(animation.scoring).toBe(null);
});

test("the last scoring can be looked at again, for as long as one likes", async () => {
  settings.motion = "off";
  const animation = new BoardAnimation();
  animation.again();
  expect([animation.scoring, animation.last]).toEqual([null, null]);
  await animation.show(round, now, atOnce, () => null);
  animation.close();
  expect([animation.scoring, animation.last]).toEqual([null, scoring]);
  animation.again();
  await pass(2 * SCORING_STAYS);
  expect(animation.scoring).toEqual(scoring);
});

test("the last scoring is still there when the page is loaded again, unless there was another meanwhile", async () => {
  settings.motion = "off";
  await new BoardAnimation().show(round, now, atOnce, () => null);
  const [again, later] = [new BoardAnimation(), new BoardAnimation()];
  again.rest(now, 1);
  expect([again.scoring, again.last]).toEqual([null, scoring]);
  later.rest(now, 2);
  expect(later.last).toBe(null);
});

test("while choices lie open it can be seen which are lost, however one came to the table", () => {
  const animation = new BoardAnimation();
  const choices = ["A", "B", "B", "B"];
  animation.rest(view<BasariGame>({ position: { phase: "haggle", choices }, scene: { lost: ["B"] } }), 0);
  expect([animation.revealed, animation.lost]).toEqual([choices, ["B"]]);
});
