/** Gems and points on their way between purses, the supply and the counter. */
import { fly } from "../../parts/fly";
import { COLOURS, type Counts } from "./gems";

export interface Shown {
  choices?: string[];
  lost?: string[];
  gems?: [number, number, Counts][]; // from, to (-1: the supply), how many
  points?: [number, number][]; // seat, points
  scoring?: { number: number; colours: [number[], number, number[]][]; besides: [number, number][] };
  roller?: number;
  path?: number[];
  placed?: number;
  to?: number;
  card?: string;
  workers?: number;
}

/** Where a seat's gems of a colour are, or those of the supply. */
function place(seat: number, colour: number): Element | null {
  if (seat < 0) return document.querySelector(`[data-supply="${colour}"]`);
  return document.querySelector(`[data-gem="${seat}-${colour}"]`) ?? document.querySelector(`[data-purse="${seat}"]`);
}

export async function flyGems(moves: [number, number, Counts][]): Promise<void> {
  await Promise.all(moves.flatMap(([from, to, counts]) => counts.map((n, colour) => flyGem(from, to, colour, n))));
}

async function flyGem(from: number, to: number, colour: number, n: number): Promise<void> {
  const begin = place(from, colour);
  const end = place(to, colour);
  if (n && begin && end) await fly(`gem-${COLOURS[colour]}`, begin, end, n);
}

export async function flyPoints(gains: [number, number][], from: Element | null): Promise<void> {
  await Promise.all(
    gains.flatMap(([seat]) => {
      const end = document.querySelector(`[data-points="${seat}"]`);
      return from && end ? [fly("star", from, end, 1)] : [];
    }),
  );
}

/** Gems that go back to the supply after a scoring. */
export function flyBack(colours: [number[], number, number[]][]): Promise<void> {
  const moves = colours.flatMap(([seats, , back], colour) =>
    seats.map((seat, k): [number, number, Counts] => [seat, -1, COLOURS.map((_, each) => (each === colour ? back[k]! : 0))]),
  );
  return flyGems(moves);
}
