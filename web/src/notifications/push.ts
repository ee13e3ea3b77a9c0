/** Push notifications: support, permission, and the subscription at the server. */
import { subscribePush, unsubscribePush, pushKey } from "../net/api";
import { settings } from "../state/settings.svelte";
import { language } from "../i18n/translate.svelte";

/** "page": no push service, so only while one of our pages is open. */
export type PushState = "never" | "blocked" | "off" | "page" | "on";

const RENEWED = "souk-calls"; // what the server was last told in this browser session
const NOWHERE = "nowhere"; // no push service

export function isPushSupported(): boolean {
  return "serviceWorker" in navigator && "Notification" in window;
}

export async function currentPushState(): Promise<PushState> {
  if (!isPushSupported()) return "never";
  if (Notification.permission === "denied") return "blocked";
  if (Notification.permission !== "granted" || settings.calls !== "yes") return "off";
  return (await subscription()) ? "on" : "page";
}

/** Ask for permission and subscribe. Throws Refusing if the server refuses. */
export async function enableNotifications(): Promise<PushState> {
  if (!isPushSupported()) return "never";
  if ((await Notification.requestPermission()) !== "granted") return "blocked";
  const found = await subscribe();
  if (found) await tell(found);
  else sessionStorage.setItem(RENEWED, NOWHERE);
  settings.calls = "yes";
  return found ? "on" : "page";
}

export async function disableNotifications(): Promise<void> {
  settings.calls = "no";
  const found = await subscription();
  sessionStorage.removeItem(RENEWED);
  if (!found) return;
  await unsubscribePush(found.endpoint);
  await found.unsubscribe();
}

/**
 * Renew once per browser session and language change: the server may have lost the subscription, or
 * the cookie or the key may have changed.
 */
export async function renewSubscription(): Promise<void> {
  if (!["on", "page"].includes(await currentPushState())) return;
  const told = sessionStorage.getItem(RENEWED);
  const found = (await subscription()) ?? (told === null ? await subscribe() : null);
  if (!found) sessionStorage.setItem(RENEWED, NOWHERE);
  else if (told !== language() + found.endpoint) await tell(told ? found : await withKey(found));
}

/** Show a notification from the page, if there is no push service. */
export async function notifyFromPage(title: string, body: string, table: string): Promise<void> {
  if ((await currentPushState()) !== "page") return;
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.showNotification(title, { body, tag: table, data: { table }, icon: "/icon-192.png" });
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** A push subscription; null if the browser has no push service. */
async function subscribe(): Promise<PushSubscription | null> {
  const { key } = await pushKey();
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    return null;
  }
}

/** The subscription, replaced if it was made for an old server key. */
async function withKey(found: PushSubscription): Promise<PushSubscription> {
  const bytes = new Uint8Array(found.options.applicationServerKey ?? new ArrayBuffer(0));
  const { key } = await pushKey();
  if (
    btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "") === key
  )
    return found;
  await found.unsubscribe();
  return (await subscribe()) ?? found;
}

async function tell(found: PushSubscription): Promise<void> {
  const { p256dh = "", auth = "" } = found.toJSON().keys ?? {};
  await subscribePush({ endpoint: found.endpoint, p256dh, auth, language: language() });
  sessionStorage.setItem(RENEWED, language() + found.endpoint);
}
