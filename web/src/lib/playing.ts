/** Tables made with one press of a button. */
import type { Lobby } from "../protocol";
import { lobby as askLobby, makeTable } from "./api";
import { keepInvitations } from "./invitations";
import { settings } from "./settings.svelte";
import { newShare } from "./shares";
import type { Table } from "./table.svelte";
import { t } from "./words.svelte";

const LEVEL = "merchant";

/** The level of bots last chosen, or a middling one. */
export function usualLevel(levels: string[]): string {
  return (
    [settings.level, LEVEL].find((level) => levels.includes(level)) ?? levels.find((level) => level.startsWith(LEVEL)) ?? levels[0] ?? LEVEL
  );
}

/** My name, or what somebody without one is called. */
export function myName(): string {
  return settings.name.trim() || t("settings.guest");
}

/** So many of the names that bots go by, all different and none of them taken. */
export function botNames({ names }: Lobby, count: number, taken: string[]): string[] {
  const free = names.filter((name) => !taken.includes(name));
  const begin = Math.floor(Math.random() * free.length);
  return Array.from({ length: count }, (_, k) => free[(begin + k) % free.length]!);
}

/** A table against bots; resolves with its id. */
export async function playNow(lobby: Lobby, game: string, players?: number): Promise<string> {
  const count = players ?? lobby.games.find((card) => card.game === game)!.usual;
  const level = usualLevel(lobby.levels);
  const bots = botNames(lobby, count - 1, [myName()]).map((name) => ({ who: "bot", name, level }));
  const seats = [{ who: "me", name: myName() }, ...bots];
  const made = await makeTable({ game, seats, options: {}, commitment: await newShare() });
  keepInvitations(made.table, made.invitations);
  return made.table;
}

/** Let a bot play for a seat where nobody is. */
export async function letBot(table: Table, seat: number): Promise<void> {
  const { levels } = await askLobby();
  await table.standIn(seat, usualLevel(levels));
}
