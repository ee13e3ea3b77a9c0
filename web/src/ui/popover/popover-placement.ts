/** Finds a place for a bubble: near its subject, covering as little of importance as possible. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Something to keep visible, with its weight. */
export interface Obstacle {
  box: Box;
  weight: number;
}

const STEP = 8; // px between candidate places
// cost of a pixel of distance; the whole bubble over something of weight 1 costs 1000
const FAR = 0.35;
const HIDING = 4000; // cost of covering the subject
const GAP = 12; // px between bubble and subject
const EDGE = 6;

/** The best place for a bubble in a window: beside `about`, over what matters least. */
export function placeOf(size: { width: number; height: number }, about: Box, kept: Obstacle[], window: Box): { x: number; y: number } {
  let best = { x: EDGE, y: EDGE, cost: Infinity };
  const right = Math.max(EDGE, window.width - size.width - EDGE);
  const bottom = Math.max(EDGE, window.height - size.height - EDGE);
  for (const y of along(bottom, window.y))
    for (const x of along(right, window.x)) {
      const cost = costOf({ x, y, ...size }, about, kept);
      if (cost < best.cost) best = { x, y, cost };
    }
  return { x: best.x, y: best.y };
}

/** Candidates from the edge to the last place, inclusive. */
function along(last: number, first: number): number[] {
  const from = EDGE + first;
  const count = Math.max(0, Math.floor((last - from) / STEP)) + 1;
  return [...Array.from({ length: count }, (_, k) => from + k * STEP), last];
}

function costOf(bubble: Box, about: Box, kept: Obstacle[]): number {
  const area = bubble.width * bubble.height;
  const over = kept.reduce((sum, { box, weight }) => sum + weight * overlap(bubble, box), 0);
  const hiding = overlap(bubble, about) ? HIDING + (60_000 * overlap(bubble, about)) / area : 0;
  return hiding + (1000 * over) / area + FAR * Math.abs(distance(bubble, about) - GAP);
}

/** The common area of two boxes. */
export function overlap(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/** The distance between two boxes. */
export function distance(one: Box, other: Box): number {
  const dx = Math.max(0, other.x - one.x - one.width, one.x - other.x - other.width);
  const dy = Math.max(0, other.y - one.y - one.height, one.y - other.y - other.height);
  return Math.hypot(dx, dy);
}

/** The bounding box of several boxes. */
export function around(boxes: Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
  return { x, y, width, height };
}

/** The point of a box nearest to another's middle. */
export function nearest(box: Box, other: Box): [number, number] {
  const within = (low: number, size: number, wished: number) => Math.min(low + size, Math.max(low, wished));
  return [within(box.x, box.width, other.x + other.width / 2), within(box.y, box.height, other.y + other.height / 2)];
}
