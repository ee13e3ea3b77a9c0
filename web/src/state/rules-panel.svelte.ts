/** Whether the rules panel is open, of which game, and at which clause. */
import type { Printed } from "../protocol";

let opened = $state(false);
let at = $state("");
let of = $state("");
let table = $state.raw<{ game: string; printed: Printed | null }>({ game: "", printed: null }); // what is played with there

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
  get printed() {
    return table.game === of ? table.printed : null;
  },
};

/** The game whose rules are meant from now on: that of the table at hand, with what it is played with. */
export function setRules(game: string, printed: Printed | null): void {
  of = game;
  table = { game, printed };
}

/** Open the rules of a game, at a clause such as "S19" or at the beginning. */
export function openRules(clause = "", game = of): void {
  of = game;
  at = clause;
  opened = true;
}
