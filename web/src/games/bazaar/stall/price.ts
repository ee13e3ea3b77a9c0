/** A ware's five chips beside the chips I hold, before and after a trade. */
import { colourOf, LETTERS } from "../chips/chips";
import type { Bag } from "../types";

/** Held before and after the trade, brought by it, given away in it, or held by neither. */
export type DotState = "held" | "gained" | "given" | "open";

export interface Dot {
  colour: string;
  state: DotState;
}

/** The chips of a ware in their order: the first ones of a colour are those I hold. */
export function dotsOf(ware: string, now: Bag, then: Bag): Dot[] {
  const [before, after] = [[...now], [...then]];
  return [...ware].map((letter) => {
    const k = LETTERS.indexOf(letter);
    const [had, has] = [before[k]!-- > 0, after[k]!-- > 0];
    return { colour: colourOf(letter), state: had && has ? "held" : has ? "gained" : had ? "given" : "open" };
  });
}

/** Where as many goods as a stall has left are drawn: the middle and the foot of each, in `width`. */
export function goodsSpots(kind: string, left: number, width: number, size: number): [number, number][] {
  if (kind === "roll") return rollSpots(left, width, size);
  const step = left > 1 ? Math.min(size * 0.92, (width - size) / (left - 1)) : 0;
  return Array.from({ length: left }, (_, k) => [width / 2 + (k - (left - 1) / 2) * step, k % 2 ? -size * 0.03 : 0]);
}

/** Rolls lie on each other: as many in the lowest row as fit beside each other. */
function rollSpots(left: number, width: number, size: number): [number, number][] {
  const row = Math.min(Math.max(1, Math.floor(width / size)), Math.ceil(left / 2));
  return Array.from({ length: left }, (_, k) => {
    const [level, place] = [Math.floor(k / row), k % row];
    const beside = Math.min(row, left - level * row);
    return [width / 2 + (place - (beside - 1) / 2) * size * 0.96, -level * size * 0.29];
  });
}
