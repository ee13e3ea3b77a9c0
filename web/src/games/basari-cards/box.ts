/** Editor for the cards of a custom box. */
import { cardInWords } from "./cards";

export { default as Editor } from "./BoxEditor.svelte";
export { default as Entry } from "./BoxEntry.svelte";

export interface CardParts {
  workers: string;
  points: string;
  gems: string;
}

/** The parts of a card such as "2/5/RYBB"; it may be incomplete. */
export function readParts(text: string): CardParts {
  const [workers = "", points = "", gems = ""] = text.split("/").map((part) => part.trim());
  return { workers, points, gems: gems.toUpperCase() };
}

export function inWords(_part: string, text: string): string {
  const { workers, points, gems } = readParts(text);
  return cardInWords(`${Number(workers) || 0}/${Number(points) || 0}/${gems}`);
}
