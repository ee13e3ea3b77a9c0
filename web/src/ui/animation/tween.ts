/** Animation time. */
import type { Pace } from "../../protocol/table";
import { settings } from "../../state/settings.svelte";

const TEMPO: Record<Pace, number> = { relaxed: 1.5, normal: 1, fast: 0.22, instant: 0 };

export const PACES = Object.keys(TEMPO) as Pace[];

/** A duration at the configured pace. */
export function paced(time: number): number {
  return time * TEMPO[settings.pace];
}

export function wait(time: number): Promise<void> {
  return new Promise((done) => setTimeout(done, paced(time)));
}

/**
 * Calls `draw` with 0 to 1 on every frame, eased, while `wanted`. Resolves with whether it ran to
 * the end.
 */
export function tween(time: number, draw: (part: number) => void, wanted: () => boolean): Promise<boolean> {
  const begin = performance.now();
  const whole = paced(time);
  return new Promise((done) => {
    const frame = (now: number) => {
      if (!wanted()) return done(false);
      const part = Math.min(1, Math.max(0, (now - begin) / whole));
      draw(part * part * (3 - 2 * part));
      if (part < 1) requestAnimationFrame(frame);
      else done(true);
    };
    requestAnimationFrame(frame);
  });
}
