/** Lines of the scenery, computed once: stars, roofs against the sky, the paving of the lane. */

const WIDE = 1440;
const LANE = { height: 620, middle: 720, step: 46 };

/** The next of a fixed row of random numbers. */
function next(seed: number): number {
  return (seed * 1103515245 + 12345) % 2 ** 31;
}

function starsIn(height: number): string {
  let [seed, stars] = [5, ""];
  for (let k = 0; k < WIDE / 9; k += 1) {
    const x = (seed = next(seed)) % WIDE;
    const y = ((seed = next(seed)) >> 5) % height;
    stars += `M${x} ${y}h1.2`;
  }
  return stars;
}

/** Domes, minarets and flat roofs in a row, standing at `base`. */
function roofsAt(base: number, shift: number): string {
  let line = `M-20 ${base + 70}`;
  for (let x = -20 - shift, k = 0; x < WIDE + 60; k += 1) {
    const kind = (k * 7 + shift) % 5;
    if (kind === 0 || kind === 3) line += `H${x}V${base - 24}c-6-18 14-20 26-40c12 20 32 22 26 40V${base + 70}`;
    else if (kind === 1) line += `H${x}V${base - 60}h-3v-4h3v-6q7-12 14 0v6h3v4h-3V${base + 70}`;
    else line += `H${x}V${base - 8}h52V${base + 70}`;
    x += kind === 0 || kind === 3 ? 74 : kind === 1 ? 40 : 66;
  }
  return `${line}V${base + 90}H-20Z`;
}

/** The paving: rows of stones that get larger towards us. */
function stones({ height, middle, step }: typeof LANE): string {
  const rows: number[] = [];
  for (let [y, k] = [6, 12]; y < height; y += k, k *= 1.22) rows.push(y);
  return rows.map((top, row) => `M0 ${top.toFixed(1)}H${WIDE}${jointsOf(row, top, rows[row + 1] ?? height + 40, middle, step)}`).join("");
}

function jointsOf(row: number, top: number, bottom: number, middle: number, step: number): string {
  let joints = "";
  for (let k = -24; k < 25; k += 1) {
    const from = (k + (row % 2) / 2) * step;
    const [x, end] = [top, bottom].map((y) => middle + (from * (y + 90)) / 90) as [number, number];
    if (x > -40 && x < WIDE + 40) joints += `M${x.toFixed(1)} ${top.toFixed(1)}L${end.toFixed(1)} ${bottom.toFixed(1)}`;
  }
  return joints;
}

export const STARS = starsIn(120);
export const ROOFS = [roofsAt(120, 0), roofsAt(138, 90)] as const;
export const PAVING = stones(LANE);
