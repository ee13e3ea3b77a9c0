/** Which puzzles have been solved on this device, and how well. Kept in the browser's storage; the server knows nothing of it. */
import { daysAfter, today } from "./days";

export interface Solved {
  stars: number; // of an errand 0 to 3; of a position 3 where the answer was right, else 0
  actions: number; // of an errand
  on: string; // the day on which it was
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

/** How a puzzle was solved here; undefined where it has not been. */
export function solvedBefore(date: string, game: string, grade: string): Solved | undefined {
  return solved[keyOf(date, game, grade)];
}

/** Only the first solution of a puzzle counts. */
export function keepSolved(date: string, game: string, grade: string, stars: number, actions = 0): void {
  const key = keyOf(date, game, grade);
  if (solved[key]) return;
  solved[key] = { stars, actions, on: today() };
  try {
    localStorage.setItem(KEPT, JSON.stringify(solved));
  } catch {
    // Who lets nothing be kept plays without a streak.
  }
}

/** How many days in a row, up to today or yesterday, a puzzle of that day was solved. */
export function streak(now = today()): number {
  const days = Object.entries(solved).flatMap(([key, { on }]) => (key.startsWith(on) ? [on] : []));
  let day = days.includes(now) ? now : daysAfter(now, -1);
  let n = 0;
  for (; days.includes(day); day = daysAfter(day, -1)) n += 1;
  return n;
}

/** How often puzzles of a game, and of a grade, were solved with no star, one, two and three. */
export function distribution(game: string, grade: string): number[] {
  const counts = [0, 0, 0, 0];
  for (const [key, { stars }] of Object.entries(solved)) {
    const [, ofGame, ofGrade = ""] = key.split("/");
    if (ofGame === game && ofGrade === grade) counts[stars]! += 1;
  }
  return counts;
}
