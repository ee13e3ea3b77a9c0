/**
 * Geometry of the market: 7 × 7 squares of 100 units, a to g across and 1 to 7 upwards, and a rim
 * for the balconies.
 */
import type { Direction } from "../types";

import measures from "$art/grounds/market.json";

export const {
  field: FIELD,
  rim: RIM,
  rug: RUG,
  half: HALF,
  omar: OMAR,
  sole: SOLE,
  light: LIGHT,
  shadow: SHADOW,
  pointer: POINTER,
} = measures;
export const SIZE = 7 * FIELD + 2 * RIM;

export interface Point {
  x: number;
  y: number;
}

export interface Pose extends Point {
  angle: number; // degrees, 0 is north
}

const TOWARDS: Record<Direction, Point> = { n: { x: 0, y: -1 }, e: { x: 1, y: 0 }, s: { x: 0, y: 1 }, w: { x: -1, y: 0 } };
const ANGLES: Record<Direction, number> = { n: 0, e: 90, s: 180, w: 270 };
const OPPOSITE: Record<Direction, Direction> = { n: "s", e: "w", s: "n", w: "e" };
// distance of a balcony's control points from the market; the curve reaches three quarters of it
const BULGE = measures.bulge;
// the loop of g7 from north to east; a1's is the same rotated
const CORNER: Point[] = measures.corner.map(([x, y]) => ({ x: x!, y: y! }));

export const FIELDS: string[] = [..."7654321"].flatMap((row) => [..."abcdefg"].map((column) => column + row));

export function column(field: string): number {
  return field.charCodeAt(0) - 97;
}

export function row(field: string): number {
  return Number(field[1]) - 1;
}

/** The middle of a square. */
export function middle(field: string): Point {
  return { x: RIM + FIELD * (column(field) + 0.5), y: RIM + FIELD * (6.5 - row(field)) };
}

/** The square under a point, or null outside the market. */
export function fieldUnder({ x, y }: Point): string | null {
  const across = Math.floor((x - RIM) / FIELD);
  const down = Math.floor((y - RIM) / FIELD);
  return across in [..."abcdefg"] && down in [..."1234567"] ? "abcdefg"[across]! + (7 - down) : null;
}

/** The next square in a direction, or null at the edge. */
export function neighbour(field: string, heading: Direction): string | null {
  const { x, y } = middle(field);
  return fieldUnder({ x: x + TOWARDS[heading].x * FIELD, y: y + TOWARDS[heading].y * FIELD });
}

export function neighbours(field: string): string[] {
  return headings.map((heading) => neighbour(field, heading)).filter((each) => each !== null);
}

export const headings: Direction[] = ["n", "e", "s", "w"];

/** A point at a distance from the middle of a square. */
export function off(field: string, heading: Direction, distance: number): Point {
  const { x, y } = middle(field);
  return { x: x + TOWARDS[heading].x * distance, y: y + TOWARDS[heading].y * distance };
}

export function angleOf(heading: Direction): number {
  return ANGLES[heading];
}

export function opposite(heading: Direction): Direction {
  return OPPOSITE[heading];
}

// ---------------------------------------------------------------- balconies and ways

/** The brass of a balcony such as "a7n b7n". */
export function balcony(sides: string): string {
  const [one, other] = sides.split(" ");
  return curve(loop(one!, other!));
}

/** The points of a balcony between two square sides: a start, then three per curve. */
function loop(from: string, to: string): Point[] {
  const begin = edge(from);
  const end = edge(to);
  if (from.slice(0, 2) !== to.slice(0, 2)) {
    const out = TOWARDS[from[2] as Direction];
    const bulge = ({ x, y }: Point) => ({ x: x + out.x * BULGE, y: y + out.y * BULGE });
    return [begin, bulge(begin), bulge(end), end];
  }
  const turned = from[0] === "g" ? CORNER : CORNER.map(({ x, y }) => ({ x: SIZE - x, y: SIZE - y }));
  return "ns".includes(from[2]!) ? turned : [...turned].reverse();
}

function edge(side: string): Point {
  return off(side.slice(0, 2), side[2] as Direction, FIELD / 2);
}

function curve([first, ...rest]: Point[]): string {
  let text = `M${first!.x} ${first!.y}`;
  for (let k = 0; k < rest.length; k += 3)
    text += `C${rest
      .slice(k, k + 3)
      .map(({ x, y }) => `${x} ${y}`)
      .join(" ")}`;
  return text;
}

export interface Step {
  field: string;
  heading: Direction; // of arrival
  round: boolean; // along a balcony
  path: string;
}

/** The steps of a way such as "a7 b7s b6" from a square in a direction. */
export function stepsOf(from: string, heading: Direction, way: string): Step[] {
  const steps: Step[] = [];
  for (const part of way.split(" ")) {
    const field = part.slice(0, 2);
    const arriving = (part[2] ?? heading) as Direction;
    const round = part.length > 2;
    const end = middle(field);
    const start = middle(from);
    const inside = field + opposite(arriving);
    const path = round
      ? `M${start.x} ${start.y}${curve(loop(from + heading, inside)).replace("M", "L")}L${end.x} ${end.y}`
      : `M${start.x} ${start.y}L${end.x} ${end.y}`;
    steps.push({ field, heading: arriving, round, path });
    from = field;
    heading = arriving;
  }
  return steps;
}
