/** Geometry of what the voice draws on the market: the edge of a carpet, and the ribbon of a way. */
import { FIELD, middle, off, opposite, stepsOf, type Point, type Step } from "./board/market";
import type { Direction, Way } from "./types";

import measures from "$art/grounds/market.json";

const LEFT_OF: Record<Direction, Direction> = { n: "w", w: "s", s: "e", e: "n" };
const LIFT = 17; // the ribbon runs left of the middle, slippers and prices right of it
const ASIDE = 27;
const START = 36; // from the middle of Omar's square

type Corner = [number, number];

/** The edge of a set of squares as closed paths, moved inwards by `inset`. */
export function outline(fields: string[], inset: number): string {
  const inside = new Set(fields);
  const next = new Map<string, Corner[]>();
  const add = (from: Corner, to: Corner) => next.set(String(from), [...(next.get(String(from)) ?? []), to]);
  for (const field of inside) {
    const [x, y] = cornerOf(field);
    if (!inside.has(beside(field, 0, 1))) add([x, y], [x + 1, y]);
    if (!inside.has(beside(field, 1, 0))) add([x + 1, y], [x + 1, y + 1]);
    if (!inside.has(beside(field, 0, -1))) add([x + 1, y + 1], [x, y + 1]);
    if (!inside.has(beside(field, -1, 0))) add([x, y + 1], [x, y]);
  }
  const loops: string[] = [];
  while (next.size) loops.push(loopPath(walk(next), inset));
  return loops.join("");
}

/** One closed walk clockwise along the edges, which are used up. */
function walk(next: Map<string, Corner[]>): Corner[] {
  const start = [...next.keys()][0]!.split(",").map(Number) as Corner;
  const corners: Corner[] = [];
  let [from, at]: [Corner | null, Corner] = [null, start];
  do {
    const options = next.get(String(at))!;
    // Where squares touch at a corner only, turn right: stay on the same square.
    const to = options.find((each) => !from || turnsRight(from, at, each)) ?? options[0]!;
    const rest = options.filter((each) => each !== to);
    if (rest.length) next.set(String(at), rest);
    else next.delete(String(at));
    corners.push(at);
    [from, at] = [at, to];
  } while (String(at) !== String(start));
  return corners;
}

function turnsRight([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): boolean {
  return (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0;
}

/** Corners as a path: each is moved to the right of both edges that meet in it. */
function loopPath(corners: Corner[], inset: number): string {
  const points: string[] = [];
  corners.forEach(([x, y], k) => {
    const [px, py] = corners.at(k - 1)!;
    const [nx, ny] = corners[(k + 1) % corners.length]!;
    const [inX, inY, outX, outY] = [x - px, y - py, nx - x, ny - y];
    if (inX === outX && inY === outY) return;
    const { x: left, y: top } = middle("a7");
    points.push(`${left + (x - 0.5) * FIELD + inset * -(inY + outY)} ${top + (y - 0.5) * FIELD + inset * (inX + outX)}`);
  });
  return `M${points.join("L")}Z`;
}

function cornerOf(field: string): Corner {
  return [field.charCodeAt(0) - 97, 7 - Number(field[1])];
}

function beside(field: string, columns: number, rows: number): string {
  return String.fromCharCode(field.charCodeAt(0) + columns) + String(Number(field[1]) + rows);
}

// ---------------------------------------------------------------- ways

export interface RibbonStop {
  field: string;
  heading: Direction;
  at: Point; // beside the ribbon
  faces: number; // of six that lead here
  pays: number;
}

export interface Ribbon {
  path: string;
  end: Point;
  heading: Direction;
  stops: RibbonStop[];
}

/** One ribbon from Omar through the stops of a way, and on each what the die and it cost. */
export function ribbonOf(from: string, way: Way, sixths: number[]): Ribbon {
  const steps = stepsOf(from, way.faces, way.way);
  const start = aside(off(from, way.faces, START), way.faces, -LIFT);
  let path = `M${start.x} ${start.y}`;
  let field = from;
  let heading = way.faces;
  for (const step of steps) {
    path += step.round ? round(field, heading, step) : line(aside(middle(step.field), step.heading, -LIFT));
    [field, heading] = [step.field, step.heading];
  }
  const stops = steps.map((step, k) => ({
    field: step.field,
    heading: step.heading,
    at: aside(middle(step.field), step.heading, ASIDE),
    faces: sixths[k] ?? 0,
    pays: way.pays?.[k] ?? 0,
  }));
  return { path, end: aside(middle(field), heading, -LIFT), heading, stops };
}

/** Round a balcony, whose curve is widened or narrowed to where the ribbon runs. */
function round(field: string, heading: Direction, step: Step): string {
  const out = aside(off(field, heading, FIELD / 2), heading, -LIFT);
  const back = aside(off(step.field, opposite(step.heading), FIELD / 2), step.heading, -LIFT);
  const end = aside(middle(step.field), step.heading, -LIFT);
  if (field === step.field) {
    // The corner loop stands out on two sides, so its own curve is followed.
    const corner = /C.*?L/.exec(step.path)?.[0].slice(0, -1) ?? "";
    const { x, y } = off(field, heading, FIELD / 2);
    return `L${x} ${y}${corner}${line(end)}`;
  }
  const bulge = (point: Point) => off2(point, heading, measures.bulge);
  const [one, other] = [bulge(out), bulge(back)];
  return `${line(out)}C${one.x} ${one.y} ${other.x} ${other.y} ${back.x} ${back.y}${line(end)}`;
}

function line({ x, y }: Point): string {
  return `L${x} ${y}`;
}

/** A point moved to the right of a heading. */
function aside(point: Point, heading: Direction, distance: number): Point {
  return off2(point, LEFT_OF[heading], -distance);
}

function off2({ x, y }: Point, heading: Direction, distance: number): Point {
  const [zero, one] = [off("d4", heading, 0), off("d4", heading, distance)];
  return { x: x + one.x - zero.x, y: y + one.y - zero.y };
}
