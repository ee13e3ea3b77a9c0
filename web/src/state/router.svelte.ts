/**
 * The router: `/`, `/new?game=…`, `/box?game=…`, `/position/GAME`, `/t/ID`, `/tables`, `/me`,
 * `/link-device#…`, `/learn`, `/leaders?game=…`, `/people/ID`, `/look/ID/STEP`,
 * `/today/DATE/GAME/GRADE`, `/events`, `/events/ID`, `/events/ID/projector`, or a prefix of these.
 * Plain links are followed without reloading.
 */

export interface Place {
  page:
    | "lobby"
    | "new"
    | "box"
    | "me"
    | "link-device"
    | "learn"
    | "tables"
    | "leaders"
    | "person"
    | "position"
    | "table"
    | "look"
    | "today"
    | "events"
    | "nowhere";
  table: string;
  step: number | null; // of an analysed game
  game: string; // of a position
  person: string; // id of a profile
  event: string; // id
  projector: boolean; // an event's projector view
  puzzle: string[]; // date, game and grade of a daily puzzle, as far as given
  query: URLSearchParams;
}

let place = $state.raw<Place>(read());

export function currentPlace(): Place {
  return place;
}

/** Go to another page of this site. */
export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  place = read();
  scrollTo(0, 0);
  // Screen reader and keyboard start at the top of the new page.
  requestAnimationFrame(() => document.getElementById("main")?.focus({ preventScroll: true }));
}

/** Follow links inside this site without reloading. */
export function followLinks(): void {
  addEventListener("popstate", () => (place = read()));
  document.addEventListener("click", (click) => {
    const link = click.target instanceof Element ? click.target.closest("a") : null;
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (click.button || click.metaKey || click.ctrlKey || click.shiftKey || click.defaultPrevented) return;
    if (link.pathname === location.pathname && link.hash) return;
    click.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

function read(): Place {
  const path = location.pathname.replace(/\/+$/, "");
  const query = new URLSearchParams(location.search);
  const table = /^\/t\/([\w-]+)$/.exec(path)?.[1] ?? "";
  const look = /^\/look\/([\w-]+)(?:\/(\d{1,6}))?$/.exec(path);
  const today = /^\/today((?:\/[\w-]+){0,3})$/.exec(path);
  const game = /^\/position\/([\w-]+)$/.exec(path)?.[1] ?? "";
  const person = /^\/people\/(me|[0-9a-f]{16})$/.exec(path)?.[1] ?? "";
  const event = /^\/events(?:\/new|\/([\w-]{16})(\/projector)?)?$/.exec(path);
  const plain = {
    "": "lobby",
    "/new": "new",
    "/box": "box",
    "/me": "me",
    "/link-device": "link-device",
    "/learn": "learn",
    "/tables": "tables",
    "/leaders": "leaders",
  } as const;
  const named = table ? "table" : look ? "look" : today ? "today" : game ? "position" : person ? "person" : event ? "events" : "nowhere";
  return {
    page: path in plain ? plain[path as keyof typeof plain] : named,
    table: table || (look?.[1] ?? ""),
    step: look?.[2] === undefined ? null : Number(look[2]),
    game,
    person,
    event: event?.[1] ?? "",
    projector: !!event?.[2],
    puzzle: today?.[1]?.split("/").slice(1) ?? [],
    query,
  };
}
