/**
 * Links to open seats. The server reveals their secrets once, so the device that made the table
 * stores them.
 */

const KEPT = "souk-invitations";
const TABLES = 30; // older ones are dropped

type Kept = Record<string, Record<number, string>>;

export function storeInvitations(table: string, secrets: Record<number, string>): void {
  if (!Object.keys(secrets).length) return;
  const kept = Object.entries({ ...read(), [table]: secrets }).slice(-TABLES);
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // no storage: forgotten with the page
  }
}

/** The invitation link of a seat, or "" if another device made it. */
export function invitation(table: string, seat: number): string {
  const secret = read()[table]?.[seat];
  // In the fragment it stays in the browser: no server or log sees it.
  return secret ? `${location.origin}/t/${table}#sit=${secret}` : "";
}

/** The public address of a table. */
export function tableUrl(table: string): string {
  return `${location.origin}/t/${table}`;
}

/** The secret in the address, if there is one. */
export function secretInAddress(): string {
  return /^#sit=([\w-]+)$/.exec(location.hash)?.[1] ?? "";
}

function read(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Kept;
  } catch {
    return {};
  }
}
