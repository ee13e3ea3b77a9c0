/** The text for sharing a puzzle result, without spoilers. */
import { titleOf } from "../i18n/game-titles";
import { toast } from "../state/toast.svelte";
import { t } from "../i18n/translate.svelte";

export interface PuzzleResult {
  date: string;
  game: string;
  grade: string; // "" for a position
  stars: number;
  actions: number; // 0 if given up
}

export function resultText({ date, game, grade, stars, actions }: PuzzleResult): string {
  const what = grade
    ? `${t("today.errand", { game: titleOf(game) })} · ${t(`today.grade.${grade}`)}`
    : t("today.position", { game: titleOf(game) });
  const how = grade ? "★".repeat(stars) + "☆".repeat(3 - stars) : stars ? "★" : "☆";
  const n = grade && actions ? ` ${t("today.in_actions", { n: actions })}` : "";
  const path = ["/today", date, game, grade].filter(Boolean).join("/");
  return `${what}\n${date}\n${how}${n}\n${location.origin}${path}`;
}

/** Share through the device, else copy to the clipboard. */
export async function share(text: string): Promise<void> {
  try {
    if (matchMedia("(pointer: coarse)").matches && "share" in navigator) await navigator.share({ text });
    else {
      await navigator.clipboard.writeText(text);
      toast(t("today.copied"));
    }
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) toast(t("today.not_copied"));
  }
}
