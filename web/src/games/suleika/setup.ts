/** Suleika set up by hand: rug halves and Omar are put onto fields. */
import { t } from "../../lib/words.svelte";
import type { BoardSetup } from "../contract";

const COLOURS: [string, string][] = [
  ["r", "red"],
  ["y", "yellow"],
  ["b", "blue"],
  ["g", "green"],
];

export const setup: BoardSetup = {
  brushes: (players) => [
    ...COLOURS.slice(0, players === 3 ? 3 : 4).map(([initial, colour]): [string, string] => [initial, t(`suleika.word.rug.${colour}`)]),
    ["omar", "Omar"],
    ["", t("position.clear")],
  ],
  put(position, place, brush) {
    const found = /^field ([a-g])([1-7])$/.exec(place);
    if (!found) return null;
    const [column, row] = ["abcdefg".indexOf(found[1]!), 7 - Number(found[2])];
    if (brush === "omar") return { ...position, omar: { ...(position.omar as object), at: found[1]! + found[2]! } };
    const board = position.board as string[][];
    const last = Math.max(0, ...board.flat().map((rug) => Number(rug.slice(1))));
    const rug = brush && `${brush}${last + 1}`;
    return { ...position, board: board.map((fields, k) => (k === row ? fields.map((each, n) => (n === column ? rug : each)) : fields)) };
  },
};
