/**
 * Whose cards lie where, read from the log: a position knows the cards of this round and how many
 * workers everybody has, not how they came by them.
 */
import type { LogLine, Told } from "../../../protocol/table";
import { COLOURS, letterOf } from "../../basari-common/gems/gems";
import { readCard } from "../cards";
import type { CardsPosition } from "../types";

/** A card turned up in this deal: dealt, or drawn for action A. */
interface TurnedUp {
  text: string; // such as "2/5/RYBB"
  workers: number;
  drawn: boolean;
}

/** The cards of one seat, as they lie. */
export interface Lying {
  /** workers on cards that nobody here saw turned up, or that lie too deep to be seen */
  rest: number;
  /** workers on the older cards, oldest first */
  older: number[];
  /** the card of this round, on top */
  card: string | null;
  /** the newest of the older ones, while there is none of this round on it */
  bare: string;
}

const DEALT = "basari-cards.told.is_dealt";
const DRAWN = "basari-cards.told.draws";
const OVER = "basari-cards.told.deal_over";

/** By seat, the cards of the running deal, or of the last one until the next begins. */
export function turnedUp(lines: readonly (Pick<LogLine, "told"> | undefined)[], players: number): TurnedUp[][] {
  const none = () => Array.from({ length: players }, (): TurnedUp[] => []);
  let [cards, over] = [none(), false];
  for (const [key, values] of lines.flatMap((line) => line?.told ?? [])) {
    if (key === OVER) over = true;
    if (key !== DEALT && key !== DRAWN) continue;
    if (over) [cards, over] = [none(), false];
    const { who, card } = values as { who: { seat: number }; card: Told };
    cards[who.seat]?.push({ text: textOf(card), workers: Number(card[1]["workers"]), drawn: key === DRAWN });
  }
  return cards;
}

/** A card as the log shows it, with its gems as messages such as "2 red". */
function textOf([, { workers, points, gems }]: Told): string {
  const letters = (gems as { all: [string, { n: number }][] }).all.map(([key, { n }]) => {
    const colour = COLOURS.findIndex((name) => key.endsWith(`.${name}`));
    return letterOf(colour).toUpperCase().repeat(n);
  });
  return `${String(workers)}/${String(points)}/${letters.join("")}`;
}

/** A seat's cards as they lie; of more than `most` older ones the oldest are only counted. */
export function lying(position: CardsPosition, seat: number, cards: TurnedUp[], most: number): Lying {
  const card = position.cards[seat] ?? null;
  const workers = position.workers[seat] ?? 0;
  const top = card === null ? -1 : cards.findLastIndex(({ drawn }) => !drawn);
  const known = cards.reduce((sum, each) => sum + each.workers, 0) === workers;
  if (!known) return { rest: Math.max(0, workers - (card ? readCard(card).workers : 0)), older: [], card, bare: "" };
  const older = cards.filter((_, k) => k !== top).map((each) => each.workers);
  const bare = card === null ? (cards.at(-1)?.text ?? "") : "";
  const deep = older.length > most ? older.length - most + 1 : 0;
  return { rest: older.slice(0, deep).reduce((sum, n) => sum + n, 0), older: older.slice(deep), card, bare };
}
