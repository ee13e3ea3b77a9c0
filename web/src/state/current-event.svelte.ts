/** The event this browser takes part in, so that every page can link to its table. */

const KEPT = "souk-event";

export const currentEvent = $state({ event: kept() });

/** Enter an event; "" for none. */
export function enterEvent(event: string): void {
  if (currentEvent.event === event) return;
  currentEvent.event = event;
  try {
    localStorage.setItem(KEPT, event);
  } catch {
    // no storage: forgotten with the page
  }
}

/** Leave an event. */
export function leaveEvent(event: string): void {
  if (currentEvent.event === event) enterEvent("");
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}
