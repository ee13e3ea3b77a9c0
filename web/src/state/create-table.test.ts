import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GameCard, Lobby } from "../protocol/lobby";
import { RequestRefused } from "../net/api";
import { invitation, storeInvitations } from "./invitation-links";
import { botNames, fittingNames, levelBeside, playNow, usualLevel } from "./create-table";
import { settings } from "./settings.svelte";

const card = (game: string, usual: number): GameCard => ({
  game,
  players: [2, 3, 4],
  usual,
  options: {},
  choices: {},
  lesson: false,
  own_box: "",
});
const games = [card("suleika", 4), card("pig", 2)];
const women = ["Amina", "Leyla", "Zahra"];
const men = ["Yusuf", "Karim", "Idris", "Tarik"];
const names = [men, men, women, women, women, men]; // by the seats' figures
const lobby: Lobby = { version: 1, games, levels: ["trader", "merchant"], names, tables: [], announcement: "", more: false, public: false };

beforeEach(() => {
  localStorage.clear();
  Object.assign(settings, { name: "Bea", levels: {}, players: {} });
});

afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: string): Request[] {
  const asked: Request[] = [];
  vi.stubGlobal("fetch", (path: string, how: RequestInit) => {
    asked.push(new Request(new URL(path, location.href), how));
    return Promise.resolve(new Response(body, { status }));
  });
  return asked;
}

test("bots play at the level last chosen for a game, at first at the lowest", () => {
  expect(usualLevel(["vizier:quick", "merchant", "apprentice"], "pig")).toBe("apprentice");
  expect(usualLevel(["merchant:quick", "merchant:deep"], "pig")).toBe("merchant:quick");
  expect(usualLevel(["exec:./mine"], "pig")).toBe("exec:./mine");
  settings.levels["pig"] = "vizier";
  expect(usualLevel(["apprentice", "vizier"], "pig")).toBe("vizier");
  expect(usualLevel(["apprentice", "vizier"], "suleika")).toBe("apprentice");
  expect(usualLevel(["apprentice"], "pig")).toBe("apprentice");
});

test("who beats bots is offered the next level that there is", () => {
  const levels = ["apprentice", "merchant:quick", "merchant", "vizier:deep", "exec:./mine"];
  expect(levelBeside(levels, ["apprentice", "apprentice"], 1)).toBe("merchant");
  expect(levelBeside(levels, ["merchant:quick", "merchant"], 1)).toBe("vizier:deep");
  expect(levelBeside(levels, ["vizier:deep"], 1)).toBe("");
  expect(levelBeside(levels, ["apprentice", "merchant"], 1)).toBe("");
  expect(levelBeside(levels, ["exec:./mine"], 1)).toBe("");
  expect(levelBeside(levels, [], 1)).toBe("");
  expect(levelBeside(levels, ["vizier:deep"], -1)).toBe("merchant");
  expect(levelBeside(levels, ["apprentice"], -1)).toBe("");
});

test("bots have names of their own, of those that the server has for them", () => {
  expect(botNames(lobby, 5, ["Amina", "Tarik"]).toSorted()).toEqual(["Idris", "Karim", "Leyla", "Yusuf", "Zahra"]);
});

test("the names of bots fit the figures of their seats: who does not fit changes names, or gets another", () => {
  const bot = (name?: string) => ({ who: "bot", level: "trader", name });
  const seats = fittingNames(lobby, [bot("Leyla"), bot("Karim"), bot("Idris"), { who: "me", name: "Zahra" }, bot("Hal"), bot()]);
  expect(seats.slice(0, 5).map(({ name }) => name)).toEqual(["Idris", "Karim", "Leyla", "Zahra", "Hal"]);
  expect(["Yusuf", "Tarik"]).toContain(seats[5]!.name);
});

test("one press makes a table against bots, as many as is usual", async () => {
  const asked = answer(200, JSON.stringify({ table: "T1", invitations: {} }));
  expect(await playNow(lobby, "pig")).toBe("T1");
  const wish = (await asked[0]!.json()) as { game: string; seats: { who: string; name: string; level?: string }[] };
  expect(wish.game).toBe("pig");
  expect(wish.seats.toSorted((a, b) => b.who.localeCompare(a.who))).toMatchObject([
    { who: "me", name: "Bea" },
    { who: "bot", level: "trader" },
  ]);
  settings.players["pig"] = 4;
  await playNow(lobby, "pig");
  expect(((await asked[1]!.json()) as { seats: unknown[] }).seats.length).toBe(4);
});

test.each([
  [400, JSON.stringify({ reason: ["reason.full", {}] }), "reason.full"],
  [502, "<html>", "ui.no_server"],
])("a server that says no (%i) is heard", async (status, body, reason) => {
  answer(status, body);
  const refusal: unknown = await playNow(lobby, "pig").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RequestRefused);
  expect(refusal).toMatchObject({ status, reason: [reason, {}] });
});

test("a server that is not there is named as such", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await expect(playNow(lobby, "pig")).rejects.toMatchObject({ status: 0, reason: ["ui.no_server", {}] });
});

test("links of free seats are kept on this device, those of the latest thirty tables", () => {
  for (let k = 0; k < 31; k++) storeInvitations(`T${k}`, { 1: `secret${k}` });
  expect(invitation("T30", 1)).toBe(`${location.origin}/t/T30#sit=secret30`);
  expect([invitation("T30", 2), invitation("T0", 1)]).toEqual(["", ""]);
});
