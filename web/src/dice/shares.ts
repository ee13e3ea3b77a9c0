/**
 * This device's shares of the dice seeds (docs/play/fair-dice.md) and what the server promised
 * about them. Kept on the device; the server first learns only a share's digest.
 */
import type { DicePromise } from "../protocol/table";

const SHARES = "souk-shares";
const PROMISES = "souk-promises";
const MOST = 60; // older ones are dropped

/** What this device saw before the dice of a table were made. */
export interface RecordedPromise {
  digest: string; // of the server's share, as first shown
  // commitments listed before this device revealed its share
  listed: [seat: number, commitment: string][] | null;
  mine: string; // this device's commitment, "" if it has no share
  told: boolean; // the server acknowledged this device's share
}

// Fallback without storage: keep everything while the page is open.
const here: Record<string, Record<string, unknown>> = {};

/** Draw and store a random share; returns its commitment. */
export async function newShare(): Promise<string> {
  const { digestOf } = await loadVerifier();
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const share = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const commitment = digestOf(share);
  keep(SHARES, commitment, share);
  return commitment;
}

/** This device's share for a commitment, or "" if it is another device's. */
export function shareOf(commitment: string): string {
  return (read(SHARES)[commitment] as string | undefined) ?? "";
}

/** What this device was promised at a table. The first digest shown counts. */
export function promiseOf(table: string, dice: DicePromise): RecordedPromise {
  const kept = read(PROMISES)[table] as RecordedPromise | undefined;
  if (kept) return kept;
  const promised = { digest: dice.digest, listed: null, mine: "", told: false };
  keep(PROMISES, table, promised);
  return promised;
}

export function keepPromise(table: string, promised: RecordedPromise): void {
  keep(PROMISES, table, promised);
}

/** Load the code for checks and digests on first use. */
export function loadVerifier(): Promise<typeof import("./verify")> {
  return import("./verify");
}

function keep(where: string, name: string, what: unknown): void {
  const rest = Object.entries(read(where)).filter(([other]) => other !== name);
  const kept = Object.fromEntries([...rest, [name, what]].slice(-MOST)) as Record<string, unknown>;
  try {
    localStorage.setItem(where, JSON.stringify(kept));
  } catch {
    here[where] = kept;
  }
}

function read(where: string): Record<string, unknown> {
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem(where) ?? "{}") as object;
  } catch {
    // unreadable
  }
  return { ...stored, ...here[where] };
}
