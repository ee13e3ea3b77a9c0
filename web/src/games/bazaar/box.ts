/** Editor for the rate cards and goods cards of a custom box. */
import { t } from "../../i18n/translate.svelte";
import { inWords as chipsInWords, LETTERS } from "./chips/chips";

export { default as Editor } from "./BoxEditor.svelte";
export { default as Entry } from "./BoxEntry.svelte";

/** The chips on both sides of an equation such as "R=WW"; it may be incomplete. */
export function readEquation(text: string): [string, string] {
  const [left = "", right = ""] = text.split("=");
  return [chipsOf(left), chipsOf(right)];
}

export function readWare(text: string): { dots: string; star: boolean } {
  return { dots: chipsOf(text), star: text.includes("*") };
}

export function inWords(part: string, text: string): string {
  const [left, right] = readEquation(text);
  const { dots, star } = readWare(text);
  if (part === "rates") return t("bazaar.printed.equation", { left: chipsInWords(left), right: chipsInWords(right) });
  return t("bazaar.printed.shows", { dots: chipsInWords(dots) }) + (star ? `, ${t("bazaar.printed.star")}` : "");
}

function chipsOf(text: string): string {
  return [...text.toUpperCase()].filter((letter) => LETTERS.includes(letter)).join("");
}
