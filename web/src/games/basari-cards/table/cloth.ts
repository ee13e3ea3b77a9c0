/** The shape of the table and what is woven along its edge. Computed once per size of the board. */

export type Point = [x: number, y: number];

/** A superellipse: fuller than an ellipse, rounder than a box. */
export interface Oval {
  x: number;
  y: number;
  a: number;
  b: number;
  fullness: number;
}

/** A piece woven into the border, and the direction of the border there, in degrees. */
export interface Woven {
  x: number;
  y: number;
  turn: number;
}

const STEPS = 160;
const round = (n: number) => Math.round(10 * n) / 10;

/** Points on an oval that lies `inset` within another. */
export function outline({ x, y, a, b, fullness }: Oval, inset: number): Point[] {
  const bend = (part: number) => Math.sign(part) * Math.abs(part) ** (2 / fullness);
  return Array.from({ length: STEPS }, (_, k) => {
    const angle = (2 * Math.PI * k) / STEPS;
    return [x + (a - inset) * bend(Math.cos(angle)), y + (b - inset) * bend(Math.sin(angle))];
  });
}

export function pathOf(points: Point[]): string {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}Z`;
}

/** Places at even distances along a closed line, at most `step` apart. */
export function along(points: Point[], step: number): Woven[] {
  const sides = points.map((from, k) => [from, points[(k + 1) % points.length]!] as const);
  const lengths = sides.map(([from, to]) => Math.hypot(to[0] - from[0], to[1] - from[1]));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const count = Math.max(2, 2 * Math.ceil(whole / step / 2)); // two kinds take turns
  const even = whole / count;
  const places: Woven[] = [];
  let next = 0;
  sides.forEach(([from, to], k) => {
    for (; next < lengths[k]!; next += even) {
      const part = next / lengths[k]!;
      const [x, y] = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
      places.push({ x: round(x), y: round(y), turn: Math.round((Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI) });
    }
    next -= lengths[k]!;
  });
  return places.slice(0, count); // rounding may find the first again
}

/** A star with so many points, its notches at `notch` of the radius. */
export function star(x: number, y: number, radius: number, points: number, notch: number): string {
  return pathOf(
    Array.from({ length: 2 * points }, (_, k) => {
      const [far, angle] = [k % 2 ? radius * notch : radius, (Math.PI * k) / points - Math.PI / 2];
      return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
    }),
  );
}

/** An arcade of pointed arches standing on a line. */
export function arcade(width: number, base: number, step: number): string {
  const arches = Math.ceil(width / step) + 1;
  return Array.from({ length: arches }, (_, k) => {
    const at = round((k - 0.3) * step);
    const [rise, half] = [round(0.56 * step), round(0.4 * step)];
    return `M${at} ${base}v${-rise}q0 ${round(-0.36 * step)} ${half} ${round(-0.5 * step)}q${half} ${round(0.14 * step)} ${half} ${round(0.5 * step)}v${rise}z`;
  }).join("");
}

/** The joints of a paved floor that comes towards us from a horizon. */
export function paving(width: number, height: number, top: number): string {
  let lines = "";
  for (let y = top + 6, deep = 8; y < height; y += deep, deep *= 1.35) lines += `M0 ${round(y)}H${round(width)}`;
  for (let k = -14; k <= 14; k++)
    lines += `M${round(width / 2 + (k * width) / 18)} ${top}L${round(width / 2 + (k * width) / 4.6)} ${round(height)}`;
  return lines;
}
