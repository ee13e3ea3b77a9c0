/** How the rate cards and goods cards of one's own box are typed in. */
import { t } from "../../lib/words.svelte";
import { inWords as chipsInWords, LETTERS } from "./chips";

export { default as Editor } from "./BoxEditor.svelte";
export { default as Entry } from "./BoxEntry.svelte";

/** The chips among letters, each side of an equation such as "R=WW" as far as it is typed in. */
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
