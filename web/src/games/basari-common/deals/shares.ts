/** The two sides of a finished haggle: one gets the action, the other the gems. */
import { countsOf, total } from "../gems/gems";
import type { Deal, Gems, Haggle, HagglingScene } from "../types";

export interface Share {
  seat: number;
  action: string | null; // for the side that gets it
  worth: number | Gems | null; // the action's value, if known, or the gems
}

/** Both shares of a deal, `first`'s first. */
export function shares(deal: Deal, haggle: Haggle, stakes: HagglingScene["stakes"], first: number): Share[] {
  const wins = { seat: deal.winner, action: haggle.action, worth: stakes?.[haggle.seats.indexOf(deal.winner)] ?? null };
  const both: Share[] = [wins, { seat: deal.loser, action: null, worth: deal.gems }];
  return first === deal.winner ? both : both.reverse();
}

/** Possible answers. */
export interface Answers {
  stop: Deal | null; // accept or pass
  raises: Deal[]; // cheapest first
}

export function possibleAnswers(deals: Deal[] = []): Answers {
  const offers = (deal: Deal) => deal.move.startsWith("offer");
  return { stop: deals.find((deal) => !offers(deal)) ?? null, raises: deals.filter(offers) };
}

/** The deal for an offer: a listed one, else the same with other gems; null if not allowed. */
export function dealOf(move: string, { raises }: Answers): Deal | null {
  if (!move || !raises[0]) return null;
  const { winner, loser } = raises[0];
  return raises.find((deal) => deal.move === move) ?? { move, winner, loser, gems: countsOf(move) };
}

/** Whether a share is empty. */
export function isNothing({ worth, action }: Share): boolean {
  return action === null && Array.isArray(worth) && !total(worth);
}
