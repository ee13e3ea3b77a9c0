/** Seeds and outcomes, by the examples shared with Python, and the detection of manipulations. */
import { describe, expect, test } from "vitest";
import shared from "../../../tests/dice.json";
import type { DicePromise, Draw } from "../protocol/table";
import { checkDice, digestOf, numberOf, seedOf } from "./verify";
import type { RecordedPromise } from "./shares";

test.each(shared.digests)("the digest of $share", ({ share, digest }) => expect(digestOf(share)).toBe(digest));

test.each(shared.seeds)("the seed $seed", ({ table, server, persons, seed }) => {
  expect(seedOf(table, server, persons as [number, string | null][])).toBe(seed);
});

test.each(shared.numbers)("number $drawn of $of", ({ seed, drawn, of, number }) => expect(numberOf(seed, drawn, of)).toBe(number));

const [SERVER, MINE, YOURS] = ["5e", "a1", "b2"].map((pair) => pair.repeat(32)) as [string, string, string];
const TABLE = "AbCdEfGh_-012345";

/** A correct game: five rolls at a table of two. */
function game(): { dice: DicePromise; draws: Draw[]; promised: RecordedPromise; seen: Map<number, string> } {
  const persons: [number, string][] = [
    [0, MINE],
    [1, YOURS],
  ];
  const seed = seedOf(TABLE, SERVER, persons);
  const shares = persons.map(([seat, share]) => ({ seat, commitment: digestOf(share), opened: true, missing: false, share }));
  const dice = { digest: digestOf(SERVER), seed, together: true, closed: true, turn: -1, shares, share: SERVER };
  const draws = [0, 1, 2, 3, 4].map((k) => {
    const low = numberOf(seed, k, 6);
    return { seq: 2 * k, text: `die ${low + 1}`, low, high: low + 1, of: 6 };
  });
  const listed = shares.map(({ seat, commitment }): [number, string] => [seat, commitment]);
  const promised = { digest: dice.digest, listed, mine: digestOf(MINE), told: true };
  return { dice, draws, promised, seen: new Map(draws.slice(2).map(({ seq, text }) => [seq, text])) };
}

function check({ dice, draws, promised, seen }: ReturnType<typeof game>) {
  return checkDice(TABLE, dice, draws, promised, seen);
}

test("dice that are fair are found fair", () => {
  expect(check(game())).toEqual({ verdict: "fair", faults: [], odd: [], outcomes: 5 });
});

test("who only looked on is told so", () => {
  const found = game();
  found.promised = { digest: found.dice.digest, listed: null, mine: "", told: false };
  expect(check(found).verdict).toBe("looked_on");
});

test("a share that was never told is missing, and no more is claimed", () => {
  const found = game();
  found.dice.shares[0] = { ...found.dice.shares[0]!, share: "", opened: false, missing: true };
  found.dice.seed = seedOf(TABLE, SERVER, [
    [0, null],
    [1, YOURS],
  ]);
  found.draws = [];
  found.promised.told = false;
  expect(check(found)).toMatchObject({ verdict: "mine_missing", faults: [] });
  found.promised.told = true; // the server had acknowledged it
  expect(check(found)).toMatchObject({ verdict: "wrong", faults: ["mine"] });
});

test("a seed that the server drew alone is checked, and called so", () => {
  const found = game();
  const digest = digestOf(found.dice.seed);
  found.dice = { ...found.dice, together: false, shares: [], share: "", digest };
  found.promised = { digest, listed: null, mine: "", told: false };
  expect(check(found)).toMatchObject({ verdict: "alone", faults: [] });
  found.dice.seed = MINE;
  expect(check(found).faults).toContain("server");
});

describe("what is wrong is noticed:", () => {
  const wrongs: [string, string[], (found: ReturnType<typeof game>) => void][] = [
    ["another digest than was promised", ["digest"], ({ promised }) => (promised.digest = digestOf(MINE))],
    ["a server's share that does not fit", ["server", "seed"], ({ dice }) => (dice.share = MINE)],
    ["no server's share", ["server", "seed"], ({ dice }) => (dice.share = "")],
    ["a person's share that does not fit", ["person", "seed"], ({ dice }) => (dice.shares[1]!.share = MINE)],
    ["a person whose share was put in later", ["list"], ({ promised }) => promised.listed!.pop()],
    ["my share left out after it was told", ["list", "mine", "seed"], ({ dice }) => dice.shares.shift()],
    ["another seed", ["seed"], ({ dice, draws }) => ([dice.seed] = [digestOf(dice.seed), draws.splice(0)])],
    [
      "another outcome",
      ["draw"],
      ({ draws }) => (draws[1] = { ...draws[1]!, low: (draws[1]!.low + 1) % 6, high: ((draws[1]!.low + 1) % 6) + 1 }),
    ],
    ["an outcome too many", ["draw"], ({ draws }) => draws.push({ seq: 20, text: "die 1", low: 0, high: 0, of: 6 })],
    ["no numbers at all", ["draw"], ({ draws }) => (draws[0]!.of = 0)],
    ["something else than was seen", ["seen"], ({ seen }) => seen.set(6, "die 9")],
  ];

  test.each(wrongs)("%s", (_, faults, spoil) => {
    const found = game();
    spoil(found);
    expect(check(found)).toMatchObject({ verdict: "wrong", faults });
  });
});
