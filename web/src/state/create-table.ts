/** Creates tables with one click. */
import type { StartFrom, GameCard, Lobby, SeatRequest } from "../protocol/lobby";
import { loadLobby, startLesson, makeTable, errorText } from "../net/api";
import { storeInvitations } from "./invitation-links";
import { ladder, lampsOf } from "../i18n/bot-levels";
import { go } from "./router.svelte";
import { randomOrder, randomFirst, seatingOrder } from "../util/shuffle";
import { settings } from "./settings.svelte";
import { newShare } from "../dice/shares";
import type { Table } from "./table.svelte";
import { toast } from "./toast.svelte";
import { t } from "../i18n/translate.svelte";

const STAND_IN = "merchant";

/** The level of bots last chosen for a game, else the lowest. */
export function usualLevel(levels: string[], game: string): string {
  const chosen = settings.levels[game];
  return chosen && levels.includes(chosen) ? chosen : (ladder(levels)[0] ?? levels[0] ?? "apprentice");
}

/** The number of players last chosen, else the game's default. */
export function usualPlayers(card: GameCard): number {
  const chosen = settings.players[card.game];
  return chosen && card.players.includes(chosen) ? chosen : card.usual;
}

/** My name, or a placeholder. */
export function myName(): string {
  return settings.name.trim() || t("settings.guest");
}

/** A number of distinct bot names that are not taken. */
export function botNames({ names }: Lobby, count: number, taken: string[]): string[] {
  const free = [...new Set(names.flat())].filter((name) => !taken.includes(name));
  const begin = randomOrder(free.length)[0] ?? 0;
  return Array.from({ length: count }, (_, k) => free[(begin + k) % free.length]!);
}

/** Bots whose names do not fit their figures swap names or get new ones; so do unnamed ones. */
export function fittingNames({ names }: Lobby, seats: SeatRequest[]): SeatRequest[] {
  const ours = new Set(names.flat());
  const fitting = (seat: number) => names[seat % names.length]!;
  const unfit = ({ who, name }: SeatRequest, seat: number) => who === "bot" && (!name || (ours.has(name) && !fitting(seat).includes(name)));
  const spare = seats.filter(unfit).map(({ name }) => name);
  const taken = seats.filter((wish, seat) => !unfit(wish, seat)).map(({ name }) => name);
  return seats.map((wish, seat) => {
    if (!unfit(wish, seat)) return wish;
    const free = fitting(seat).filter((name) => !taken.includes(name));
    const name = free.find((each) => spare.includes(each)) ?? free[randomOrder(free.length)[0] ?? 0] ?? fitting(seat)[0]!;
    taken.push(name);
    return { ...wish, name };
  });
}

/** Create a table against bots, my seat at random; resolves with its id. */
export async function playNow(lobby: Lobby, game: string, players?: number): Promise<string> {
  const card = lobby.games.find((each) => each.game === game)!;
  const count = players ?? usualPlayers(card);
  const level = usualLevel(lobby.levels, game);
  const bots = Array.from({ length: count - 1 }, () => ({ who: "bot", level }));
  const people: SeatRequest[] = [{ who: "me", name: myName() }, ...bots];
  const seats = fittingNames(
    lobby,
    seatingOrder(count, null, true).map((who) => people[who]!),
  );
  const options = randomFirst(card.options[String(count)] ?? {}, count);
  const made = await makeTable({ game, seats, options, commitment: await newShare() });
  storeInvitations(made.table, made.invitations);
  return made.table;
}

/**
 * Branch off a finished game after some events, against bots; resolves with the new table's id.
 * Bots keep their levels, people are replaced by bots.
 */
export async function playOn(table: Pick<Table, "id" | "game">, step: number, seat: number): Promise<string> {
  return branchFrom(table.game, { table: table.id, step, seat, name: myName() });
}

/** Play on from a position (`to_json`) against bots; resolves with the new table's id. */
export async function playFrom(game: string, position: Record<string, unknown>, seat: number): Promise<string> {
  return branchFrom(game, { position, seat, name: myName() });
}

async function branchFrom(game: string, from: StartFrom): Promise<string> {
  return (await makeTable({ game, seats: [], from, commitment: await newShare() })).table;
}

/** The next level up (1) or down (-1) from bots of one level; "" if there is none. */
export function levelBeside(levels: string[], played: string[], way: 1 | -1): string {
  const lamps = new Set(played.map(lampsOf));
  if (lamps.size !== 1 || lamps.has(0)) return "";
  const beyond = ladder(levels).filter((level) => way * lampsOf(level) > way * [...lamps][0]!);
  return beyond.at(way === 1 ? 0 : -1) ?? "";
}

/** Open my lesson in a game where it was left, or with `again` from the start. */
export async function openLesson(game: string, again = false): Promise<void> {
  try {
    go(`/t/${(await startLesson({ game, name: myName(), again })).table}`);
  } catch (error) {
    toast(errorText(error));
  }
}

/** The level of substitute bots. */
export function standInLevel({ levels }: Pick<Lobby, "levels">, game: string): string {
  return levels.find((level) => level.startsWith(STAND_IN)) ?? usualLevel(levels, game);
}

/** Put a bot on an empty seat. */
export async function addSubstitute(table: Pick<Table, "game" | "standIn">, seat: number): Promise<void> {
  await table.standIn(seat, standInLevel(await loadLobby(), table.game));
}
