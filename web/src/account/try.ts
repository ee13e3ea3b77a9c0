/** What the parts of the page about me have in common. */
import { whyNot } from "../lib/api";
import { toast } from "../lib/toast.svelte";
import { t } from "../lib/words.svelte";

/** What the server answers; null where it refuses, which is then said. */
export async function attempt<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    toast(whyNot(error));
    return null;
  }
}

/** A device in words, as far as it is known. */
export function deviceOf({ device }: { device: string }): string {
  return device || t("who.unknown_device");
}

/** A time as a day, in a language. */
export function dayOf(seconds: number, language: string): string {
  return new Date(seconds * 1000).toLocaleDateString(language, { day: "numeric", month: "long", year: "numeric" });
}
