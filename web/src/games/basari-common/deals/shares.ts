/** What each of two has of a haggle that has ended: one the action, the other the gems. */
import { countsOf, total } from "./gems";
import type { Deal, Gems, Haggle, HagglingScene } from "./types";

export interface Share {
  seat: number;
  action: string | null; // for whoever gets it
  worth: number | Gems | null; // what the action brings, where that is known; or the gems
}

/** The shares of a deal, `first` before the other. */
export function shares(deal: Deal, haggle: Haggle, stakes: HagglingScene["stakes"], first: number): Share[] {
  const wins = { seat: deal.winner, action: haggle.action, worth: stakes?.[haggle.seats.indexOf(deal.winner)] ?? null };
  const both: Share[] = [wins, { seat: deal.loser, action: null, worth: deal.gems }];
  return first === deal.winner ? both : both.reverse();
}

/** What may be said, by its kind. */
export interface Sayings {
  stop: Deal | null; // to accept or to pass
  raises: Deal[]; // from the cheapest on
}

export function sayings(deals: Deal[] = []): Sayings {
  const offers = (deal: Deal) => deal.move.startsWith("offer");
  return { stop: deals.find((deal) => !offers(deal)) ?? null, raises: deals.filter(offers) };
}

/** The deal that an offer of mine would be: one of those that are known, else one like them with other gems; null where none may be made. */
export function dealOf(move: string, { raises }: Sayings): Deal | null {
  if (!move || !raises[0]) return null;
  const { winner, loser } = raises[0];
  return raises.find((deal) => deal.move === move) ?? { move, winner, loser, gems: countsOf(move) };
}

/** Whether a share is nothing at all. */
export function isNothing({ worth, action }: Share): boolean {
  return action === null && Array.isArray(worth) && !total(worth);
}
