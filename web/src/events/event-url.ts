/** The public link of an event. */
export function eventUrl(id: string): string {
  return `${location.origin}/events/${id}`;
}

/** The host's secret from the address, if present. */
export function hostSecret(): string {
  return /^#host=([\w-]{1,64})$/.exec(location.hash)?.[1] ?? "";
}
