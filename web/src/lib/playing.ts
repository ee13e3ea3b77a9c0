/** Tables made with one press of a button. */
import type { GameCard, Lobby } from "../protocol";
import { makeTable } from "./api";
import { keepInvitations } from "./invitations";
import { botNames } from "./names";
import { settings } from "./settings.svelte";
import { t } from "./words.svelte";

const ORDER = ["suleika", "basari", "basari-cards", "bazaar"]; // as the family is introduced; a newer game comes after
const PLAYERS: Record<string, number> = { suleika: 4, basari: 4, "basari-cards": 4, bazaar: 3 };
const LEVEL = "merchant";

/** The games in the order in which they are shown. */
export function inOrder(games: GameCard[]): GameCard[] {
  const rank = ({ game }: GameCard) => (ORDER.includes(game) ? ORDER.indexOf(game) : ORDER.length);
  return games.toSorted((a, b) => rank(a) - rank(b));
}

/** How many play where nobody says otherwise. */
export function usualPlayers(game: string, possible: number[]): number {
  const usual = PLAYERS[game] ?? 4;
  return possible.includes(usual) ? usual : Math.max(...possible);
}

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

/** A table against bots; resolves with its id. */
export async function playNow(lobby: Lobby, game: string, players?: number): Promise<string> {
  const card = lobby.games.find((each) => each.game === game)!;
  const count = players ?? usualPlayers(game, card.players);
  const level = usualLevel(lobby.levels);
  const bots = botNames(count - 1, [myName()]).map((name) => ({ who: "bot", name, level }));
  const made = await makeTable({ game, seats: [{ who: "me", name: myName() }, ...bots], options: {} });
  keepInvitations(made.table, made.invitations);
  return made.table;
}
