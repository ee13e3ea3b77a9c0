/** The actions of a game as printed on its cards. */
export interface ActionCards {
  actions: string[];
  points: string; // the action for points
  // what an action brings besides points and gems
  besides: (action: string) => { short: string; long: string } | null;
  won: (action: string) => string; // the same in a word or two, for the winner of a haggle
  wanted: (action: string) => string; // follows "both want"
  art: (action: string) => string;
  name: (action: string) => string;
  mark?: (action: string) => string; // a letter before the name
  gemSize: number;
  scored: string; // rules clause on scoring
}
