/** Whether the rules panel is open, of which game, and at which clause. */

let opened = $state(false);
let at = $state("");
let of = $state("");

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
  get game() {
    return of;
  },
};

/** The game whose rules are meant from now on: that of the table at hand. */
export function setRules(game: string): void {
  of = game;
}

/** Open the rules of a game, at a clause such as "S19" or at the beginning. */
export function openRules(clause = "", game = of): void {
  of = game;
  at = clause;
  opened = true;
}
