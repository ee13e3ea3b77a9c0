/**
 * Checks the dice of a table (docs/play/fair-dice.md). Knows no rules: the server says which
 * numbers give which outcome, this module recomputes the numbers. Uses a SHA-256 library because
 * browsers offer their own only over https.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DicePromise, Draw } from "../protocol/table";
import type { RecordedPromise } from "./shares";

const PROTOCOL = "souk dice 2";
const BITS = 256n;

/** by seat, in order; null if a share is missing */
type Told = [seat: number, share: string | null][];

/**
 * Result of a check: fair with this device's share; fair, but without one or with a lost one;
 * consistent, though only the server contributed; or wrong.
 */
export type Verdict = "fair" | "looked_on" | "mine_missing" | "alone" | "wrong";
export type Fault = "digest" | "server" | "list" | "person" | "mine" | "seed" | "draw" | "seen";

export interface DiceCheck {
  verdict: Verdict;
  faults: Fault[];
  odd: string[]; // outcomes that do not match
  outcomes: number; // number of outcomes checked
}

export function digestOf(share: string): string {
  return bytesToHex(sha256(hexToBytes(share)));
}

export function seedOf(table: string, server: string, persons: Told): string {
  const lines = [PROTOCOL, `table ${table}`, `server ${server}`, ...persons.map(([seat, share]) => `seat ${seat} ${share ?? "missing"}`)];
  return bytesToHex(sha256(utf8ToBytes(lines.map((line) => `${line}\n`).join(""))));
}

/** Outcome number `drawn`: an integer in [0, of). */
export function numberOf(seed: string, drawn: number, of: number): number {
  const found = hmac(sha256, hexToBytes(seed), utf8ToBytes(String(drawn)));
  return Number((BigInt(`0x${bytesToHex(found)}`) * BigInt(of)) >> BITS);
}

/**
 * Check a finished game. `promised`: what this device stored before the game; `seen`: the outcomes
 * it saw, by event.
 */
export function checkDice(
  table: string,
  dice: DicePromise,
  draws: Draw[],
  promised: RecordedPromise,
  seen: Map<number, string>,
): DiceCheck {
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

function verdict(dice: DicePromise, promised: RecordedPromise): Verdict {
  if (!dice.together) return "alone";
  if (!promised.mine) return "looked_on";
  return dice.shares.some(({ commitment, share }) => commitment === promised.mine && share) ? "fair" : "mine_missing";
}

function aloneIsWrong(dice: DicePromise): [Fault, boolean][] {
  return [["server", !isHex(dice.seed) || digestOf(dice.seed) !== dice.digest]];
}

function sharesAreWrong(table: string, dice: DicePromise, promised: RecordedPromise): [Fault, boolean][] {
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
