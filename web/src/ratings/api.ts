/** What is asked about ratings, profiles and the ladder, and how it is said. */
import { ask, lobby as askLobby } from "../lib/api";
import { playNow } from "../lib/playing";
import { go } from "../lib/router.svelte";
import { settings } from "../lib/settings.svelte";
import { t } from "../lib/words.svelte";
import type { Ladder, Ladders, LeaderBoard, Profile, RatingNow, SetListed, TableRatings } from "../rating-protocol";

export function leaders(game: string, provisional: boolean, page: number): Promise<LeaderBoard> {
  return ask(`/api/leaders/${encodeURIComponent(game)}?page=${page}${provisional ? "&provisional=1" : ""}`);
}

export function profile(id: string): Promise<Profile> {
  return ask(`/api/people/${encodeURIComponent(id)}`);
}

export function setListed(listed: boolean): Promise<Profile> {
  return ask("/api/people/me/listed", { listed } satisfies SetListed);
}

export function myLadders(): Promise<Ladders> {
  return ask("/api/ladder");
}

// Every seat of a table asks the same.
let asked: { key: string; answer: Promise<TableRatings> } | null = null;

/** What a table means for ratings; asked again once its game is over. */
export function tableRatings(table: string, over: boolean): Promise<TableRatings> {
  const key = `${table} ${over}`;
  if (asked?.key !== key) asked = { key, answer: ask<TableRatings>(`/api/tables/${table}/ratings`) };
  return asked.answer;
}

/** A rating as a number with what it may be off by. */
export function ratingWords({ rating, off }: Pick<RatingNow, "rating" | "off">): string {
  return t("measure.value", { rating: String(rating), off: String(off) });
}

/** The level of the rung to be climbed next; "" where all are climbed. */
export function nextLevel({ rungs, at }: Ladder): string {
  return rungs[at]?.level ?? "";
}

/** What is still to be won on the rung where one stands. */
export function nearWords({ needed, of, near }: Ladder): string {
  return of ? t("measure.ladder.two_of_three", { near, needed, of }) : t("measure.ladder.one_win");
}

/** Go to a new table against the bots of the next rung. */
export async function climb(ladder: Ladder): Promise<void> {
  settings.levels[ladder.game] = nextLevel(ladder);
  go(`/t/${await playNow(await askLobby(), ladder.game, ladder.players)}`);
}
