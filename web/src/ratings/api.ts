/** Ratings, profiles and ladders: requests and texts. */
import { ask, loadLobby } from "../net/api";
import { playNow } from "../state/create-table";
import { go } from "../state/router.svelte";
import { settings } from "../state/settings.svelte";
import { t } from "../i18n/translate.svelte";
import type { Ladder, Ladders, LeaderBoard, Profile, RatingNow, SetListedOnLeaderboard, TableRatings } from "../protocol/ratings";

export function loadLeaders(game: string, provisional: boolean, page: number): Promise<LeaderBoard> {
  return ask(`/api/leaders/${encodeURIComponent(game)}?page=${page}${provisional ? "&provisional=1" : ""}`);
}

export function loadProfile(id: string): Promise<Profile> {
  return ask(`/api/people/${encodeURIComponent(id)}`);
}

export function setListed(listed: boolean): Promise<Profile> {
  return ask("/api/people/me/listed", { listed } satisfies SetListedOnLeaderboard);
}

export function myLadders(): Promise<Ladders> {
  return ask("/api/ladder");
}

// one request for all seats of a table
let asked: { key: string; answer: Promise<TableRatings> } | null = null;

/** A table's effect on ratings; requested again once the game is over. */
export function tableRatings(table: string, over: boolean): Promise<TableRatings> {
  const key = `${table} ${over}`;
  if (asked?.key !== key) asked = { key, answer: ask<TableRatings>(`/api/tables/${table}/ratings`) };
  return asked.answer;
}

/** A rating with its uncertainty. */
export function ratingWords({ rating, off }: Pick<RatingNow, "rating" | "off">): string {
  return t("measure.value", { rating: String(rating), off: String(off) });
}

/** The next level to climb; "" at the top. */
export function nextLevel({ rungs, at }: Ladder): string {
  return rungs[at]?.level ?? "";
}

/** Progress on the current rung. */
export function progressWords({ needed, of, near }: Ladder): string {
  return of ? t("measure.ladder.two_of_three", { near, needed, of }) : t("measure.ladder.one_win");
}

/** Open a table against the bots of the next rung. */
export async function openNextLevel(ladder: Ladder): Promise<void> {
  settings.levels[ladder.game] = nextLevel(ladder);
  go(`/t/${await playNow(await loadLobby(), ladder.game, ladder.players)}`);
}
