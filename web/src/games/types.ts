// Written by `python -m souk.server.protocol.typescript` from souk/core/box_data.py, souk/core/facts.py: change it there.

/** Limits of a digit in an entry, or of the number of letters in a multiset. */
export interface Bounds {
  name: string;
  least: number;
  most: number;
}

/** A list in a data file: its number of entries, their form, and the row length (0: no rows). */
export interface BoxPart {
  key: string;
  count: number;
  example: string;
  row: number;
  /** Limits within an entry, for editors. */
  bounds: Bounds[];
}

/** A seat made a choice that is still secret. */
export interface Chose {
  is: "chose";
  seat: number;
}

/** The game is over. Always the last fact, in every game. */
export interface Ended {
  is: "ended";
  scores: number[];
  winners: number[];
}
