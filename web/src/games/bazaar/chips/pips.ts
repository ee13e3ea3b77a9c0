/** Where chips of one colour lie, like the pips of a die, to be counted at a glance. */

type Spot = [number, number];

const [LEFT, RIGHT] = [-0.51, 0.51];
const PIPS: Spot[][] = [
  [],
  [[0, 0]],
  [
    [LEFT, 0],
    [RIGHT, 0],
  ],
  [
    [0, -0.47],
    [LEFT, 0.47],
    [RIGHT, 0.47],
  ],
  [
    [LEFT, -0.51],
    [RIGHT, -0.51],
    [LEFT, 0.51],
    [RIGHT, 0.51],
  ],
  [
    [LEFT, -0.9],
    [RIGHT, -0.9],
    [0, 0],
    [LEFT, 0.9],
    [RIGHT, 0.9],
  ],
  [
    [LEFT, -1.02],
    [RIGHT, -1.02],
    [LEFT, 0],
    [RIGHT, 0],
    [LEFT, 1.02],
    [RIGHT, 1.02],
  ],
];
const ROW = 3;

/** Middles of chips whose width is 1, from the top down, and half the height they take. */
export function pips(count: number): { spots: Spot[]; half: number } {
  const spots = PIPS[count] ?? inRows(count);
  return { spots, half: 0.56 + Math.max(0, ...spots.map(([, y]) => y)) };
}

/** The width of a colour's place: narrower where little lies, wider from seven chips on. */
export function placeWidth(count: number): number {
  return count < 2 ? 1.75 : count < PIPS.length ? 2.15 : 3.15;
}

function inRows(count: number): Spot[] {
  const rows = Math.ceil(count / ROW);
  return Array.from({ length: count }, (_, k) => {
    const row = Math.floor(k / ROW);
    const beside = Math.min(ROW, count - row * ROW);
    return [(k % ROW) - (beside - 1) / 2, row - (rows - 1) / 2];
  });
}
