/** What the host of this server has to say to everybody, on whatever page they are. */
export const announcement = $state({ text: "" });
