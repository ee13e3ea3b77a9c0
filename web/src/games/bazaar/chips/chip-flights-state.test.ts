import { beforeEach, expect, test } from "vitest";
import { event, view } from "../../../../tests/server";
import { settings } from "../../../state/settings.svelte";
import { chipsOf, drawn, land } from "./chip-flights-state.svelte";
import type { Game } from "../types";

const before = view<Game>({ position: { chips: [[2, 0, 0, 1, 0]] } });
const after = view<Game>({ position: { chips: [[4, 0, 0, 0, 0]] } });
let seq = 0;

beforeEach(() => {
  settings.motion = "on";
  seq += 1;
});

const traded = () => event<Game>(seq, { seat: 0, facts: [{ is: "traded", seat: 0, gives: "R", gets: "WW" }], view: after });

test("chips that are given are gone at once, chips that are got come when they have landed", () => {
  const trade = traded();
  expect(chipsOf(0, after, trade, before)).toEqual([2, 0, 0, 0, 0]);
  expect(drawn(after, trade, before)).toBe(before);
  land(trade);
  expect(chipsOf(0, after, trade, before)).toEqual([4, 0, 0, 0, 0]);
  expect(drawn(after, trade, before)).toBe(after);
});

test("where nothing moves, nothing is on its way", () => {
  settings.motion = "off";
  expect(chipsOf(0, after, traded(), before)).toEqual([4, 0, 0, 0, 0]);
  settings.motion = "on";
  expect(chipsOf(0, after, { ...traded(), taken_back: true }, before)).toEqual([4, 0, 0, 0, 0]);
  expect(chipsOf(0, after, null, null)).toEqual([4, 0, 0, 0, 0]);
});
