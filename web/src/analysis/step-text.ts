/** Texts about the events of an analysed game. */
import { textOf } from "../i18n/game-titles";
import { say, sayAll, t } from "../i18n/translate.svelte";
import type { AnalysedStep } from "../protocol/analysis";
import type { AnalysisState } from "./analysis-state.svelte";

/** The name of a secret choice. */
export function choiceName(game: string, move: string): string {
  return textOf(game, `action.${move}`, move);
}

/** What a mistake cost. */
export function lossOf(step: AnalysedStep, alone: boolean): string {
  const n = step.loss ?? 0;
  return alone ? t("look.lost_actions", { n }) : t("look.lost", { n });
}

/** What would have been better, in a few words; empty if there was nothing. */
export function adviceOf(game: string, step: AnalysedStep): string {
  if (step.better?.length) return say(step.better[0]!);
  const [often] = Object.entries(step.mix ?? {}).sort((a, b) => b[1] - a[1]);
  return often && step.mark ? t("look.rather", { what: choiceName(game, often[0]) }) : "";
}

/** A step in as few words as possible. */
export function summaryOf(game: AnalysisState, step: number): string {
  const turning = game.analysis?.steps[step - 1];
  if (turning?.kind === "secret") return t("look.chose", { who: { seat: turning.seat }, what: choiceName(game.game, turning.move ?? "") });
  const event = game.events[step - 1];
  return event ? sayAll(event.told.slice(0, 2)) : "";
}

/** Who gained and who lost by a die or card. */
export function luckOf(step: AnalysedStep, alone: boolean): string {
  if (alone) return t((step.luck[0] ?? 0) >= 0 ? "look.luck_saved" : "look.luck_cost", { n: Math.abs(step.luck[0] ?? 0) });
  const parts = step.luck
    .map((n, seat) => ({ n, seat }))
    .filter(({ n }) => Math.abs(n) >= 0.005)
    .sort((a, b) => Math.abs(b.n) - Math.abs(a.n))
    .map(({ n, seat }) => t("look.luck_of", { who: { seat }, n }));
  return parts.join(", ");
}
