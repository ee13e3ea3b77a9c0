/** Dates of the daily puzzles, such as 2026-11-16, in the browser's time zone. */

/** Today's date. */
export function today(now = new Date()): string {
  return written(now);
}

/** A date plus some days, which may be negative. */
export function daysAfter(date: string, days: number): string {
  const [year, month, day] = date.split("-").map(Number);
  return written(new Date(year!, month! - 1, day! + days));
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && daysAfter(text, 0) === text;
}

/** A date in words. */
export function inWords(date: string, language: string, weekday = true): string {
  const [year, month, day] = date.split("-").map(Number);
  const options: Intl.DateTimeFormatOptions = { day: "numeric", month: "long", year: "numeric" };
  return new Date(year!, month! - 1, day).toLocaleDateString(language, weekday ? { weekday: "long", ...options } : options);
}

/** Day and month only. */
export function inShort(date: string, language: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return new Date(year!, month! - 1, day).toLocaleDateString(language, { day: "numeric", month: "short" });
}

function written(when: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${String(when.getFullYear()).padStart(4, "0")}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;
}
