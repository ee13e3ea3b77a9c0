/** The actions of a game as its cards show them. */
export interface ActionCards {
  actions: string[];
  points: string; // the action for points
  besides: (action: string) => { short: string; long: string } | null; // what an action brings that is neither points nor gems
  won: (action: string) => string; // the same in a word or two, for whoever gets it in a haggle
  wanted: (action: string) => string; // after "both want"
  art: (action: string) => string;
  name: (action: string) => string;
  mark?: (action: string) => string; // a letter that goes before the name
  gemSize: number;
  scored: string; // the clause of a scoring
}
