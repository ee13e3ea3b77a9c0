/**
 * Geometry of the house: a ring of 28 bays round a court, seen a little from above, so that what
 * is nearer is larger. Bay 0 is the far left corner; they go clockwise. In pixels of its box.
 */
import measures from "$art/places/house.json";

/** How many bays across and down, and how large the far row is beside the near one. */
export interface Plan {
  columns: number;
  rows: number;
  far: number[]; // width, height
  flattest: number; // height of a bay beside its width
}
export interface Point {
  x: number;
  y: number;
}
export interface Bay extends Point {
  width: number;
  height: number;
}
/** A style of bays, in shares of their size: the window's height, and the arch below it. */
export interface Style {
  bay: string;
  window: number;
  arch: number[];
  figure: number;
  disc: number;
  small: number; // a disc beside a figure
}
export interface House extends Plan {
  width: number;
  height: number;
  style: Style;
  bays: Bay[]; // by number
  tops: number[]; // by row
  widths: number[]; // of a bay, by row
  heights: number[];
}
/** A piece with its feet at a point; `size` is its height. */
export interface Standing extends Point {
  seat: number;
  arch: number;
  size: number;
}

export const WIDE: Plan = measures.wide;
export const TALL: Plan = measures.tall;
const FINGER = 44; // no bay is narrower or lower if there is room
const STEEPEST = 1.45; // height of a bay beside its width
const UPRIGHT = 0.92; // from here on the number stands above its gems
const NARROW = 0.75; // width of a figure beside its height
const SOLE = 0.045; // how far below the window's edge figures stand

/** The plan for a board of that shape. */
export function planFor(width: number, height: number): Plan {
  return width > 1.08 * height ? WIDE : TALL;
}

/** Column and row of each bay, clockwise from the top left corner. */
export function cells({ columns, rows }: Plan): [number, number][] {
  const [across, down] = [columns - 1, rows - 1];
  return Array.from({ length: 2 * (across + down) }, (_, bay) => {
    if (bay < across) return [bay, 0];
    if (bay < across + down) return [across, bay - across];
    if (bay < 2 * across + down) return [across - (bay - across - down), down];
    return [0, down - (bay - 2 * across - down)];
  });
}

/** The largest house in a box; it may leave room at the sides, or below. */
export function build(plan: Plan, room: { width: number; height: number }): House {
  const { columns, rows } = plan;
  const edge = room.width > 500 ? 0.1 : 0.02; // beside the ground floor, in bays
  const sum = rows * (1 + plan.far[1]!) * 0.5 + measures.roof * plan.far[1]! + measures.base;
  let wide = room.width / (columns + edge);
  let high = Math.min(room.height / sum, wide * STEEPEST);
  wide = Math.min(wide, high / plan.flattest);
  // A far row lower than a finger is raised at the expense of the near one.
  const far = [wide, high].map((near, k) => Math.min(1, Math.max(plan.far[k]!, FINGER / near)));
  const total = rows * (1 + far[1]!) * 0.5 + measures.roof * far[1]! + measures.base;
  high = Math.min(high, room.height / total);
  const share = (row: number, k: number) => far[k]! + ((1 - far[k]!) * row) / (rows - 1);
  const widths = Array.from({ length: rows }, (_, row) => wide * share(row, 0));
  const heights = Array.from({ length: rows }, (_, row) => high * share(row, 1));
  const roof = measures.roof * heights[0]!;
  const tops = heights.map((_, row) => roof + heights.slice(0, row).reduce((all, each) => all + each, 0));
  const width = wide * (columns + edge);
  const bays = cells(plan).map(([column, row]) => ({
    x: width / 2 + (column - columns / 2) * widths[row]!,
    y: tops[row]!,
    width: widths[row]!,
    height: heights[row]!,
  }));
  const style = high > UPRIGHT * wide ? measures.high : measures.low;
  return { ...plan, width, height: high * total, style, bays, tops, widths, heights };
}

/** The court: a box between the arcades, as wide as it is at its far end. */
export function court({ columns, rows, width, tops, widths }: House): Bay {
  const wide = widths[1]! * (columns - 2);
  return { x: (width - wide) / 2, y: tops[1]!, width: wide, height: tops[rows - 1]! - tops[1]! };
}

/** Half the width of a bay at a height on the ground. */
function half({ tops, heights, widths }: House, y: number): number {
  const row = Math.max(
    0,
    tops.findLastIndex((top) => top <= y),
  );
  const [here, next] = [widths[row]!, widths[Math.min(row + 1, widths.length - 1)]!];
  return here + (next - here) * Math.min(1, (y - tops[row]!) / heights[row]!);
}

// ---------------------------------------------------------------- what is on a bay

/** The number of an arch: its middle, baseline and size; above its gems, or to their left. */
export function numberIn({ style }: House, { x, y, width, height }: Bay): Point & { size: number } {
  const [left, top, wide, high] = style.arch as [number, number, number, number];
  if (style === measures.high) {
    const size = Math.min(height * 0.235, width * 0.36);
    return { x: x + width / 2, y: y + height * (top + high * 0.2) + size * 0.72, size };
  }
  return { x: x + width * (left + wide * 0.24), y: y + height * 0.85, size: Math.min(height * 0.39, width * 0.36) };
}

/** The corners of an arch's gems, and their size. */
export function gemsIn({ style }: House, { x, y, width, height }: Bay, n: number): { size: number; at: Point[] } {
  const [left, , wide, high] = style.arch as [number, number, number, number];
  if (style === measures.high) {
    const size = Math.min(height * 0.21, width * 0.24);
    const step = Math.min(size * 1.04, (width * (wide - 0.04) - size) / Math.max(n - 1, 1));
    const at = Array.from({ length: n }, (_, k) => ({
      x: x + width / 2 + (k - (n - 1) / 2) * step - size / 2,
      y: y + height - size * 1.16,
    }));
    return { size, at };
  }
  const size = Math.min(height * 0.275, width * 0.25);
  const middle = { x: x + width * (left + wide * 0.68), y: y + height * (1 - high * 0.45) };
  const at = (measures.spots[n] ?? []).map(([dx, dy]) => ({
    x: middle.x + (dx! * 0.98 - 0.5) * size,
    y: middle.y + (dy! * 0.95 - 0.5) * size,
  }));
  return { size, at };
}

/** Those who share a bay, by seat. */
function sharing(places: (number | null)[], arch: number): number[] {
  return places.flatMap((place, seat) => (place === arch ? [seat] : []));
}

/** Figures in their windows, side by side and never one on another; the farthest first. */
export function figures({ bays, style }: House, places: (number | null)[]): Standing[] {
  return places
    .flatMap((arch, seat) => {
      if (arch === null) return [];
      const { x, y, width, height } = bays[arch]!;
      const here = sharing(places, arch);
      const n = here.length;
      const step = (width * (n > 2 ? 0.98 : 0.9)) / n;
      const size = Math.min(height * style.figure, n > 1 ? (step / NARROW) * 1.1 : Infinity);
      const apart = Math.min(step, size * NARROW * 0.95);
      const across = x + width / 2 + (here.indexOf(seat) - (n - 1) / 2) * apart;
      return [{ seat, arch, size, x: across, y: y + height * (style.window + SOLE) }];
    })
    .sort((a, b) => a.y - b.y);
}

/** Start discs: in the middle of an empty window, at the ends of its sill beside figures. */
export function discs({ bays, style }: House, places: (number | null)[], stands: (number | null)[]): Standing[] {
  return places.flatMap((arch, seat) => {
    if (arch === null) return [];
    const { x, y, width, height } = bays[arch]!;
    const here = sharing(places, arch);
    const taken = stands.includes(arch);
    const size = height * (taken ? style.small : style.disc);
    const k = here.indexOf(seat);
    const side = k % 2 ? 1 : -1;
    const aside = width * 0.48 - size * (0.5 + (k >> 1) * 0.9); // from the middle of the bay
    const middle = x + width / 2 + (taken ? side * aside : (k - (here.length - 1) / 2) * size * 0.9);
    return [{ seat, arch, size, x: middle, y: y + height * (style.window + SOLE) + (taken ? size * 0.25 : 0) }];
  });
}

// ---------------------------------------------------------------- the ground

/** The outline of the paved court. */
export function floor(house: House): string {
  const { columns, rows, width, tops, heights } = house;
  const [top, bottom] = [tops[1]! - 4, tops[rows - 1]! + heights[rows - 1]! * 0.5];
  const reach = columns / 2 - 0.6;
  const [far, near] = [half(house, top) * reach, half(house, bottom) * reach];
  return outline([
    [width / 2 - far, top],
    [width / 2 + far, top],
    [width / 2 + near, bottom],
    [width / 2 - near, bottom],
  ]);
}

/** The joints of its flagstones, and the small tiles between them; both come towards us. */
export function paving(house: House): { joints: string; tiles: string } {
  const { columns, rows, width, tops, heights } = house;
  const lines: number[] = [];
  const end = tops[rows - 1]! + heights[rows - 1]! * 0.5;
  for (let y = tops[1]! - 4, step = heights[1]! * 0.27; y < end; y += step, step *= 1.035) lines.push(y);
  const diamond = (line: number, column: number, size: number) => {
    const [far, here, near] = [lines[line]!, lines[line + 1]!, lines[line + 2]!];
    const across = (k: number, y: number) => width / 2 + (k * half(house, y)) / 2;
    const up = size === 1 ? across(column, far) : across(column, here);
    const down = size === 1 ? across(column, near) : across(column, here);
    return outline([
      [up, here + (far - here) * size],
      [across(column + size, here), here],
      [down, here + (near - here) * size],
      [across(column - size, here), here],
    ]);
  };
  let [joints, tiles] = ["", ""];
  for (let line = 0; line < lines.length - 2; line++)
    for (let column = -columns; column < columns; column++) {
      if ((line + column) % 2 === 0) joints += diamond(line, column, 1);
      if (line % 2 === 0 && column % 2 === 0 && (line + column) % 4 === 0) tiles += diamond(line, column, 0.34);
    }
  return { joints, tiles };
}

/** A row of merlons along the edge of a roof. */
export function merlons(left: number, right: number, y: number, high: number): string {
  const n = Math.max(3, Math.round((right - left) / (high * 1.75)));
  const step = (right - left) / n;
  return Array.from({ length: n }, (_, k) => {
    const at = left + (k + 0.16) * step;
    const slope = `${round(step * 0.34)} ${round(high * 0.5)}`;
    return `M${round(at)} ${round(y + 1)}v${round(-high * 0.6)}l${slope.replace(" ", " -")}l${slope}v${round(high * 0.6)}z`;
  }).join("");
}

export function outline(points: [number, number][]): string {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}z`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
