/** Drawings for the rules. */
import type { Direction } from "./types";

export interface Corner {
  from: string; // upper left square
  across: number;
  down: number;
  omar?: [string, Direction];
  rugs?: [string, string, Direction, boolean?][]; // colour, square, direction, only half
  arrows?: Direction[];
  way?: [string, Direction, string];
  balconies?: string[];
  marks?: [string, string][]; // a word on a square
  lit?: string[];
  wrong?: string[];
}

// prettier-ignore
export const CORNERS: Record<string, Corner> = {
  ways: { from: "b5", across: 5, down: 3, omar: ["d4", "n"], arrows: ["n", "e", "w"] },
  balcony: { from: "a7", across: 4, down: 2, omar: ["a6", "n"], way: ["a6", "n", "a7 b7s b6"], balconies: ["a7n b7n", "c7n d7n", "a6w a7w"] },
  corner: { from: "d7", across: 4, down: 2, omar: ["f7", "e"], way: ["f7", "e", "g7 g7s g6"], balconies: ["g7n g7e", "e7n f7n", "g5e g6e"] },
  price: {
    from: "b5", across: 5, down: 3, omar: ["d4", "e"],
    rugs: [["blue", "c4", "e"], ["blue", "d5", "e"], ["blue", "f4", "s"], ["yellow", "b3", "e"]],
    marks: [["c4", "1"], ["d4", "2"], ["d5", "3"], ["e5", "4"]],
  },
  laying: {
    from: "b5", across: 5, down: 3, omar: ["d4", "s"], lit: ["d5", "c4", "d3", "e4", "c5", "e5", "b4", "c3", "e3", "f4"], rugs: [["green", "e4", "n"]],
  },
  covering: {
    from: "b5", across: 5, down: 3, omar: ["d4", "s"],
    rugs: [["yellow", "c4", "n", true], ["blue", "e5", "s"], ["red", "d5", "w"]], wrong: ["e5", "e4"],
  },
  counting: { from: "b4", across: 5, down: 2, rugs: [["red", "b4", "e"], ["green", "d4", "s", true], ["yellow", "d3", "e"], ["blue", "f4", "s"]], marks: [["b4", "1"], ["c4", "1"], ["d4", "1"], ["d3", "1"], ["e3", "1"], ["f4", "1"], ["f3", "1"]] },
};
