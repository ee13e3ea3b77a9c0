/** The actions of a game as its cards show them. */
export interface ActionCards {
  actions: string[];
  points: string; // the action for points
  besides: (action: string) => { short: string; long: string } | null; // what an action brings that is neither points nor gems
  art: (action: string) => string;
  name: (action: string) => string;
  mark?: (action: string) => string; // a letter that goes before the name
  gemSize: number;
  scored: string; // the clause of a scoring
}
