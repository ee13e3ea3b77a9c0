/**
 * Registers the service worker (service-worker.ts): push notifications and an offline page. It
 * caches no built page.
 */
import { languages } from "../i18n/translate.svelte";

/**
 * Register it. Its URL names the build and the texts, so that its cache is never older than these.
 */
export async function registerWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return; // needs TLS or localhost
  const build = import.meta.url.slice(import.meta.url.lastIndexOf("/") + 1);
  const texts = languages().map(({ digest }) => digest.slice(0, 6));
  try {
    await navigator.serviceWorker.register(`/sw.js?for=${[build, ...texts].join("-")}`, { scope: "/" });
  } catch {
    // not allowed: no notifications, and the browser's own offline page
  }
}
