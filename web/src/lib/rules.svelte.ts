/** Whether the rules panel is open, and at which clause. */

let opened = $state(false);
let at = $state("");

export const rules = {
  get open() {
    return opened;
  },
  set open(now: boolean) {
    opened = now;
    if (!now) at = "";
  },
  get clause() {
    return at;
  },
};

/** Open the rules of the game at the table, at a clause such as "S19" or at the beginning. */
export function openRules(clause = ""): void {
  at = clause;
  opened = true;
}
