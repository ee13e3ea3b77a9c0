import { expect, test } from "vitest";
import { mistakeKinds, mistakesByMark, analysedGames, unanalysedGames } from "./stats";

const balance = { start: 0.5, luck: 0.1, own: -0.2, others: 0.6, result: 1 };

function slip(kind: string, moves: number, inaccuracy: number, mistake = 0, blunder = 0) {
  return { kind, moves, inaccuracy, mistake, blunder, lost: 0 };
}

test("the kind with most errors comes first, by its own word where it has no name, and without errors it is none", () => {
  const found = mistakeKinds("a-fifth-game", [slip("jump", 9, 1), slip("dig", 20, 1, 1, 2), slip("rest", 5, 0)]);
  expect(found).toEqual([
    { name: "“dig”", moves: 20, errors: 4 },
    { name: "“jump”", moves: 9, errors: 1 },
  ]);
});

test("errors are counted by their names over all kinds", () => {
  expect(mistakesByMark([slip("jump", 9, 1, 0, 1), slip("dig", 20, 1, 0, 2)])).toEqual([
    { mark: "inaccuracy", n: 2 },
    { mark: "blunder", n: 3 },
  ]);
});

test("the latest forty that were looked back at are drawn; of the others those can be that follow today's rules", () => {
  const game = (number: number) => ({ table: `t${number}`, changed: number, won: false });
  const played = [...Array.from({ length: 45 }, (_, k) => ({ ...game(k), balance })), { ...game(90), old: true }, game(91), game(92)];
  const stats = { game: "a-fifth-game", alone: false, played, against: [], slips: [] };
  expect(analysedGames(stats).map(({ changed }) => changed)).toEqual(Array.from({ length: 40 }, (_, k) => k + 5));
  expect(unanalysedGames(stats).map(({ table }) => table)).toEqual(["t92", "t91"]);
});
