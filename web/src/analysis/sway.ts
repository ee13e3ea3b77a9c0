/** What lifted a player and what pulled them down, each as parts of a whole.
 *
 * Luck and mistakes are sums over a game and may exceed 100 % of a win. As parts of all that lifted
 * (or pulled down) they never do.
 */
import type { Balance } from "../protocol/analysis";

const PARTS = ["luck", "others", "own"] as const;

export interface Sway {
  part: (typeof PARTS)[number];
  share: number; // from 0 to 1, in whole hundredths; a bar's shares add up to 1
}

export interface Sways {
  lifted: Sway[];
  pulled: Sway[];
}

/** `least`: what is smaller does not count. */
export function swaysOf(balance: Balance, least: number): Sways {
  return { lifted: barOf(balance, 1, least), pulled: barOf(balance, -1, least) };
}

/** The parts of this sign, largest first. */
function barOf(balance: Balance, sign: 1 | -1, least: number): Sway[] {
  const parts = PARTS.map((part) => ({ part, size: sign * balance[part] }))
    .filter(({ size }) => size >= least)
    .sort((a, b) => b.size - a.size);
  const all = parts.reduce((sum, { size }) => sum + size, 0);
  const rest = parts.slice(1).map(({ part, size }) => ({ part, share: Math.round((100 * size) / all) / 100 }));
  const first = 1 - rest.reduce((sum, { share }) => sum + share, 0);
  return parts.length ? [{ part: parts[0]!.part, share: Math.round(100 * first) / 100 }, ...rest] : [];
}
