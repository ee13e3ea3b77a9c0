/** Chips as the server writes them: a bag is letters such as "WWR", a hand five counts. */
import { t } from "../../../i18n/translate.svelte";
import type { Bag } from "../types";

export const LETTERS = "WBGRY";
export const COLOURS = ["white", "blue", "green", "red", "yellow"] as const;

/** The colour of a letter. */
export function colourOf(letter: string): string {
  return COLOURS[LETTERS.indexOf(letter)] ?? "white";
}

export function counts(bag: string): Bag {
  return [...LETTERS].map((letter) => bag.split(letter).length - 1);
}

export function total(hand: Bag): number {
  return hand.reduce((sum, n) => sum + n, 0);
}

/** The surplus over another hand, by colour. */
export function more(hand: Bag, others: Bag): Bag {
  return hand.map((n, colour) => Math.max(0, n - (others[colour] ?? 0)));
}

/** A hand after a trade such as "R>WW". */
export function traded(hand: Bag, trade: string): Bag {
  const [gives = "", gets = ""] = trade.split(">");
  const given = counts(gives);
  const got = counts(gets);
  return hand.map((n, colour) => n - given[colour]! + got[colour]!);
}

/** A bag as a value for `t`: "2 white and 1 red". */
export function inWords(bag: string): { all: string[] } {
  const told = counts(bag).map((n, colour) => (n ? t(`bazaar.word.chips.${COLOURS[colour]}`, { n }) : ""));
  return { all: told.filter(Boolean) };
}
