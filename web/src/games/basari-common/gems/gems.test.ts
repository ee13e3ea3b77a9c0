import { expect, test } from "vitest";
import { countsOf, gemsInWords, letterOf, NO_GEMS, offerMove, gemList, total } from "./gems";

test.each([
  ["offer 1r2b", [1, 0, 0, 2]],
  ["RYBB", [1, 1, 0, 2]],
  ["take yb", [0, 1, 0, 1]],
  ["give g", [0, 0, 1, 0]],
  ["offer 12y", [0, 12, 0, 0]],
  ["", NO_GEMS],
])("%j is read as counts", (text, gems) => {
  expect(countsOf(text)).toEqual(gems);
});

test("an offer is written as it is read", () => {
  expect(offerMove([1, 0, 0, 2])).toBe("offer 1r2b");
  expect(countsOf(offerMove([3, 1, 0, 12]))).toEqual([3, 1, 0, 12]);
  expect(offerMove(NO_GEMS)).toBe("");
});

test("gems are counted and laid out by colour", () => {
  expect([total([1, 0, 0, 2]), gemList([1, 0, 0, 2]), letterOf(3)]).toEqual([3, [0, 3, 3], "b"]);
  expect(NO_GEMS).toEqual([0, 0, 0, 0]);
});

test("nothing has words of its own", () => {
  expect(gemsInWords(NO_GEMS)).not.toBe(gemsInWords([1, 0, 0, 0]));
});
