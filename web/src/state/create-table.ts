/** Tables made with one press of a button. */
import type { Elsewhere, GameCard, Lobby, SeatWish } from "../lobby-protocol";
import { lobby as askLobby, makeLesson, makeTable, whyNot } from "./api";
import { keepInvitations } from "./invitations";
import { ladder, lampsOf } from "./levels";
import { go } from "./router.svelte";
import { anyOrder, firstByLot, roundTheTable } from "./seating";
import { settings } from "./settings.svelte";
import { newShare } from "./shares";
import type { Table } from "./table.svelte";
import { toast } from "./toast.svelte";
import { t } from "./words.svelte";

const STAND_IN = "merchant";

/** The level of bots last chosen for a game; at first the lowest there is. */
export function usualLevel(levels: string[], game: string): string {
  const chosen = settings.levels[game];
  return chosen && levels.includes(chosen) ? chosen : (ladder(levels)[0] ?? levels[0] ?? "apprentice");
}

/** How many played last, or usually do. */
export function usualPlayers(card: GameCard): number {
  const chosen = settings.players[card.game];
  return chosen && card.players.includes(chosen) ? chosen : card.usual;
}

/** My name, or what somebody without one is called. */
export function myName(): string {
  return settings.name.trim() || t("settings.guest");
}

/** So many of the names that bots go by, all different and none of them taken. */
export function botNames({ names }: Lobby, count: number, taken: string[]): string[] {
  const free = [...new Set(names.flat())].filter((name) => !taken.includes(name));
  const begin = anyOrder(free.length)[0] ?? 0;
  return Array.from({ length: count }, (_, k) => free[(begin + k) % free.length]!);
}

/** Bots whose names are ours and do not fit the figures of their seats change names with each other, or get others; and so do those without one. */
export function fittingNames({ names }: Lobby, seats: SeatWish[]): SeatWish[] {
  const ours = new Set(names.flat());
  const fitting = (seat: number) => names[seat % names.length]!;
  const unfit = ({ who, name }: SeatWish, seat: number) => who === "bot" && (!name || (ours.has(name) && !fitting(seat).includes(name)));
  const spare = seats.filter(unfit).map(({ name }) => name);
  const taken = seats.filter((wish, seat) => !unfit(wish, seat)).map(({ name }) => name);
  return seats.map((wish, seat) => {
    if (!unfit(wish, seat)) return wish;
    const free = fitting(seat).filter((name) => !taken.includes(name));
    const name = free.find((each) => spare.includes(each)) ?? free[anyOrder(free.length)[0] ?? 0] ?? fitting(seat)[0]!;
    taken.push(name);
    return { ...wish, name };
  });
}

/** A table against bots, mine any of the seats; resolves with its id. */
export async function playNow(lobby: Lobby, game: string, players?: number): Promise<string> {
  const card = lobby.games.find((each) => each.game === game)!;
  const count = players ?? usualPlayers(card);
  const level = usualLevel(lobby.levels, game);
  const bots = Array.from({ length: count - 1 }, () => ({ who: "bot", level }));
  const people: SeatWish[] = [{ who: "me", name: myName() }, ...bots];
  const seats = fittingNames(
    lobby,
    roundTheTable(count, null, true).map((who) => people[who]!),
  );
  const options = firstByLot(card.options[String(count)] ?? {}, count);
  const made = await makeTable({ game, seats, options, commitment: await newShare() });
  keepInvitations(made.table, made.invitations);
  return made.table;
}

/** Play on against bots from a finished game after so many of its events, as a branch of it; resolves with the new table's id. The others are
 * bots of the levels they had; people's places are taken by bots. */
export async function playOn(table: Pick<Table, "id" | "game">, step: number, seat: number): Promise<string> {
  return branchFrom(table.game, { table: table.id, step, seat, name: myName() });
}

/** Play on against bots from any position of a game, as `to_json` gives it; resolves with the new table's id. */
export async function playFrom(game: string, position: Record<string, unknown>, seat: number): Promise<string> {
  return branchFrom(game, { position, seat, name: myName() });
}

async function branchFrom(game: string, from: Elsewhere): Promise<string> {
  return (await makeTable({ game, seats: [], from, commitment: await newShare() })).table;
}

/** The next level up (1) or down (-1), for who has played against bots that are all of the same; "" where there is none. */
export function levelBeside(levels: string[], played: string[], way: 1 | -1): string {
  const lamps = new Set(played.map(lampsOf));
  if (lamps.size !== 1 || lamps.has(0)) return "";
  const beyond = ladder(levels).filter((level) => way * lampsOf(level) > way * [...lamps][0]!);
  return beyond.at(way === 1 ? 0 : -1) ?? "";
}

/** Go to my lesson in a game: where it was left, or with `again` from its beginning. */
export async function learn(game: string, again = false): Promise<void> {
  try {
    go(`/t/${(await makeLesson({ game, name: myName(), again })).table}`);
  } catch (error) {
    toast(whyNot(error));
  }
}

/** The bot that stands in for somebody. */
export function standInLevel({ levels }: Pick<Lobby, "levels">, game: string): string {
  return levels.find((level) => level.startsWith(STAND_IN)) ?? usualLevel(levels, game);
}

/** Let a bot play for a seat where nobody is. */
export async function letBot(table: Pick<Table, "game" | "standIn">, seat: number): Promise<void> {
  await table.standIn(seat, standInLevel(await askLobby(), table.game));
}
