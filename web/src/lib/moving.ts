/** Time that passes while something is shown. */

export function wait(time: number): Promise<void> {
  return new Promise((done) => setTimeout(done, time));
}

/** Draw from 0 to 1, frame by frame, slowly at both ends, for as long as it is `wanted`. Whether it came to the end. */
export function tween(time: number, draw: (part: number) => void, wanted: () => boolean): Promise<boolean> {
  const begin = performance.now();
  return new Promise((done) => {
    const frame = (now: number) => {
      if (!wanted()) return done(false);
      const part = Math.min(1, Math.max(0, (now - begin) / time));
      draw(part * part * (3 - 2 * part));
      if (part < 1) requestAnimationFrame(frame);
      else done(true);
    };
    requestAnimationFrame(frame);
  });
}
