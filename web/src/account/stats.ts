/** Statistics of your own games, and their texts. */
import { textOf, titleOf } from "../i18n/game-titles";
import { levelName } from "../i18n/bot-levels";
import { language, t } from "../i18n/translate.svelte";
import type { Mark } from "../analysis/chances";
import type { GameStats, PlayedGame, Mistake } from "../protocol/analysis";

const SHOWN = 40; // games in the graph; more are unreadable

export interface AnalysedGame extends PlayedGame {
  balance: NonNullable<PlayedGame["balance"]>;
}

export function nameOf({ game, alone }: GameStats): string {
  return alone ? `${titleOf(game)} · ${t("lobby.alone")}` : titleOf(game);
}

/** An opponent's name from the server's level. */
export function opponentName(level: string): string {
  return level === "people" ? t("me.people") : levelName(level);
}

/** The latest analysed games, oldest first. */
export function analysedGames(stats: GameStats): AnalysedGame[] {
  return stats.played.filter((each): each is AnalysedGame => !!each.balance).slice(-SHOWN);
}

/** Games not yet analysed, newest first. */
export function unanalysedGames(stats: GameStats): PlayedGame[] {
  return stats.played.filter((each) => !each.balance && !each.old).toReversed();
}

/** Luck or loss as text: in win chance, or in actions when playing alone. */
export function formatAmount(n: number, alone: boolean): string {
  return t(alone ? "look.signed_actions" : "look.signed", { n });
}

export function mean(values: number[]): number {
  return values.reduce((all, each) => all + each, 0) / Math.max(1, values.length);
}

export function dayOf(changed: number, more: Intl.DateTimeFormatOptions = {}): string {
  return new Date(changed * 1000).toLocaleString(language(), { day: "numeric", month: "short", ...more });
}

/** The name of a kind of move: the game's, else the general one, else the raw word. */
export function kindName(game: string, kind: string): string {
  return textOf(game, `kind.${kind}`, textOf("me", `kind.${kind}`, `“${kind}”`));
}

export interface Kind {
  name: string;
  moves: number;
  errors: number;
}

/** Kinds of moves you err with, most mistakes first. Kinds with the same name are merged. */
export function mistakeKinds(game: string, slips: Mistake[]): Kind[] {
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

/** Number of mistakes per mark, mildest first; zeros are left out. */
export function mistakesByMark(slips: Mistake[]): { mark: Mark; n: number }[] {
  const all = (["inaccuracy", "mistake", "blunder"] as const).map((mark) => ({ mark, n: slips.reduce((n, slip) => n + slip[mark], 0) }));
  return all.filter(({ n }) => n);
}
