/** Seating orders. */

/** The numbers from 0 up, shuffled. */
export function randomOrder(many: number): number[] {
  const order = Array.from({ length: many }, (_, k) => k);
  for (let k = many - 1; k > 0; k--) {
    const other = Math.floor(Math.random() * (k + 1));
    [order[k], order[other]] = [order[other]!, order[k]!];
  }
  return order;
}

/**
 * A random first player as an option, if the game has it as a seat. Games that draw one themselves
 * are left alone.
 */
export function randomFirst(usual: Record<string, unknown>, many: number): Record<string, unknown> {
  return typeof usual["first"] === "number" ? { first: randomOrder(many)[0] } : {};
}

/**
 * By seat, the player's index; 0 is me. I sit at my colour if I want one; the others follow in
 * order, or shuffled.
 */
export function seatingOrder(many: number, colour: number | null, shuffled: boolean): number[] {
  const others = (shuffled ? randomOrder(many - 1) : Array.from({ length: many - 1 }, (_, k) => k)).map((k) => k + 1);
  const mine = colour ?? (shuffled ? randomOrder(many)[0]! : 0);
  const order = new Array<number>(many);
  [0, ...others].forEach((who, k) => (order[(mine + k) % many] = who));
  return order;
}
