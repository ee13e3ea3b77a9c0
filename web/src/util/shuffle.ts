/** Who sits where. */

/** The numbers from 0 up, in any order. */
export function anyOrder(many: number): number[] {
  const order = Array.from({ length: many }, (_, k) => k);
  for (let k = many - 1; k > 0; k--) {
    const other = Math.floor(Math.random() * (k + 1));
    [order[k], order[other]] = [order[other]!, order[k]!];
  }
  return order;
}

/** Who begins, by lot: as an option, where a game has it as a seat. One that draws it itself is left to it. */
export function firstByLot(usual: Record<string, unknown>, many: number): Record<string, unknown> {
  return typeof usual["first"] === "number" ? { first: anyOrder(many)[0] } : {};
}

/** By seat, which of us sits there; 0 is me. I sit where my colour is, where I want one; the others follow in their order, or in any. */
export function roundTheTable(many: number, colour: number | null, shuffled: boolean): number[] {
  const others = (shuffled ? anyOrder(many - 1) : Array.from({ length: many - 1 }, (_, k) => k)).map((k) => k + 1);
  const mine = colour ?? (shuffled ? anyOrder(many)[0]! : 0);
  const order = new Array<number>(many);
  [0, ...others].forEach((who, k) => (order[(mine + k) % many] = who));
  return order;
}
