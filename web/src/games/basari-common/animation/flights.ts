/** Flights of gems and points between purses, supply and counter. */
import { fly } from "../../../ui/animation/fly";
import type { Gain, GemTransfer } from "./event-effects";
import { COLOURS } from "../gems/gems";
import type { MajorityScored } from "../types";

/** The element of a seat's gems of a colour, or the supply's. */
function place(seat: number | null, colour: number): Element | null {
  if (seat === null) return document.querySelector(`[data-supply="${colour}"]`);
  return document.querySelector(`[data-gem="${seat}-${colour}"]`) ?? document.querySelector(`[data-purse="${seat}"]`);
}

export async function flyGems(handed: GemTransfer[]): Promise<void> {
  await Promise.all(handed.flatMap(({ from, to, gems }) => gems.map((n, colour) => flyGem(from, to, colour, n))));
}

async function flyGem(from: number | null, to: number | null, colour: number, n: number): Promise<void> {
  const begin = place(from, colour);
  const end = place(to, colour);
  if (n && begin && end) await fly(`gem-${COLOURS[colour]}`, begin, end, n);
}

export async function flyPoints(gains: Gain[], from: Element | null): Promise<void> {
  await Promise.all(
    gains.flatMap(({ seat }) => {
      const end = document.querySelector(`[data-points="${seat}"]`);
      return from && end ? [fly("star", from, end, 1)] : [];
    }),
  );
}

/** Return gems to the supply after a scoring. */
export async function flyBack(majorities: MajorityScored[]): Promise<void> {
  await Promise.all(majorities.flatMap(({ colour, seats, back }) => seats.map((seat, k) => flyGem(seat, null, colour, back[k]!))));
}
