/** State of the rules panel: open or not, game, clause. */
import type { DieShown } from "../protocol/table";

let opened = $state(false);
let at = $state("");
let of = $state("");
// its game data
let table = $state.raw<{ game: string; printed: DieShown | null }>({ game: "", printed: null });

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

/** Set the current table's game and data. */
export function setRules(game: string, printed: DieShown | null): void {
  of = game;
  table = { game, printed };
}

/** Open the rules of a game at a clause such as "S19", or at the top. */
export function openRules(clause = "", game = of): void {
  of = game;
  at = clause;
  opened = true;
}
