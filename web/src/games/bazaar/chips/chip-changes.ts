/** The chips that an event moved between a seat and the bank. */
import type { Event } from "../../protocol";
import { counts, LETTERS } from "./chips";
import type { Fact, Game } from "./types";

export interface Moved {
  seat: number;
  gives: string; // chips to the bank, such as "WWR"
  gets: string; // chips from it
}

/** Null where no chip has moved. */
export function chipsMoved(event: Event<Game> | null): Moved | null {
  const parts = event?.facts.flatMap(movedBy) ?? [];
  if (!parts[0]) return null;
  return { seat: parts[0].seat, gives: together(parts.map(({ gives }) => gives)), gets: together(parts.map(({ gets }) => gets)) };
}

function movedBy(fact: Fact): Moved[] {
  switch (fact.is) {
    case "chip_taken":
      return [{ seat: fact.seat, gives: "", gets: fact.chip }];
    case "chip_returned":
      return [{ seat: fact.seat, gives: fact.chip, gets: "" }];
    case "traded":
      return [fact];
    case "sold":
      return [{ seat: fact.seat, gives: fact.ware, gets: "" }]; // a ware costs the chips that it shows
    default:
      return [];
  }
}

/** Several bags as one. */
export function together(bags: string[]): string {
  return counts(bags.join(""))
    .map((n, k) => LETTERS[k]!.repeat(n))
    .join("");
}
