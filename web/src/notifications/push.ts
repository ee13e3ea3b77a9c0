/** Being called to a table by this browser: whether it can, whether it may, and asking the server for it. */
import { callMe, callMeNot, pushKey } from "../lib/api";
import { settings } from "../lib/settings.svelte";
import { language } from "../lib/words.svelte";

/** "page": only while a page of ours is open, as this browser has no push service. */
export type Calls = "never" | "blocked" | "off" | "page" | "on";

const RENEWED = "souk-calls"; // what was last told to the server, while this browser runs
const NOWHERE = "nowhere"; // it has no push service

export function canBeCalled(): boolean {
  return "serviceWorker" in navigator && "Notification" in window;
}

export async function callsNow(): Promise<Calls> {
  if (!canBeCalled()) return "never";
  if (Notification.permission === "denied") return "blocked";
  if (Notification.permission !== "granted" || settings.calls !== "yes") return "off";
  return (await subscription()) ? "on" : "page";
}

/** Ask the browser for leave, and the server for calls. Refusing where the server refuses. */
export async function beCalled(): Promise<Calls> {
  if (!canBeCalled()) return "never";
  if ((await Notification.requestPermission()) !== "granted") return "blocked";
  const found = await subscribe();
  if (found) await tell(found);
  else sessionStorage.setItem(RENEWED, NOWHERE);
  settings.calls = "yes";
  return found ? "on" : "page";
}

export async function beCalledNoMore(): Promise<void> {
  settings.calls = "no";
  const found = await subscription();
  sessionStorage.removeItem(RENEWED);
  if (!found) return;
  await callMeNot(found.endpoint);
  await found.unsubscribe();
}

/** Once while this browser runs, and when the language changes: the server may have forgotten us, know us by another cookie, or have another key. */
export async function renewCalls(): Promise<void> {
  if (!["on", "page"].includes(await callsNow())) return;
  const told = sessionStorage.getItem(RENEWED);
  const found = (await subscription()) ?? (told === null ? await subscribe() : null);
  if (!found) sessionStorage.setItem(RENEWED, NOWHERE);
  else if (told !== language() + found.endpoint) await tell(told ? found : await withKey(found));
}

/** Show a call by this page, where no push service does. */
export async function callHere(title: string, body: string, table: string): Promise<void> {
  if ((await callsNow()) !== "page") return;
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.showNotification(title, { body, tag: table, data: { table }, icon: "/icon-192.png" });
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** A subscription with the browser's push service; null where it has none. */
async function subscribe(): Promise<PushSubscription | null> {
  const { key } = await pushKey();
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    return null;
  }
}

/** The same subscription, or another where it is for a key that the server no longer has. */
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
  await callMe({ endpoint: found.endpoint, p256dh, auth, language: language() });
  sessionStorage.setItem(RENEWED, language() + found.endpoint);
}
