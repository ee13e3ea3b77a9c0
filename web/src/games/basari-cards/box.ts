/** How the cards of one's own box are typed in. */
import { cardInWords } from "./cards";

export { default as Editor } from "./BoxEditor.svelte";
export { default as Entry } from "./BoxEntry.svelte";

export interface CardParts {
  workers: string;
  points: string;
  gems: string;
}

/** A card such as "2/5/RYBB", as far as it is typed in. */
export function readParts(text: string): CardParts {
  const [workers = "", points = "", gems = ""] = text.split("/").map((part) => part.trim());
  return { workers, points, gems: gems.toUpperCase() };
}

export function inWords(_part: string, text: string): string {
  const { workers, points, gems } = readParts(text);
  return cardInWords(`${Number(workers) || 0}/${Number(points) || 0}/${gems}`);
}
