/**
 * Geometry of the ring: positions of arches and figures, clockwise from the top left corner, in
 * cells of 100 × 100.
 */
import measures from "$art/grounds/ring.json";

export interface Ring {
  columns: number;
  rows: number;
}
export interface Point {
  x: number;
  y: number;
}

// figures walk along the lane, inside the arches
export const { cell: CELL, lane: LANE, disc: DISC, figure: FIGURE, mine: MINE, tag: TAG } = measures;
export const WIDE: Ring = { columns: measures.wide[0]!, rows: measures.wide[1]! };
export const TALL: Ring = { columns: measures.tall[0]!, rows: measures.tall[1]! };
export const BROAD: Ring = { columns: measures.broad[0]!, rows: measures.broad[1]! };
const [APART, ROOM, DOWN] = measures.beside as [number, number, number];

/** The ring with the largest arches that fits. */
export function fitting(width: number, height: number): Ring {
  const cell = ({ columns, rows }: Ring) => Math.min(width / columns, height / rows);
  return [WIDE, TALL, BROAD].reduce((best, ring) => (cell(ring) > cell(best) ? ring : best));
}

/** Column and row of an arch. */
function cell(ring: Ring, arch: number): [number, number] {
  const across = ring.columns - 1;
  const down = ring.rows - 1;
  if (arch < across) return [arch, 0];
  if (arch < across + down) return [across, arch - across];
  if (arch < 2 * across + down) return [across - (arch - across - down), down];
  return [0, down - (arch - 2 * across - down)];
}

/** The middle of an arch. */
export function archAt(ring: Ring, arch: number): Point {
  const [column, row] = cell(ring, arch);
  return { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL };
}

/** The place on the lane in front of an arch. */
export function laneAt(ring: Ring, arch: number): Point {
  const [column, row] = cell(ring, arch);
  const { x, y } = archAt(ring, arch);
  const inward = (at: number, last: number) => (at === 0 ? 1 : at === last ? -1 : 0);
  const dx = inward(column, ring.columns - 1);
  const dy = inward(row, ring.rows - 1);
  // corners are nearer
  const far = dx && dy ? CELL / 2 + LANE * measures.corner : CELL / 2 + LANE / 2;
  return { x: x + dx * far, y: y + dy * far };
}

/** The offset of figure k of n that share a place. */
export function beside(place: Point, k: number, n: number): Point {
  const step = Math.min(APART, ROOM / n);
  return { x: place.x + (k - (n - 1) / 2) * step, y: place.y + (k % 2 ? DOWN : 0) };
}
