/** Gems as counts per colour: red, yellow, green, blue. */
import { t } from "../../../i18n/translate.svelte";
import type { Gems } from "../types";

export const COLOURS = ["red", "yellow", "green", "blue"] as const;
const LETTERS = "rygb";

export const NO_GEMS: Gems = [0, 0, 0, 0];

export function total(counts: Gems): number {
  return counts.reduce((sum, n) => sum + n, 0);
}

/** "offer 1r2b", or "" if empty. */
export function offerMove(counts: Gems): string {
  const parts = counts.map((n, colour) => (n ? `${n}${LETTERS[colour]}` : ""));
  return total(counts) ? `offer ${parts.join("")}` : "";
}

/** Counts from a move such as "offer 1r2b", or from letters such as "RYBB" or "take yb". */
export function countsOf(text: string): Gems {
  const counts = [...NO_GEMS];
  for (const [, n, letter] of text
    .toLowerCase()
    .replace(/^(offer|give|take) /, "")
    .matchAll(/(\d*)([rygb])/g)) {
    counts[LETTERS.indexOf(letter!)]! += n ? Number(n) : 1;
  }
  return counts;
}

export function letterOf(colour: number): string {
  return LETTERS[colour]!;
}

/** "1 red and 2 blue". */
export function gemsInWords(counts: Gems): string {
  const parts = counts.flatMap((n, colour) => (n ? [["basari-common.gems." + COLOURS[colour], { n }]] : []));
  return parts.length ? t("basari-common.list", { gems: { all: parts } }) : t("basari-common.no_gems");
}

/** The gems as a list of colours. */
export function gemList(counts: Gems): number[] {
  return counts.flatMap((n, colour) => Array.from({ length: n }, () => colour));
}

/** The name of one gem of a colour. */
export function nameOfGem(colour: string): string {
  return t(`basari-common.gems.${colour}`, { n: 1 });
}
