/** The service worker (sw.ts): it shows calls, and a page of its own where nobody can be reached. It keeps no page that is built anew. */
import { languages } from "../lib/words.svelte";

/** Have it installed. Its address says which build and which texts it has been installed with, so that what it keeps is never older than these. */
export async function keepWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return; // only over TLS, or on this machine
  const build = import.meta.url.slice(import.meta.url.lastIndexOf("/") + 1);
  const texts = languages().map(({ digest }) => digest.slice(0, 6));
  try {
    await navigator.serviceWorker.register(`/sw.js?for=${[build, ...texts].join("-")}`, { scope: "/" });
  } catch {
    // a browser that forbids it has no calls, and its own words for being offline
  }
}
