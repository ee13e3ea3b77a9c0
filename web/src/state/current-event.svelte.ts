/** The event that somebody takes part in, as this browser knows: so that every page can lead them to their table. */

const KEPT = "souk-event";

export const going = $state({ event: kept() });

/** I take part there; "" for nowhere. */
export function goTo(event: string): void {
  if (going.event === event) return;
  going.event = event;
  try {
    localStorage.setItem(KEPT, event);
  } catch {
    // without storage it is known until the page is left
  }
}

/** I take part there no longer. */
export function goFrom(event: string): void {
  if (going.event === event) goTo("");
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}
