/** What somebody has set on this device: theme, motion, pace, sound, language, name, whom they do not want to hear. Kept in the browser's storage. */
import type { Pace } from "../protocol";

export type Theme = "auto" | "day" | "night";
export type Motion = "auto" | "on" | "off";
export type Loudness = "off" | "quiet" | "full";

interface Settings {
  theme: Theme;
  motion: Motion;
  pace: Pace;
  sound: Loudness;
  calls: "" | "yes" | "no"; // whether to be called when it is my turn; "" until somebody has said
  muted: string[]; // seats that are not to be heard, each a table and a number, the latest first
  mutedAll: boolean;
  clauses: boolean; // whether the rules name theirs
  language: string;
  name: string;
  levels: Record<string, string>; // by game: of the bots one last played against
  players: Record<string, number>; // by game: how many one last was
  known: string[]; // games of which one has come to the end
  warned: string[]; // tables at which one wants to be warned, the latest first
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

/** Whether things may move: nothing does where all is to be seen at once. */
export function motionOn(): boolean {
  if (settings.pace === "instant") return false;
  return settings.motion === "auto" ? !system.still : settings.motion === "on";
}

/** The theme that is shown now. */
export function theme(): "day" | "night" {
  return settings.theme === "auto" ? (system.day ? "day" : "night") : settings.theme;
}

/** Keep the settings and put them onto the page; runs as long as the page lives. */
export function keepSettings(): void {
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
        // a browser without storage forgets
      }
    });
  });
  // Another tab has changed something: follow it.
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
