/** Chip flights between a seat and the bank. */
import { wait } from "../../../ui/animation/tween";
import { fly } from "../../../ui/animation/fly";
import type { Event } from "../../../protocol/table";
import { factsOf } from "../../facts";
import { COLOURS, counts } from "./chips";
import { LIFT, ROLL } from "../motion";
import { chipTransfers } from "./chip-changes";
import type { DieThrown, Game } from "../types";

/** Resolves when all have landed. */
export async function flyChips(event: Event<Game>, board: Element, handSeat: number): Promise<void> {
  if (factsOf<DieThrown>(event, "die_thrown").length) await wait(ROLL);
  const moved = chipTransfers(event);
  if (!moved) return;
  const { seat, gives, gets } = moved;
  const place = (colour: string) => holder(board, seat, handSeat, colour);
  const flights = [...sent(gives, place, (colour) => bank(board, colour))];
  if (gives && gets) await wait(LIFT);
  await Promise.all([...flights, ...sent(gets, (colour) => bank(board, colour), place)]);
}

function sent(bag: string, from: (colour: string) => Element | null, to: (colour: string) => Element | null): Promise<void>[] {
  return counts(bag).map((n, k) => {
    const colour = COLOURS[k]!;
    const [begin, end] = [from(colour), to(colour)];
    return n && begin && end ? fly(`chip-${colour}`, begin, end, n) : Promise.resolve();
  });
}

function bank(board: Element, colour: string): Element | null {
  return board.querySelector(`[data-bank="${colour}"]`);
}

/** The element with a seat's chips: the tray for its own hand, else its purse. */
function holder(board: Element, seat: number, handSeat: number, colour: string): Element | null {
  if (seat === handSeat) return board.querySelector(`[data-hand="${colour}"]`);
  return document.querySelector(`[data-purse="${seat}"]`);
}
