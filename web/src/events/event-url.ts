/** The address of an event, by which anybody may come. */
export function addressOfEvent(id: string): string {
  return `${location.origin}/events/${id}`;
}

/** The host's secret in the address, where somebody came here by such a link. */
export function hostSecret(): string {
  return /^#host=([\w-]{1,64})$/.exec(location.hash)?.[1] ?? "";
}
