/** Gems as counts by colour, in the order of the box: red, yellow, green, blue. */
import { t } from "../../lib/words.svelte";
import type { Gems } from "./types";

export const COLOURS = ["red", "yellow", "green", "blue"] as const;
const LETTERS = "rygb";

export const NO_GEMS: Gems = [0, 0, 0, 0];

export function total(counts: Gems): number {
  return counts.reduce((sum, n) => sum + n, 0);
}

/** "offer 1r2b", or "" where there is nothing in it. */
export function offerMove(counts: Gems): string {
  const parts = counts.map((n, colour) => (n ? `${n}${LETTERS[colour]}` : ""));
  return total(counts) ? `offer ${parts.join("")}` : "";
}

/** The counts of a move such as "offer 1r2b", or of letters such as "RYBB" or "take yb". */
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
  const parts = counts.flatMap((n, colour) => (n ? [["haggling.gems." + COLOURS[colour], { n }]] : []));
  return parts.length ? t("haggling.list", { gems: { all: parts } }) : t("haggling.no_gems");
}

/** The gems one by one, as colours. */
export function oneByOne(counts: Gems): number[] {
  return counts.flatMap((n, colour) => Array.from({ length: n }, () => colour));
}

/** What a gem of a colour is called when one counts one more of it. */
export function nameOfGem(colour: string): string {
  return t(`haggling.gems.${colour}`, { n: 1 });
}
