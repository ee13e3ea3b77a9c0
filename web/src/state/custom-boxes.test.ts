import { expect, test } from "vitest";
import { boxesOf, storeBox, removeBox, toToml } from "./custom-boxes.svelte";

const parts = [
  { key: "rates", count: 4, example: "R=WW", row: 2, bounds: [] },
  { key: "wares", count: 2, example: "WWWRR", row: 0, bounds: [] },
];

test("a box is written as TOML", () => {
  const entries = { rates: ["R=WW", "", "B=GG", "Y=RR"], wares: ["WWWRR", 'a"b'] };
  expect(toToml("Leila's", parts, entries)).toBe(
    'about = "Leila\'s"\nrates = [\n ["R=WW", ""],\n ["B=GG", "Y=RR"],\n]\nwares = [\n "WWWRR", "a\\"b",\n]\n',
  );
});

test("boxes are kept by game, each once", () => {
  const box = { id: "1", name: "one", text: "a", ready: "" };
  storeBox("pig", box);
  storeBox("pig", { ...box, id: "2" });
  storeBox("pig", { ...box, name: "changed" });
  expect(boxesOf("pig").map(({ id, name }) => [id, name])).toEqual([
    ["1", "changed"],
    ["2", "one"],
  ]);
  expect(JSON.parse(localStorage.getItem("souk-boxes")!)).toHaveProperty("pig.length", 2);
  removeBox("pig", "1");
  expect(boxesOf("pig")).toHaveLength(1);
  expect(boxesOf("suleika")).toEqual([]);
});
