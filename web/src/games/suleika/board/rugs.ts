/**
 * Visible rugs from the halves in a position: "r12" on two squares is a whole rug, on one a half.
 */
import { column, FIELDS, headings, middle, neighbour, row, type Point } from "./market";
import type { Direction } from "../types";

export const NAMES: Record<string, string> = { r: "red", y: "yellow", b: "blue", g: "green" };

export interface Rug {
  number: number;
  colour: string; // red, yellow, blue, green
  fields: string[]; // visible on these: two, or one for a half
  towards: Direction; // from the first square towards the other half, visible or covered
}

/** The visible half on a square, such as "r12", or "". */
export function halfAt(board: string[][], field: string): string {
  return board[6 - row(field)]?.[column(field)] ?? "";
}

/**
 * Remembers how rugs lay while both halves were visible. For others the scene names the likely
 * position of the covered half.
 */
export class RugLayout {
  #seen = new Map<string, Direction>();

  rugs(board: string[][], covered: Record<string, Direction>): Rug[] {
    const showing = new Map<string, string[]>();
    for (const field of FIELDS) {
      const half = halfAt(board, field);
      if (half) showing.set(half, [...(showing.get(half) ?? []), field]);
    }
    return [...showing].map(([half, fields]) => this.#rug(covered, half, fields)).sort((a, b) => a.number - b.number);
  }

  #rug(covered: Record<string, Direction>, half: string, fields: string[]): Rug {
    const [first, second] = fields as [string, string?];
    const number = Number(half.slice(1));
    const towards = second ? headingTo(first, second) : (this.#seen.get(half + first) ?? covered[first] ?? "n");
    if (second) {
      this.#seen.set(half + first, towards);
      this.#seen.set(half + second, headingTo(second, first));
    }
    return { number, colour: NAMES[half[0]!]!, fields, towards };
  }
}

export function headingTo(from: string, to: string): Direction {
  return headings.find((heading) => neighbour(from, heading) === to) ?? "n";
}

/** The middle between two adjacent squares. */
export function between(one: string, other: string): Point {
  const a = middle(one);
  const b = middle(other);
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
