import { beforeEach, expect, test, vi } from "vitest";
import { settings } from "../state/settings.svelte";
import { hasText, language, loadLanguages, loadRules, rulesOf, say, sayAll, setNames, setLanguage, t } from "./translate.svelte";

const TEXTS: Record<string, unknown> = {
  "/languages.json": { languages: ["en", "de"].map((code) => ({ code, name: code, digest: `${code}1` })) },
  "/languages/en.json?v=en1": {
    word: { and: "and", seat: "seat" },
    ui: { cards: "{n} {n:card|cards}", gain: "{who} {n:+}", told: "{who} said: {what}.", given: "{who} gave {gems}" },
  },
  "/languages/de.json?v=de1": { word: { and: "und" } },
  "/languages/en/company.json?v=en1": { company: { call: "Call" } },
  "/languages/de/company.json?v=de1": { company: { call: "Rufen" } },
  "/languages/en/rules.json?v=en1": { suleika: [{ title: "Rugs", clauses: "S1", text: "…" }] },
  "/languages/de/rules.json?v=de1": { suleika: [{ title: "Teppiche", clauses: "S1", text: "…" }] },
};

beforeEach(async () => {
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(new Response(JSON.stringify(TEXTS[path]), { status: path in TEXTS ? 200 : 404 })),
  );
  settings.language = "en";
  setNames(["Amina", "Yusuf"]);
  await loadLanguages();
});

test("places take values, and words follow the number", () => {
  expect(t("ui.cards", { n: 1 })).toBe("1 card");
  expect(t("ui.cards", { n: 3 })).toBe("3 cards");
  expect(t("ui.gain", { who: "Amina", n: 3 })).toBe("Amina +3");
  expect(t("ui.gain", { who: "Amina" })).toBe("Amina {n:+}");
});

test("a message from the server names people, lists things and holds other messages", () => {
  expect(say(["ui.gain", { who: { seat: 1 }, n: 2 }])).toBe("Yusuf +2");
  expect(say(["ui.gain", { who: { seat: 5 }, n: 2 }])).toBe("seat 5 +2");
  expect(say(["ui.given", { who: { seat: 0 }, gems: { all: ["1", "2", ["ui.cards", { n: 1 }]] } }])).toBe("Amina gave 1, 2 and 1 card");
  expect(say(["ui.told", { who: { seat: 0 }, what: ["ui.cards", { n: 2 }] }])).toBe("Amina said: 2 cards.");
  expect(
    sayAll([
      ["ui.cards", { n: 1 }],
      ["ui.cards", { n: 2 }],
    ]),
  ).toBe("1 card 2 cards");
});

test("a key without a text is shown itself", () => {
  expect([hasText("ui.cards"), hasText("ui.nothing"), t("ui.nothing")]).toEqual([true, false, "ui.nothing"]);
});

test("rules come section by section once they are asked for, in whatever is spoken; a game without any has none", async () => {
  expect(rulesOf("suleika")).toEqual([]);
  await loadRules();
  expect(rulesOf("suleika").map(({ title }) => title)).toEqual(["Rugs"]);
  expect(rulesOf("pig")).toEqual([]);
  await setLanguage("de");
  expect(rulesOf("suleika").map(({ title }) => title)).toEqual(["Teppiche"]);
});

test("the language is the one that was set, else one the browser likes, else English", async () => {
  settings.language = "de";
  await loadLanguages();
  expect([language(), t("word.and"), document.documentElement.lang]).toEqual(["de", "und", "de"]);
  settings.language = "";
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr-FR", "de-AT"]);
  await loadLanguages();
  expect(language()).toBe("de");
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr-FR"]);
  await loadLanguages();
  expect(language()).toBe("en");
});

test("a language that cannot be fetched changes nothing", async () => {
  await expect(setLanguage("xx")).rejects.toThrow("404");
  expect([language(), t("word.and")]).toEqual(["en", "and"]);
});

test.each([
  ["en/company", "en/rules"],
  ["de", "de/rules", "de/company"],
])("what is asked for while the language changes comes in the new one, though %s be late", async (...late) => {
  keepWaiting(late);
  vi.resetModules(); // nothing was loaded yet
  const words = await import("./translate.svelte");
  await words.loadLanguages();
  await Promise.all([words.loadCompanyTexts(), words.loadRules(), words.setLanguage("de")]);
  const said = [words.t("company.call"), words.rulesOf("suleika")[0]?.title, words.t("word.and")];
  expect(said).toEqual(["Rufen", "Teppiche", "und"]);
});

test("of two languages asked for one after the other the latter is spoken, though its words came first", async () => {
  keepWaiting(["de"]);
  await Promise.all([setLanguage("de"), setLanguage("en")]);
  expect(language()).toBe("en");
});

/** Delay some texts. */
function keepWaiting(late: string[]): void {
  const arrived = fetch;
  vi.stubGlobal("fetch", async (path: string) => {
    if (late.some((each) => path.startsWith(`/languages/${each}.json`))) await new Promise((done) => setTimeout(done, 20));
    return arrived(path);
  });
}
