/** Formats the examples that Python is tested with, too (tests/core/test_messages.py). */
import { expect, test, vi } from "vitest";
import shared from "../../../tests/messages.json";
import type { Told } from "../protocol/table";
import { loadLanguages, say, setNames, setLanguage } from "./translate.svelte";

interface Example {
  language: string;
  message: unknown;
  said: string;
  you?: number;
}

const texts: Record<string, object> = shared.languages;

test.each<Example>(shared.examples)("$language: $said", async ({ language, message, said, you = null }) => {
  vi.stubGlobal("fetch", (path: string) => Promise.resolve(new Response(JSON.stringify(answer(path)))));
  await loadLanguages();
  await setLanguage(language);
  setNames(shared.names, you, shared.gender);
  expect(say(message as Told)).toBe(said);
});

function answer(path: string): object {
  const all = Object.keys(texts).map((code) => ({ code, name: code, digest: "" }));
  return path === "/languages.json" ? { languages: all } : texts[path.replace(/^\/languages\/(\w+)\.json.*$/, "$1")]!;
}
