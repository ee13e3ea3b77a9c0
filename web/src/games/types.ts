// Written by `python -m souk.table.typescript` from souk/core/datafile.py, souk/core/facts.py: change it there.

/** The least and the most that a figure in an entry may be; or of a bag, how many letters it may have. */
export interface Bounds {
  name: string;
  least: number;
  most: number;
}

/** One list in a data file: how many different texts it must hold, in rows of how many (0: in no rows), and what one looks like. */
export interface BoxPart {
  key: string;
  count: number;
  example: string;
  row: number;
  /** of what is in a text, for those who type it in */
  bounds: Bounds[];
}

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
