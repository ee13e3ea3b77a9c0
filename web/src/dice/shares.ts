/** This device's shares in the dice of tables (docs/fair-dice.md), and what it was promised about them. Both stay on the device, for all its
 * pages; a share is found by its digest, which is all that the server is told of it at first. */
import type { DicePromise } from "../protocol";

const SHARES = "souk-shares";
const PROMISES = "souk-promises";
const MOST = 60; // the latest; older ones are forgotten

/** What this device saw before the dice of a table were made. */
export interface Promised {
  digest: string; // of the server's share, as it was first shown
  listed: [seat: number, commitment: string][] | null; // who has a share, as it was shown before this device told its own
  mine: string; // the commitment of this device, "" where it has no share
  told: boolean; // its share was told, and the server said that it has it
}

// Where a browser keeps nothing, things are kept as long as the page is there.
const here: Record<string, Record<string, unknown>> = {};

/** Draw a share that nobody can guess, and keep it; returns its commitment. */
export async function newShare(): Promise<string> {
  const { digestOf } = await dice();
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const share = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const commitment = digestOf(share);
  keep(SHARES, commitment, share);
  return commitment;
}

/** The share of this device with this commitment, or "" where it was another device's. */
export function shareOf(commitment: string): string {
  return (read(SHARES)[commitment] as string | undefined) ?? "";
}

/** What this device was promised at a table. The first digest it was shown counts. */
export function promiseOf(table: string, dice: DicePromise): Promised {
  const kept = read(PROMISES)[table] as Promised | undefined;
  if (kept) return kept;
  const promised = { digest: dice.digest, listed: null, mine: "", told: false };
  keep(PROMISES, table, promised);
  return promised;
}

export function keepPromise(table: string, promised: Promised): void {
  keep(PROMISES, table, promised);
}

/** What checks and digests are worked out with. It is fetched when it is first wanted. */
export function dice(): Promise<typeof import("./dice")> {
  return import("./dice");
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
    // nothing that can be read
  }
  return { ...stored, ...here[where] };
}
