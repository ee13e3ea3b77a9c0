/** Clocks and proposals of a table, extrapolated from the server's last message. */
import type { AwayNow, ClockTerms, TimingNow } from "../protocol/table";

import { t } from "../i18n/translate.svelte";

const TICK = 200; // ms

export class TableTiming {
  now = $state.raw<TimingNow | null>(null);
  #said = 0; // when the server sent it, by this browser's clock
  #elapsed = $state(0); // seconds since then
  #ticking: ReturnType<typeof setInterval> | undefined;

  take(now: TimingNow | null): void {
    this.now = now;
    this.#said = Date.now(); // goes on while the device sleeps
    this.#elapsed = 0;
    clearInterval(this.#ticking);
    const counting = now && (now.clocks?.running.length || now.proposal || now.away.length);
    this.#ticking = counting ? setInterval(() => (this.#elapsed = Math.max(0, Date.now() - this.#said) / 1000), TICK) : undefined;
  }

  close(): void {
    clearInterval(this.#ticking);
  }

  get terms(): ClockTerms | null {
    return this.now?.clocks?.terms ?? null;
  }

  get paused(): boolean {
    return !!this.now?.paused;
  }

  /** The seconds a seat has left, or null without a clock. */
  left(seat: number): number | null {
    const clocks = this.now?.clocks;
    const left = clocks?.left[seat];
    if (!clocks || left === undefined) return null;
    return clocks.running.includes(seat) ? Math.max(0, left - this.#elapsed) : left;
  }

  runs(seat: number): boolean {
    return !!this.now?.clocks?.running.includes(seat);
  }

  /** The pending proposal, until it lapses. */
  get proposal() {
    const asked = this.now?.proposal ?? null;
    return asked && asked.lapses_in > this.#elapsed ? asked : null;
  }

  /** Absent players who are waited for, with the seconds until the others may decide. */
  get away(): (AwayNow & { wait: number })[] {
    return (this.now?.away ?? []).map((each) => ({ ...each, wait: Math.ceil(Math.max(0, each.decide_in - this.#elapsed)) }));
  }
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Clock terms in a few words. */
export function termsWords({ kind, seconds, increment }: ClockTerms): string {
  const time = t(seconds >= DAY ? "clock.of_days" : seconds >= MINUTE ? "clock.minutes" : "clock.seconds", {
    n: seconds >= DAY ? seconds / DAY : seconds >= MINUTE ? seconds / MINUTE : seconds,
  });
  return `${t(`clock.${kind}`)}: ${time}${increment ? ` + ${t("clock.seconds", { n: increment })}` : ""}`;
}

/** Remaining time as figures: 0:07, 12:30, 1:05:00. For days and many hours see `clockWords`. */
export function clockFigures(seconds: number): string {
  const whole = Math.ceil(seconds - 0.05);
  const [hours, minutes, rest] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE), whole % MINUTE];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Remaining time in words, with the key of the largest fitting unit. */
export function clockWords(seconds: number): ["clock.of_days" | "clock.hours" | "clock.minutes" | "clock.seconds", number] {
  if (seconds >= 2 * DAY) return ["clock.of_days", Math.floor(seconds / DAY)];
  if (seconds >= 3 * HOUR) return ["clock.hours", Math.floor(seconds / HOUR)];
  if (seconds >= 2 * MINUTE) return ["clock.minutes", Math.floor(seconds / MINUTE)];
  return ["clock.seconds", Math.ceil(seconds)];
}

export const LONG = 3 * HOUR; // above this a clock uses words
