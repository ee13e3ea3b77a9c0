/** What is counted of my games, and how it is said. */
import { textOf, titleOf } from "../lib/games";
import { levelName } from "../lib/levels";
import { language, t } from "../lib/words.svelte";
import type { Mark } from "../look/chances";
import type { GameTally, PlayedGame, Slip } from "../study-protocol";

const SHOWN = 40; // games in the graph: with more nobody could tell them apart

export interface Studied extends PlayedGame {
  balance: NonNullable<PlayedGame["balance"]>;
}

export function nameOf({ game, alone }: GameTally): string {
  return alone ? `${titleOf(game)} · ${t("lobby.alone")}` : titleOf(game);
}

/** Whom I played against, as the server names them. */
export function opponent(level: string): string {
  return level === "people" ? t("me.people") : levelName(level);
}

/** The latest games that somebody has looked back at, the eldest first. */
export function studied(tally: GameTally): Studied[] {
  return tally.played.filter((each): each is Studied => !!each.balance).slice(-SHOWN);
}

/** Games that could be looked back at, the newest first. */
export function unstudied(tally: GameTally): PlayedGame[] {
  return tally.played.filter((each) => !each.balance && !each.old).toReversed();
}

/** Luck or errors as a figure: of the chance to win, or alone in actions. */
export function figure(n: number, alone: boolean): string {
  return t(alone ? "look.signed_actions" : "look.signed", { n });
}

export function mean(values: number[]): number {
  return values.reduce((all, each) => all + each, 0) / Math.max(1, values.length);
}

export function dayOf(changed: number, more: Intl.DateTimeFormatOptions = {}): string {
  return new Date(changed * 1000).toLocaleString(language(), { day: "numeric", month: "short", ...more });
}

/** What a kind of move is called: by its game, else by the house, else by the word itself. */
export function kindName(game: string, kind: string): string {
  return textOf(game, `kind.${kind}`, textOf("me", `kind.${kind}`, `“${kind}”`));
}

export interface Kind {
  name: string;
  moves: number;
  errors: number;
}

/** The kinds of moves I err with, most errors first. Words that are called the same are one kind. */
export function kinds(game: string, slips: Slip[]): Kind[] {
  const found: Record<string, Kind> = {};
  for (const { kind, moves, inaccuracy, mistake, blunder } of slips) {
    const name = kindName(game, kind);
    const one = (found[name] ??= { name, moves: 0, errors: 0 });
    one.moves += moves;
    one.errors += inaccuracy + mistake + blunder;
  }
  return Object.values(found)
    .filter(({ errors }) => errors)
    .sort((a, b) => b.errors - a.errors);
}

/** How many errors of each name, the lightest first; those that I have never made are left out. */
export function marksOf(slips: Slip[]): { mark: Mark; n: number }[] {
  const all = (["inaccuracy", "mistake", "blunder"] as const).map((mark) => ({ mark, n: slips.reduce((n, slip) => n + slip[mark], 0) }));
  return all.filter(({ n }) => n);
}
