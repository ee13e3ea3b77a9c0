/** Everything said to a person, in the language that is set. The same templates as in `souk/core/message.py`: tests/messages.json holds
 * both to it. */
import type { LanguageCard, Languages } from "../lobby-protocol";
import type { Told } from "../protocol";
import { wordFor, written } from "./counting";
import { settings } from "./settings.svelte";

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
const FIGURES = /^(\+?)(?:\.(\d))?(%?)$/; // how a number is to be written

let spoken = $state.raw<{ all: LanguageCard[]; now: string; flat: Map<string, string>; parts: string[]; rules: RuleBooks | null }>({
  all: [],
  now: "",
  flat: new Map(),
  parts: [], // those that not everybody needs, as far as they were asked for
  rules: null, // until somebody opens them
});
let wished = ""; // the language that was asked for last: its words may still be on their way
interface Company {
  names: string[]; // by seat
  you: number | null; // the seat of whoever is spoken to, where that is one
  gender: string[]; // by seat: "she" or "he", "" where nobody knows
}
let company = $state.raw<Company>({ names: [], you: null, gender: [] });

/** The language that is spoken now. */
export function language(): string {
  return spoken.now;
}

/** The languages there are. */
export function languages(): LanguageCard[] {
  return spoken.all;
}

/** Ask which languages there are, and speak the one that was set, else the browser's, else English. */
export async function learnLanguages(): Promise<void> {
  const { languages: all } = await fetchJson<Languages>("/languages.json");
  spoken = { ...spoken, all };
  const wished = [settings.language, ...navigator.languages.map((each) => each.slice(0, 2).toLowerCase())];
  await speak(wished.find((each) => all.some(({ code }) => code === each)) ?? "en");
  $effect.root(() => {
    $effect(() => {
      if (settings.language && settings.language !== spoken.now) void speak(settings.language); // set here or in another tab
    });
  });
}

/** Switch to a language: the one that was asked for last, where several were. */
export async function speak(code: string): Promise<void> {
  wished = code;
  const { parts, rules: read } = spoken;
  const [rules, ...texts] = await Promise.all([
    read && fetchTexts<RuleBooks>(code, "/rules"),
    ...["", ...parts].map((part) => fetchTexts<Texts>(code, part)),
  ]);
  if (wished !== code) return;
  if (spoken.parts !== parts || !spoken.rules !== !read) return speak(code); // more has come meanwhile, in the language of before
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- it never changes: another language has another
  spoken = { ...spoken, now: code, flat: new Map(texts.flatMap((each) => [...flatten(each, "")])), rules };
  document.documentElement.lang = code;
}

/** Ask for more texts, which not everybody needs. */
async function learn(part: string): Promise<void> {
  await Promise.resolve(); // so that whatever asks is not asked again when they have come
  if (spoken.parts.includes(part)) return;
  const { now } = spoken;
  const more = await fetchTexts<Texts>(now, part);
  if (spoken.now !== now) return learn(part); // another language is spoken by now
  spoken = { ...spoken, parts: [...spoken.parts, part], flat: new Map([...spoken.flat, ...flatten(more, "")]) };
}

/** Ask for what nobody needs to begin with: why something was refused, clocks, boxes of one's own. Where it cannot be had, keys have to do. */
export async function learnLater(): Promise<void> {
  await learn("/later").catch(() => undefined);
}

/** Ask for what only people need who meet others: how they talk, and are called. */
export async function learnCompany(): Promise<void> {
  await learn("/company");
}

/** Ask for what is only said at events. */
export async function learnEvents(): Promise<void> {
  await learn("/events");
}

/** Do something once there are words for a message: why something was refused may still have to be asked for. */
export function whenKnown(message: Told, then: () => void): void {
  if (known(message[0]) || !message[0].startsWith("table.refused.")) then();
  else void learnLater().then(then);
}

/** Ask for the rules of all games, which nobody needs to begin with. */
export async function learnRules(): Promise<void> {
  await Promise.resolve(); // so that whatever asks is not asked again when they have come
  if (spoken.rules) return;
  const { now } = spoken;
  const rules = await fetchTexts<RuleBooks>(now, "/rules");
  if (spoken.now !== now) return learnRules();
  spoken = { ...spoken, rules };
}

/** A text by its key, with values put in. */
export function t(key: string, values: Record<string, Value> = {}): string {
  return put(key, values);
}

/** Whether there is a text for a key. */
export function known(key: string): boolean {
  return spoken.flat.has(key);
}

/** A message from the server; seats become their names. */
export function say(message: Told): string {
  return put(message[0], message[1] ?? {});
}

/** Several messages one after the other. */
export function sayAll(messages: Told[]): string {
  return messages.map(say).join(" ");
}

/** Who sits at the table, for `say`; and on which seat whoever is spoken to. */
export function setNames(names: string[], you: number | null = null, gender: string[] = []): void {
  company = { names, you, gender };
}

/** The rules of a game, section by section, once they have been asked for. */
export function rulesOf(game: string): Section[] {
  return spoken.rules?.[game] ?? [];
}

function put(key: string, values: Record<string, Value>): string {
  const text = spoken.flat.get(key) ?? key;
  return text.replace(PLACE, (found, name: string, form?: string) => (name in values ? inForm(values[name], form) : found));
}

/** A value in the form that its place asks for. */
function inForm(value: Value, form: string | undefined): string {
  if (form === undefined) return inWords(value);
  if (form === "^") return capital(inWords(value));
  const figures = FIGURES.exec(form);
  if (!figures) return typeof value === "number" ? wordFor(spoken.now, value, form.split("|")) : toAPerson(value, form.split("|"));
  const [, sign, decimals, percent] = figures;
  return written(spoken.now, Number(value), { sign: !!sign, decimals: decimals ? Number(decimals) : undefined, percent: !!percent });
}

/** Words about a seat or several: the first are for the listener, the next for others; of three more, for a she, a he, and whoever else. */
function toAPerson(value: Value, words: string[]): string {
  const seats = isList(value) ? value.all : [value];
  const others = seats.filter((each) => company.you === null || seatOf(each) !== company.you);
  if (others.length < seats.length) return words[0]!.replaceAll("*", () => inWords({ all: ["", ...others] })); // "You*": "You and Bilal"
  return words[1 + which(others, words.length - 2)]!.replaceAll("*", () => inWords({ all: others }));
}

/** Which of the words for others: where there are three, a single seat that is known to be a she has the first, a he the second. */
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
  return typeof value === "number" ? written(spoken.now, value) : String(value);
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
