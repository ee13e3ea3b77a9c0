// Written by `python -m souk.table.typescript` from souk/core/facts.py: change it there.

/** A seat made a choice that the others may not see yet. */
export interface Chose {
  is: "chose";
  seat: number;
}

/** The game is over. Told after every game's own facts. */
export interface Ended {
  is: "ended";
  scores: number[];
  winners: number[];
}
