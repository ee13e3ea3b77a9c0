/** The links of seats that are still free. The server tells their secrets once, so they are kept on the device that made the table. */

const KEPT = "souk-invitations";
const TABLES = 30; // the latest; older ones are forgotten

type Kept = Record<string, Record<number, string>>;

export function keepInvitations(table: string, secrets: Record<number, string>): void {
  if (!Object.keys(secrets).length) return;
  const kept = Object.entries({ ...read(), [table]: secrets }).slice(-TABLES);
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // without storage the links are there until the page is left
  }
}

/** The link that offers a seat, or "" where it was not this device that offered it. */
export function invitation(table: string, seat: number): string {
  const secret = read()[table]?.[seat];
  // Behind the # it stays in the browser: no server and no log sees it on the way.
  return secret ? `${location.origin}/t/${table}#sit=${secret}` : "";
}

/** The address of a table, by which anybody may come. */
export function addressOf(table: string): string {
  return `${location.origin}/t/${table}`;
}

/** The secret in the address, where somebody came here by such a link. */
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
