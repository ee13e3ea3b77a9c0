/** What never moves in the house, as SVG: the court, the bays and roofs round it, and the ground it stands on. */
import { court, floor, merlons, outline, paving, round, type Bay, type House } from "./house";

const NIGHT = 'class="night"'; // lamplight, by night only

// Room for a garden: see the containers in Court.svelte.
const BROAD = 1.2; // width of a court beside its height: behind the cloth
const SMALL = 420;
const DEEP = 1.25; // height beside its width: before the cloth

function use(name: string, x: number, y: number, width: number, height: number): string {
  return `<use href="#${name}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/>`;
}

function rect(x: number, y: number, width: number, height: number, fill: string, more = ""): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}" ${more}/>`;
}

function ellipse(x: number, y: number, rx: number, ry: number, fill: string, more = ""): string {
  return `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(rx)}" ry="${round(ry)}" fill="${fill}" ${more}/>`;
}

function path(d: string, fill: string, more = ""): string {
  return `<path d="${d}" fill="${fill}" ${more}/>`;
}

export function walls(house: House): string {
  return [ground(house), shadows(house), garden(house), arcade(house), base(house)].join("");
}

function ground(house: House): string {
  const { joints, tiles } = paving(house);
  const { x, y, width, height } = court(house);
  const shape = floor(house);
  const inside = `house-court-${house.columns}-${Math.round(house.width)}`;
  const pool = ellipse(x + width / 2, y + height * 0.52, width * 0.6, height * 0.58, "url(#house-pool)");
  return (
    `<clipPath id="${inside}"><path d="${shape}"/></clipPath>` +
    path(shape, "url(#house-floor)") +
    `<g clip-path="url(#${inside})">` +
    path(joints, "none", 'stroke="var(--court-grout)" stroke-width="1.1" stroke-opacity=".4"') +
    path(tiles, "var(--court-tile)", 'fill-opacity=".3"') +
    pool +
    "</g>"
  );
}

/** The arcades throw their shade on the court. */
function shadows({ columns, rows, width, tops, widths, heights }: House): string {
  const deep = widths[0]! * 0.3;
  const first = widths[1]! * (columns / 2 - 1);
  let out = rect(width / 2 - first, tops[1]!, 2 * first, deep, "url(#house-down)");
  for (let row = 1; row < rows - 1; row++) {
    const inner = widths[row]! * (columns / 2 - 1);
    out += rect(width / 2 - inner, tops[row]!, deep, heights[row]! + 1, "url(#house-right)");
    out += rect(width / 2 + inner - deep * 0.6, tops[row]!, deep * 0.6, heights[row]! + 1, "url(#house-left)");
  }
  return out;
}

/** All bays, the far ones first; roofs on the far row, blocks that step down at the sides, a parapet before us. */
function arcade(house: House): string {
  let out = "";
  for (let row = 0; row < house.rows; row++) {
    const whole = row === 0 || row === house.rows - 1;
    const wide = house.widths[row]!;
    const left = house.width / 2 - (wide * house.columns) / 2;
    const right = house.width - left;
    const runs: [number, number][] = whole
      ? [[left, right]]
      : [
          [left, left + wide],
          [right - wide, right],
        ];
    const here = house.bays.flatMap((bay, number) => (bay.y === house.tops[row] ? [{ bay, number }] : []));
    if (whole)
      out += path(
        merlons(left, right, house.tops[row]!, house.heights[row]! * 0.085),
        "var(--house-wall-low)",
        'stroke="var(--house-side)" stroke-width=".6"',
      );
    for (const { bay, number } of here) out += wall(house, bay, number);
    for (const run of runs) out += ledge(house, row, run, whole);
  }
  return out + lanterns(house);
}

function wall({ style }: House, { x, y, width, height }: Bay, number: number): string {
  const shade = number % 2 ? rect(x, y, width, height, "#000", 'fill-opacity=".05"') : "";
  return use(style.bay, x, y, width, height) + shade;
}

/** The edge of a roof; at the sides also the wall that looks into the court. */
function ledge({ width, tops, heights, widths }: House, row: number, [left, right]: [number, number], whole: boolean): string {
  const y = tops[row]! - 2;
  const thick = Math.max(3, heights[row]! * 0.045);
  let out = rect(left - 1.5, y, right - left + 3, thick, "var(--house-ledge)");
  out += rect(left - 1.5, y, right - left + 3, 1, "#fff", 'fill-opacity=".35"');
  if (whole) return out;
  const west = left < width / 2;
  const [inner, slant] = [west ? right : left, widths[row]! * (west ? 0.075 : -0.075)];
  const bottom = tops[row]! + heights[row]!;
  const side = outline([
    [inner, y],
    [inner + slant, y + 5],
    [inner + slant, bottom],
    [inner, bottom],
  ]);
  return out + path(side, "var(--house-side)");
}

/** Lamps on the pillars of the far and the near row. */
function lanterns({ columns, rows, width, tops, widths, heights }: House): string {
  let out = "";
  for (const row of [0, rows - 1])
    for (let k = 1; k < columns; k += row ? 4 : 2) {
      const size = Math.min(heights[row]! * 0.26, widths[row]! * 0.36);
      const [x, y] = [width / 2 + (k - columns / 2) * widths[row]!, tops[row]! + heights[row]! * 0.19];
      out += ellipse(x, y + size / 2, size * 1.9, size * 1.9, "url(#house-glow)", `${NIGHT} opacity=".75"`);
      out += use("art-lantern", x - size * 0.375, y, size * 0.75, size);
    }
  return out;
}

/** The step before the house. */
function base({ width, height, columns, widths, heights, tops }: House): string {
  const wide = widths.at(-1)! * columns;
  const bottom = tops.at(-1)! + heights.at(-1)!;
  const high = height - bottom;
  const left = (width - wide) / 2;
  return (
    rect(left - 2, bottom - 1, wide + 4, high * 0.6, "var(--house-ledge)") +
    rect(left - 2, bottom + high * 0.5, wide + 4, high * 0.35, "var(--house-side)")
  );
}

/** A fountain between two orange trees, at the far end of a wide court, or at the near end of a deep one. */
function garden(house: House): string {
  const { x, y, width, height } = court(house);
  const wide = width >= BROAD * height;
  if (wide ? width <= SMALL : height < DEEP * width) return "";
  const middle = x + width / 2;
  const basin = Math.min(width * (wide ? 0.22 : 0.36), height * 0.4);
  const top = wide ? y + height * 0.01 : y + height * 0.985 - basin * 0.71;
  const tree = wide ? height * 0.22 : basin * 0.8;
  const trees = [-1, 1].map((side) => use("house-tree", middle + side * basin - tree * 0.41, top, tree * 0.82, tree));
  return trees.join("") + use("house-fountain", middle - basin / 2, top, basin, basin * 0.71);
}
