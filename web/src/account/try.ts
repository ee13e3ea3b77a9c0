/** Shared by the parts of the account page. */
import { errorText } from "../net/api";
import { toast } from "../state/toast.svelte";
import { t } from "../i18n/translate.svelte";

/** The server's answer, or null after showing its refusal. */
export async function attempt<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    toast(errorText(error));
    return null;
  }
}

/** A device as text. */
export function deviceOf({ device }: { device: string }): string {
  return device || t("who.unknown_device");
}

/** A timestamp as a date. */
export function dayOf(seconds: number, language: string): string {
  return new Date(seconds * 1000).toLocaleDateString(language, { day: "numeric", month: "long", year: "numeric" });
}
