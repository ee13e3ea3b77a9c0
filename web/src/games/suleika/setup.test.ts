import { expect, test } from "vitest";
import { setup } from "./setup";

const empty = { players: 4, board: Array.from({ length: 7 }, () => Array<string>(7).fill("")), left: [12, 12, 12, 12] };

/** A position after placing halves such as "y b2". */
function put(position: Record<string, unknown>, ...halves: string[]) {
  return halves.reduce((now, half) => setup.put(now, `field ${half.slice(-2)}`, half.slice(0, -3))!, position);
}

const at = (position: Record<string, unknown>, field: string) =>
  (position.board as string[][])[7 - Number(field[1])]!["abcdefg".indexOf(field[0]!)];

test("a rug that is put onto the market is no longer to be laid", () => {
  const one = put(empty, "y b2");
  expect([at(one, "b2"), one.left]).toEqual(["y1", [12, 11, 12, 12]]);
  expect(put(one, " b2")).toEqual(empty);
  expect(put({ ...empty, players: 3, left: [15, 15, 15] }, "b a1").left).toEqual([15, 15, 14]);
  const two = { ...empty, players: 2 };
  expect(
    put(
      {
        ...two,
        left: [
          [12, 12],
          [12, 12],
        ],
      },
      "y a1",
      "g c1",
    ).left,
  ).toEqual([
    [12, 11],
    [12, 11],
  ]);
  expect(
    put(
      {
        ...two,
        left: [
          [0, 0],
          [3, 0],
        ],
      },
      "y a1",
      " a1",
    ).left,
  ).toEqual([
    [0, 1],
    [3, 0],
  ]);
});

test("two halves of a colour that lie side by side are a rug", () => {
  const three = put(empty, "r a1", "r a2", "r a3");
  expect(["a1", "a2", "a3"].map((field) => at(three, field))).toEqual(["r1", "r1", "r2"]);
  expect(three.left).toEqual([10, 12, 12, 12]);
  expect(at(put(three, "y a4"), "a4")).toBe("y3");
});

test("rugs are numbered on from 1, however often they are put over one another", () => {
  const over = put(empty, "r a1", "y a1", "b a1", "g a1", "g c1");
  expect([at(over, "a1"), at(over, "c1"), over.left]).toEqual(["g1", "g2", [12, 12, 12, 10]]);
});
