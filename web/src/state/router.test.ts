import { beforeEach, expect, test } from "vitest";
import { followLinks, go, currentPlace } from "./router.svelte";

followLinks();

// Runs after the page's listener: records whether it followed the link, and stops the browser from
// following it.
let followed = false;
addEventListener("click", (click) => {
  followed = click.defaultPrevented;
  click.preventDefault();
});

beforeEach(() => {
  document.body.innerHTML = "";
  go("/");
});

/** Click inside a link; whether the page followed it itself. */
function click(link: string, how: MouseEventInit = {}): boolean {
  document.body.innerHTML = link;
  document.querySelector("b")!.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...how }));
  return followed;
}

test.each([
  ["/", "lobby", ""],
  ["/new?game=basari", "new", ""],
  ["/box?game=basari", "box", ""],
  ["/me", "me", ""],
  ["/t/Ab-1_2", "table", "Ab-1_2"],
  ["/t/Ab-1_2/", "table", "Ab-1_2"],
  ["/today", "today", ""],
  ["/today/2026-11-16/bazaar/easy", "today", ""],
  ["/today/2026-11-16/bazaar/easy/more", "nowhere", ""],
  ["/look/Ab-1_2", "look", "Ab-1_2"],
  ["/look/Ab-1_2/37", "look", "Ab-1_2"],
  ["/look/Ab-1_2/x", "nowhere", ""],
  ["/t/", "nowhere", ""],
  ["/t/a/b", "nowhere", ""],
  ["/elsewhere", "nowhere", ""],
])("%s is the page %s", (path, page, table) => {
  go(path);
  expect(currentPlace()).toMatchObject({ page, table });
});

test("a game that is looked back at may be opened at a step", () => {
  go("/look/T1/37");
  expect(currentPlace().step).toBe(37);
  go("/look/T1");
  expect(currentPlace().step).toBe(null);
});

test("what is asked for stands in the query", () => {
  go("/new?game=basari");
  expect(currentPlace().query.get("game")).toBe("basari");
});

test("a link to a page of ours is followed without loading the document again", () => {
  expect(click(`<a href="/t/T1"><b>a table</b></a>`)).toBe(true);
  expect([currentPlace().table, location.pathname]).toEqual(["T1", "/t/T1"]);
});

test.each([
  ["another site", `<a href="https://example.org/t/T1"><b>x</b></a>`, {}],
  ["another tab", `<a href="/t/T1" target="_blank"><b>x</b></a>`, {}],
  ["another tab by key", `<a href="/t/T1"><b>x</b></a>`, { ctrlKey: true }],
  ["a file", `<a href="/api/tables/T1/record" download><b>x</b></a>`, {}],
  ["a place on this page", `<a href="/#main"><b>x</b></a>`, {}],
  ["nothing", `<p><b>x</b></p>`, {}],
])("a link to %s is left to the browser", (_, link, how) => {
  expect(click(link, how)).toBe(false);
  expect(currentPlace().page).toBe("lobby");
});

test("going back shows the page before", () => {
  go("/t/T1");
  history.replaceState(null, "", "/new"); // as the browser does before the event
  dispatchEvent(new PopStateEvent("popstate"));
  expect(currentPlace().page).toBe("new");
});
