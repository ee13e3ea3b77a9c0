/** Settings of this device, in the browser's storage. */
import type { Pace } from "../protocol/table";

export type Theme = "auto" | "day" | "night";
export type Motion = "auto" | "on" | "off";
export type Loudness = "off" | "quiet" | "full";

interface Settings {
  theme: Theme;
  motion: Motion;
  pace: Pace;
  sound: Loudness;
  calls: "" | "yes" | "no"; // turn notifications; "" until answered
  muted: string[]; // muted seats as table and number, latest first
  mutedAll: boolean;
  clauses: boolean; // whether rules show clause numbers
  language: string;
  name: string;
  levels: Record<string, string>; // by game: level of the bots last chosen
  players: Record<string, number>; // by game: number of players last chosen
  known: string[]; // games played to the end
  warned: string[]; // tables with coach warnings, latest first
}

const KEPT = "souk";
const day = matchMedia("(prefers-color-scheme: light)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const settings = $state<Settings>({
  theme: "auto",
  motion: "auto",
  pace: "normal",
  sound: "quiet",
  calls: "",
  muted: [],
  mutedAll: false,
  clauses: false,
  language: "",
  name: "",
  levels: {},
  players: {},
  known: [],
  warned: [],
  ...kept(),
});

const system = $state({ day: day.matches, still: still.matches });
day.addEventListener("change", () => (system.day = day.matches));
still.addEventListener("change", () => (system.still = still.matches));

/** Whether animations run. */
export function motionOn(): boolean {
  if (settings.pace === "instant") return false;
  return settings.motion === "auto" ? !system.still : settings.motion === "on";
}

/** The current theme. */
export function theme(): "day" | "night" {
  return settings.theme === "auto" ? (system.day ? "day" : "night") : settings.theme;
}

/** Store and apply the settings for the lifetime of the page. */
export function applySettings(): void {
  $effect.root(() => {
    $effect(() => {
      document.documentElement.dataset.theme = theme();
      document.documentElement.dataset.motion = motionOn() ? "on" : "off";
    });
    $effect(() => {
      const text = JSON.stringify(settings);
      try {
        localStorage.setItem(KEPT, text);
      } catch {
        // no storage
      }
    });
  });
  // Follow changes in other tabs.
  addEventListener("storage", (change) => {
    if (change.key === KEPT) Object.assign(settings, kept());
  });
}

function kept(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}
