/** What one tells others of a puzzle: how it went, and nothing of how it goes. */
import { titleOf } from "./games";
import { toast } from "./toast.svelte";
import { t } from "./words.svelte";

export interface Shared {
  date: string;
  game: string;
  grade: string; // "" for a position
  stars: number;
  actions: number; // 0 where it was given up
}

export function textOf({ date, game, grade, stars, actions }: Shared): string {
  const what = grade
    ? `${t("today.errand", { game: titleOf(game) })} · ${t(`today.grade.${grade}`)}`
    : t("today.position", { game: titleOf(game) });
  const how = grade ? "★".repeat(stars) + "☆".repeat(3 - stars) : stars ? "★" : "☆";
  const n = grade && actions ? ` ${t("today.in_actions", { n: actions })}` : "";
  const path = ["/today", date, game, grade].filter(Boolean).join("/");
  return `${what}\n${date}\n${how}${n}\n${location.origin}${path}`;
}

/** By the device's own way of sharing where it has one, else to the clipboard. */
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
