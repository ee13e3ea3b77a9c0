/** Position editor for Suleika: places rug halves and Omar. */
import { t } from "../../i18n/translate.svelte";
import type { BoardSetup } from "../contract";

type Board = string[][]; // as in a position: rows from 7 down to 1, "" or a half such as "r12"

const COLOURS: [string, string][] = [
  ["r", "red"],
  ["y", "yellow"],
  ["b", "blue"],
  ["g", "green"],
];

const colours = (players: number) => COLOURS.slice(0, players === 3 ? 3 : 4);

/**
 * The board with a half on a square. It completes an adjacent single half of its colour, else it
 * starts a new rug.
 */
function laid(board: Board, row: number, column: number, colour: string): Board {
  const halves = board.flat();
  const beside = [board[row - 1]?.[column], board[row]![column - 1], board[row]![column + 1], board[row + 1]?.[column]];
  const lone = beside.find((half) => half?.startsWith(colour) && halves.filter((each) => each === half).length === 1);
  const next = Math.max(0, ...halves.map((half) => Number(half.slice(1)))) + 1;
  const half = colour && (lone ?? `${colour}${next}`);
  return board.map((fields, k) => (k === row ? fields.map((each, n) => (n === column ? half : each)) : fields));
}

/** The board with rugs renumbered from 1, in the same order. */
function numbered(board: Board): Board {
  const numbers = [...new Set(board.flat().map((half) => Number(half.slice(1))))].filter(Boolean).sort((one, other) => one - other);
  return board.map((fields) => fields.map((half) => half && `${half[0]!}${numbers.indexOf(Number(half.slice(1))) + 1}`));
}

const showing = (board: Board, colour: string) => new Set(board.flat().filter((half) => half.startsWith(colour))).size;

/**
 * Rugs left to lay: down for rugs added to the market, up for rugs removed. By seat; two players
 * have two colours each.
 */
function left(counts: (number | number[])[], players: number, before: Board, after: Board): (number | number[])[] {
  const most = players === 3 ? 15 : 12;
  const initials = COLOURS.map(([initial]) => initial);
  const now = (count: number) => {
    const colour = initials.shift() ?? "";
    const shown = showing(after, colour);
    return Math.max(0, Math.min(most - shown, count + showing(before, colour) - shown));
  };
  return counts.map((own) => (Array.isArray(own) ? own.map(now) : now(own)));
}

export const setup: BoardSetup = {
  brushes: (players) => [
    ...colours(players).map(([initial, colour]): [string, string] => [initial, t(`suleika.word.rug.${colour}`)]),
    ["omar", "Omar"],
    ["", t("position.clear")],
  ],
  put(position, place, brush) {
    const found = /^field ([a-g])([1-7])$/.exec(place);
    if (!found) return null;
    const [column, row] = ["abcdefg".indexOf(found[1]!), 7 - Number(found[2])];
    if (brush === "omar") return { ...position, omar: { ...(position.omar as object), at: found[1]! + found[2]! } };
    const before = position.board as Board;
    const board = numbered(laid(before, row, column, brush));
    return { ...position, board, left: left(position.left as (number | number[])[], position.players as number, before, board) };
  },
};
