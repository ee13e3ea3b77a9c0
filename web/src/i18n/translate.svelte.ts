/**
 * Translations. The templates work as in `souk/core/messages.py`; tests/messages.json tests both.
 */
import type { LanguageCard, Languages } from "../protocol/lobby";
import type { Told } from "../protocol/table";
import { pluralForm, formatNumber } from "./plurals";
import { settings } from "../state/settings.svelte";

export interface Section {
  title: string;
  clauses: string;
  picture?: string;
  text: string;
}

interface Texts {
  [name: string]: string | Texts;
}
type RuleBooks = Record<string, Section[]>; // by game
type Value = unknown;

const PLACE = /\{(\w+)(?::([^{}]*))?\}/g;
const FIGURES = /^(\+?)(?:\.(\d))?(%?)$/; // number format

let spoken = $state.raw<{ all: LanguageCard[]; now: string; flat: Map<string, string>; parts: string[]; rules: RuleBooks | null }>({
  all: [],
  now: "",
  flat: new Map(),
  parts: [], // optional parts loaded so far
  rules: null, // null until opened
});
let wished = ""; // the language requested last; its texts may still be loading
interface Company {
  names: string[]; // by seat
  you: number | null; // the reader's seat, if exactly one
  gender: string[]; // by seat: "she" or "he", "" if unknown
}
let company = $state.raw<Company>({ names: [], you: null, gender: [] });

/** The current language. */
export function language(): string {
  return spoken.now;
}

/** The available languages. */
export function languages(): LanguageCard[] {
  return spoken.all;
}

/** Load the list of languages and speak the configured one, else the browser's, else English. */
export async function loadLanguages(): Promise<void> {
  const { languages: all } = await fetchJson<Languages>("/languages.json");
  spoken = { ...spoken, all };
  const wished = [settings.language, ...navigator.languages.map((each) => each.slice(0, 2).toLowerCase())];
  await setLanguage(wished.find((each) => all.some(({ code }) => code === each)) ?? "en");
  $effect.root(() => {
    $effect(() => {
      // set here or in another tab
      if (settings.language && settings.language !== spoken.now) void setLanguage(settings.language);
    });
  });
}

/** Switch languages; the latest request wins. */
export async function setLanguage(code: string): Promise<void> {
  wished = code;
  const { parts, rules: read } = spoken;
  const [rules, ...texts] = await Promise.all([
    read && fetchTexts<RuleBooks>(code, "/rules"),
    ...["", ...parts].map((part) => fetchTexts<Texts>(code, part)),
  ]);
  if (wished !== code) return;
  // more parts were loaded meanwhile, in the previous language
  if (spoken.parts !== parts || !spoken.rules !== !read) return setLanguage(code);
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- it never changes: another language has another
  spoken = { ...spoken, now: code, flat: new Map(texts.flatMap((each) => [...flatten(each, "")])), rules };
  document.documentElement.lang = code;
}

/** Load an optional part of the texts. */
async function learn(part: string): Promise<void> {
  await Promise.resolve(); // outside the caller's reactive context, or it would run again
  if (spoken.parts.includes(part)) return;
  const { now } = spoken;
  const more = await fetchTexts<Texts>(now, part);
  if (spoken.now !== now) return learn(part); // the language changed meanwhile
  spoken = { ...spoken, parts: [...spoken.parts, part], flat: new Map([...spoken.flat, ...flatten(more, "")]) };
}

/**
 * Load texts not needed at first: refusals, clocks, custom boxes. Falls back to keys if they cannot
 * be loaded.
 */
export async function loadLaterTexts(): Promise<void> {
  await learn("/later").catch(() => undefined);
}

/** Load texts for play with other people: chat and invitations. */
export async function loadCompanyTexts(): Promise<void> {
  await learn("/company");
}

/** Load the texts of events. */
export async function loadEventTexts(): Promise<void> {
  await learn("/events");
}

/** Run `then` once a message can be shown: texts of refusals may have to be loaded first. */
export function whenLoaded(message: Told, then: () => void): void {
  if (hasText(message[0]) || !message[0].startsWith("table.refused.")) then();
  else void loadLaterTexts().then(then);
}

/** Load the rules of all games. */
export async function loadRules(): Promise<void> {
  await Promise.resolve(); // outside the caller's reactive context, or it would run again
  if (spoken.rules) return;
  const { now } = spoken;
  const rules = await fetchTexts<RuleBooks>(now, "/rules");
  if (spoken.now !== now) return loadRules();
  spoken = { ...spoken, rules };
}

/** The text of a key, with values filled in. */
export function t(key: string, values: Record<string, Value> = {}): string {
  return put(key, values);
}

/** Whether a key has a text. */
export function hasText(key: string): boolean {
  return spoken.flat.has(key);
}

/** A server message as text, with names for seats. */
export function say(message: Told): string {
  return put(message[0], message[1] ?? {});
}

/** Several messages as one text. */
export function sayAll(messages: Told[]): string {
  return messages.map(say).join(" ");
}

/** Set the names for `say`, and the reader's seat. */
export function setNames(names: string[], you: number | null = null, gender: string[] = []): void {
  company = { names, you, gender };
}

/** The rules of a game by section, once loaded. */
export function rulesOf(game: string): Section[] {
  return spoken.rules?.[game] ?? [];
}

function put(key: string, values: Record<string, Value>): string {
  const text = spoken.flat.get(key) ?? key;
  return text.replace(PLACE, (found, name: string, form?: string) => (name in values ? inForm(values[name], form) : found));
}

/** A value in the form its placeholder asks for. */
function inForm(value: Value, form: string | undefined): string {
  if (form === undefined) return inWords(value);
  if (form === "^") return capital(inWords(value));
  const figures = FIGURES.exec(form);
  if (!figures) return typeof value === "number" ? pluralForm(spoken.now, value, form.split("|")) : toAPerson(value, form.split("|"));
  const [, sign, decimals, percent] = figures;
  return formatNumber(spoken.now, Number(value), { sign: !!sign, decimals: decimals ? Number(decimals) : undefined, percent: !!percent });
}

/**
 * Words that agree with seats: the first for the reader, the next for others; of three more, for
 * she, he and unknown.
 */
function toAPerson(value: Value, words: string[]): string {
  const seats = isList(value) ? value.all : [value];
  const others = seats.filter((each) => company.you === null || seatOf(each) !== company.you);
  // "You*": "You and Bilal"
  if (others.length < seats.length) return words[0]!.replaceAll("*", () => inWords({ all: ["", ...others] }));
  return words[1 + which(others, words.length - 2)]!.replaceAll("*", () => inWords({ all: others }));
}

/**
 * Index of the words for others: with three, a single seat known as she takes the first, he the
 * second.
 */
function which(seats: Value[], last: number): number {
  const gender = seats.length === 1 ? company.gender[seatOf(seats[0]) ?? NaN] : "";
  return Math.min(last, ["she", "he", ""].indexOf(gender ?? ""));
}

function isList(value: Value): value is { all: Value[] } {
  return value !== null && typeof value === "object" && "all" in value;
}

function seatOf(value: Value): number | null {
  return value !== null && typeof value === "object" && "seat" in value ? (value.seat as number) : null;
}

function inWords(value: Value): string {
  if (Array.isArray(value)) return say(value as Told);
  if (isList(value)) return inRow(value.all.map(inWords));
  const seat = seatOf(value);
  if (seat !== null) return company.names[seat] ?? `${t("word.seat")} ${seat}`;
  return typeof value === "number" ? formatNumber(spoken.now, value) : String(value);
}

function capital(text: string): string {
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("");
}

function inRow(parts: string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${t("word.and")} ${parts.at(-1)}`;
}

function flatten(table: Texts, prefix: string): [string, string][] {
  return Object.entries(table).flatMap(([name, value]): [string, string][] => {
    return typeof value === "string" ? [[prefix + name, value]] : flatten(value, `${prefix}${name}.`);
  });
}

function fetchTexts<Answer>(code: string, part: string): Promise<Answer> {
  const card = spoken.all.find((each) => each.code === code);
  return fetchJson<Answer>(`/languages/${code}${part}.json?v=${card?.digest ?? ""}`);
}

async function fetchJson<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Answer;
}
