/**
 * The service worker: shows push notifications, and an offline page if the server cannot be
 * reached.
 *
 * It caches only the offline page: everything else comes from the server, so that no old build is
 * ever shown.
 */
export {}; // makes this file a module

// Minimal worker types: TypeScript's own clash with those of pages, which all other files need.
interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Asking extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Pushed extends Lasting {
  readonly data: { json(): unknown } | null;
}
interface Clicked extends Lasting {
  readonly notification: Notification;
}
interface Page {
  readonly url: string;
  focus(): Promise<Page>;
}
interface Events {
  install: Lasting;
  activate: Lasting;
  fetch: Asking;
  push: Pushed;
  notificationclick: Clicked;
}
declare const self: {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(which: { type: "window"; includeUncontrolled: boolean }): Promise<Page[]>;
    openWindow(address: string): Promise<Page | null>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Kind extends keyof Events>(kind: Kind, heard: (event: Events[Kind]) => void): void;
};

interface Call {
  title: string;
  body: string;
  table: string;
}

const KEPT = "offline";
const OFFLINE = "/offline";
const FILES = [OFFLINE, "/offline.css", "/offline.js", "/souk.svg"];
const AWAY = [502, 503, 504]; // sent by proxies whose server is down
const TABLE = /^[\w-]{16}$/;

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles());
  void self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(visit(request));
  else if (FILES.includes(pathname)) event.respondWith(fetch(request).catch(() => fromKept(pathname)));
});

self.addEventListener("push", (event) => {
  const call = event.data?.json() as Call | undefined;
  if (call) event.waitUntil(show(call));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as Call).table));
});

async function keepFiles(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
  const kept = await caches.open(KEPT);
  await kept.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

async function visit(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    return AWAY.includes(answer.status) ? await fromKept(OFFLINE) : answer;
  } catch {
    return fromKept(OFFLINE);
  }
}

async function fromKept(file: string): Promise<Response> {
  return (await caches.match(file)) ?? Response.error();
}

/** One notification per table: a new one replaces the old. */
async function show({ title, body, table }: Call): Promise<void> {
  if (!TABLE.test(table)) return;
  const options = {
    body,
    tag: table,
    renotify: true,
    data: { table },
    icon: "/icon-192.png",
    badge: "/badge-96.png",
    vibrate: [120, 80, 120],
  };
  await self.registration.showNotification(title, options);
}

/** Open a table: focus its page if there is one, else open a new one. */
async function open(table: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find(({ url }) => new URL(url).pathname === `/t/${table}`);
  await (there ? there.focus() : self.clients.openWindow(`/t/${table}`));
}
