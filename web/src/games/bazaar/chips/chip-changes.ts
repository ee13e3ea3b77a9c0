/** Chips moved between a seat and the bank by an event. */
import type { Event } from "../../../protocol/table";
import { counts, LETTERS } from "./chips";
import type { Fact, Game } from "../types";

export interface ChipTransfer {
  seat: number;
  gives: string; // to the bank, such as "WWR"
  gets: string; // from the bank
}

/** Null if no chip moved. */
export function chipTransfers(event: Event<Game> | null): ChipTransfer | null {
  const parts = event?.facts.flatMap(movedBy) ?? [];
  if (!parts[0]) return null;
  return { seat: parts[0].seat, gives: together(parts.map(({ gives }) => gives)), gets: together(parts.map(({ gets }) => gets)) };
}

function movedBy(fact: Fact): ChipTransfer[] {
  switch (fact.is) {
    case "chip_taken":
      return [{ seat: fact.seat, gives: "", gets: fact.chip }];
    case "chip_returned":
      return [{ seat: fact.seat, gives: fact.chip, gets: "" }];
    case "traded":
      return [fact];
    case "sold":
      return [{ seat: fact.seat, gives: fact.ware, gets: "" }]; // a ware costs the chips it shows
    default:
      return [];
  }
}

/** Joins several bags. */
export function together(bags: string[]): string {
  return counts(bags.join(""))
    .map((n, k) => LETTERS[k]!.repeat(n))
    .join("");
}
