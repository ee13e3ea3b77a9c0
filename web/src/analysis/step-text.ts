/** What is said about the events of a game that is looked back at. */
import { textOf } from "../lib/games";
import { sayAll, t } from "../lib/words.svelte";
import type { Turning } from "../study-protocol";
import type { Lookback } from "./lookback.svelte";

/** What somebody chose in secret. */
export function choiceName(game: string, move: string): string {
  return textOf(game, `action.${move}`, move);
}

/** What somebody gave away. */
export function lossOf(step: Turning, alone: boolean): string {
  const n = step.loss ?? 0;
  return alone ? t("look.lost_actions", { n }) : t("look.lost", { n });
}

/** What happened at a step, as short as it can be said. */
export function happened(game: Lookback, step: number): string {
  const turning = game.study?.steps[step - 1];
  if (turning?.kind === "secret") return t("look.chose", { who: { seat: turning.seat }, what: choiceName(game.game, turning.move ?? "") });
  const event = game.events[step - 1];
  return event ? sayAll(event.told.slice(0, 2)) : "";
}

/** Who gained by a die or card, and who lost. */
export function luckOf(step: Turning, alone: boolean): string {
  if (alone) return t((step.luck[0] ?? 0) >= 0 ? "look.luck_saved" : "look.luck_cost", { n: Math.abs(step.luck[0] ?? 0) });
  const parts = step.luck
    .map((n, seat) => ({ n, seat }))
    .filter(({ n }) => Math.abs(n) >= 0.005)
    .sort((a, b) => Math.abs(b.n) - Math.abs(a.n))
    .map(({ n, seat }) => t("look.luck_of", { who: { seat }, n }));
  return parts.join(", ");
}
