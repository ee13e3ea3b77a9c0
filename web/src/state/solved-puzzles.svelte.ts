/** Daily puzzles solved on this device, in the browser's storage; the server does not know them. */
import { daysAfter, today } from "../util/days";

export interface Solved {
  stars: number; // solitaire: 0 to 3; position: 3 if right, else 0
  actions: number; // of a solitaire puzzle
  on: string; // date of the solution
}

const KEPT = "souk-puzzles";
const solved = $state<Record<string, Solved>>(read());

function read(): Record<string, Solved> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return found && typeof found === "object" ? (found as Record<string, Solved>) : {};
  } catch {
    return {};
  }
}

function keyOf(date: string, game: string, grade: string): string {
  return [date, game, grade].filter(Boolean).join("/");
}

/** How a puzzle was solved here; undefined if it was not. */
export function solvedBefore(date: string, game: string, grade: string): Solved | undefined {
  return solved[keyOf(date, game, grade)];
}

/** Only the first solution counts. */
export function recordSolved(date: string, game: string, grade: string, stars: number, actions = 0): void {
  const key = keyOf(date, game, grade);
  if (solved[key]) return;
  solved[key] = { stars, actions, on: today() };
  try {
    localStorage.setItem(KEPT, JSON.stringify(solved));
  } catch {
    // no storage: no streak
  }
}

/** The number of consecutive days, up to today or yesterday, whose puzzle was solved on the day. */
export function streak(now = today()): number {
  const days = Object.entries(solved).flatMap(([key, { on }]) => (key.startsWith(on) ? [on] : []));
  let day = days.includes(now) ? now : daysAfter(now, -1);
  let n = 0;
  for (; days.includes(day); day = daysAfter(day, -1)) n += 1;
  return n;
}

/** How often a game's puzzles of a grade were solved with 0, 1, 2 and 3 stars. */
export function distribution(game: string, grade: string): number[] {
  const counts = [0, 0, 0, 0];
  for (const [key, { stars }] of Object.entries(solved)) {
    const [, ofGame, ofGrade = ""] = key.split("/");
    if (ofGame === game && ofGrade === grade) counts[stars]! += 1;
  }
  return counts;
}
