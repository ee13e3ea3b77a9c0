/** Gems and points on their way between purses, the supply and the counter. */
import { fly } from "../../parts/fly";
import type { Gain, Handed } from "./brought";
import { COLOURS } from "./gems";
import type { MajorityScored } from "./types";

/** Where a seat's gems of a colour are, or those of the supply. */
function place(seat: number | null, colour: number): Element | null {
  if (seat === null) return document.querySelector(`[data-supply="${colour}"]`);
  return document.querySelector(`[data-gem="${seat}-${colour}"]`) ?? document.querySelector(`[data-purse="${seat}"]`);
}

export async function flyGems(handed: Handed[]): Promise<void> {
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

/** Gems that go back to the supply after a scoring. */
export async function flyBack(majorities: MajorityScored[]): Promise<void> {
  await Promise.all(majorities.flatMap(({ colour, seats, back }) => seats.map((seat, k) => flyGem(seat, null, colour, back[k]!))));
}
