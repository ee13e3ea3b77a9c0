/** How the table is laid: by the shape of the box it gets, in units that grow with it. */

export type Shape = "wide" | "tall" | "low";

export interface Layout {
  shape: Shape;
  /** a tenth of a pixel grid: everything on the table is measured in it */
  unit: number;
}

/** The box that each shape is drawn for, in units. */
const DRAWN: Record<Shape, [width: number, height: number]> = { wide: [113, 81], tall: [39, 51], low: [74, 33.5] };
const LOW = 430; // px
const SQUARE = 1.12;

export function layoutOf(width: number, height: number): Layout {
  const shape = height < LOW && width > height ? "low" : width < SQUARE * height ? "tall" : "wide";
  const [across, down] = DRAWN[shape];
  return { shape, unit: Math.min(width / across, height / down) };
}

/** A person who stands behind the table, in pixels. */
export interface Standing {
  seat: number;
  x: number;
  bottom: number;
  height: number;
}

export type Side = "left" | "top" | "right";

/** Where the others sit, in the order of play: round the table from my left. */
export function sidesOf(others: number): Side[] {
  return Array.from({ length: others }, (_, k) => (k === 0 ? "left" : k === others - 1 ? "right" : "top"));
}

/** The others behind a wide table. On other tables there is no room for them. */
export function standing(others: number[], { shape, unit }: Layout, width: number): Standing[] {
  if (shape !== "wide") return [];
  const tops = others.length - 2;
  return others.map((seat, k) => {
    if (k === 0) return { seat, x: 11.2 * unit, bottom: 19.4 * unit, height: 13 * unit };
    if (k === others.length - 1) return { seat, x: width - 11.2 * unit, bottom: 19.4 * unit, height: 13 * unit };
    const from = tops > 1 ? width / 2 - 17 * unit : width / 2;
    return { seat, x: from + (k - 1) * 34 * unit, bottom: 10.6 * unit, height: 11 * unit };
  });
}

/**
 * The middle of the table, where haggles are held, in pixels: as card-table.css lays it. `idle`: no
 * room is kept for my moves.
 */
export function middleOf({ shape, unit }: Layout, width: number, height: number, idle: boolean): { x: number; y: number; radius: number } {
  if (shape === "wide") return { x: width / 2, y: (height - 3 * unit) / 2, radius: 11.6 * unit };
  if (shape === "tall") return { x: width / 2, y: (height + (idle ? 1.5 : -7.6) * unit) / 2, radius: 7.6 * unit };
  return { x: width - 15.5 * unit, y: 6.6 * unit, radius: 6 * unit };
}
