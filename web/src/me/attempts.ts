/** What the parts of the page about me have in common. */
import { Refusing } from "../lib/api";
import { toast } from "../lib/toast.svelte";
import { say } from "../lib/words.svelte";

/** What the server answers; null where it refuses, which is then said. */
export async function attempt<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    toast(error instanceof Refusing ? say(error.reason) : String(error));
    return null;
  }
}

/** A time as a day, in a language. */
export function dayOf(seconds: number, language: string): string {
  return new Date(seconds * 1000).toLocaleDateString(language, { day: "numeric", month: "long", year: "numeric" });
}
