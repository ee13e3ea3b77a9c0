/** How the dice of a table are checked (docs/fair-dice.md). It knows no rules: which numbers give which outcome, the server tells; that the
 * numbers are the right ones is worked out here. Browsers have a SHA-256 of their own only where a page came by https, hence the library. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DicePromise, Draw } from "../protocol";
import type { Promised } from "./shares";

const PROTOCOL = "souk dice 2";
const BITS = 256n;

/** By seat, in order; null where a share is missing. */
type Told = [seat: number, share: string | null][];

/** What came of a check: that these dice are fair and this device has its share in them; that they are, but it has none, or lost it; that
 * they add up, though the server alone drew them; or that something is wrong. */
export type Verdict = "fair" | "looked_on" | "mine_missing" | "alone" | "wrong";
export type Fault = "digest" | "server" | "list" | "person" | "mine" | "seed" | "draw" | "seen";

export interface Found {
  verdict: Verdict;
  faults: Fault[];
  odd: string[]; // what came up and should not have
  outcomes: number; // that were checked
}

export function digestOf(share: string): string {
  return bytesToHex(sha256(hexToBytes(share)));
}

export function seedOf(table: string, server: string, persons: Told): string {
  const lines = [PROTOCOL, `table ${table}`, `server ${server}`, ...persons.map(([seat, share]) => `seat ${seat} ${share ?? "missing"}`)];
  return bytesToHex(sha256(utf8ToBytes(lines.map((line) => `${line}\n`).join(""))));
}

/** Outcome number `drawn`, as a whole number from 0 up to `of`. */
export function numberOf(seed: string, drawn: number, of: number): number {
  const found = hmac(sha256, hexToBytes(seed), utf8ToBytes(String(drawn)));
  return Number((BigInt(`0x${bytesToHex(found)}`) * BigInt(of)) >> BITS);
}

/** Check a game that is over. `promised` is what this device kept from before it began, `seen` by event what it saw come up. */
export function checkDice(table: string, dice: DicePromise, draws: Draw[], promised: Promised, seen: Map<number, string>): Found {
  const strange = draws.filter(({ seq, text }) => seen.has(seq) && seen.get(seq) !== text);
  const drawn = draws.filter((draw, k) => !follows(dice.seed, draw, k));
  const checks: [Fault, boolean][] = [
    ["digest", promised.digest !== dice.digest],
    ...(dice.together ? sharesAreWrong(table, dice, promised) : aloneIsWrong(dice)),
    ["draw", drawn.length > 0],
    ["seen", strange.length > 0],
  ];
  const faults = checks.flatMap(([fault, wrong]) => (wrong ? [fault] : []));
  const odd = [...drawn, ...strange].map(({ text }) => text);
  return { verdict: faults.length ? "wrong" : verdict(dice, promised), faults, odd, outcomes: draws.length };
}

function verdict(dice: DicePromise, promised: Promised): Verdict {
  if (!dice.together) return "alone";
  if (!promised.mine) return "looked_on";
  return dice.shares.some(({ commitment, share }) => commitment === promised.mine && share) ? "fair" : "mine_missing";
}

function aloneIsWrong(dice: DicePromise): [Fault, boolean][] {
  return [["server", !isHex(dice.seed) || digestOf(dice.seed) !== dice.digest]];
}

function sharesAreWrong(table: string, dice: DicePromise, promised: Promised): [Fault, boolean][] {
  const isIn = dice.shares.some(({ share, commitment }) => commitment === promised.mine && (share || !promised.told));
  const told: Told = dice.shares.map(({ seat, share }) => [seat, share || null]);
  const listed = dice.shares.map(({ seat, commitment }): [number, string] => [seat, commitment]);
  return [
    ["server", !isHex(dice.share) || digestOf(dice.share) !== dice.digest],
    ["list", promised.listed !== null && JSON.stringify(promised.listed) !== JSON.stringify(listed)],
    ["person", dice.shares.some(({ share, commitment }) => share && (!isHex(share) || digestOf(share) !== commitment))],
    ["mine", promised.mine !== "" && !isIn],
    ["seed", seedOf(table, dice.share, told) !== dice.seed],
  ];
}

function follows(seed: string, { low, high, of }: Draw, k: number): boolean {
  if (!isHex(seed) || !(of > 0)) return false;
  const number = numberOf(seed, k, of);
  return low <= number && number < high;
}

function isHex(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
