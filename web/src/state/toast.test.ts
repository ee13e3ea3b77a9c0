import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismiss, toast, toasts } from "./toast.svelte";

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  for (const { id } of toasts()) dismiss(id);
  vi.useRealTimers();
});

const shown = () => toasts().map(({ text }) => text);

test("a note goes away by itself, or when it has been read", () => {
  toast("one", "S19");
  toast("two");
  expect(toasts()).toMatchObject([
    { text: "one", clause: "S19" },
    { text: "two", clause: "" },
  ]);
  dismiss(toasts()[0]!.id);
  expect(shown()).toEqual(["two"]);
  vi.advanceTimersByTime(6500);
  expect(shown()).toEqual([]);
});

test("the latest three are shown, each once", () => {
  for (const text of ["one", "two", "one", "three", "four"]) toast(text);
  expect(shown()).toEqual(["one", "three", "four"]);
});

test("a note that is said again stays for its whole time", () => {
  toast("one");
  vi.advanceTimersByTime(6000);
  toast("one");
  vi.advanceTimersByTime(6000);
  expect(shown()).toEqual(["one"]);
});
