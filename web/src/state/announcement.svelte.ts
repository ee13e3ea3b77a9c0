/** The host's announcement, shown on every page. */
export const announcement = $state({ text: "" });
