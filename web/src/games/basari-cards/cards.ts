/** Parses a bazaar card such as "2/5/RYBB". */
import { t } from "../../i18n/translate.svelte";
import { countsOf, gemsInWords } from "../basari-common/gems/gems";
import type { Gems } from "../basari-common/types";

export interface BazaarCard {
  workers: number;
  points: number;
  gems: Gems;
}

export function readCard(text: string): BazaarCard {
  const [workers, points, gems] = text.split("/");
  return { workers: Number(workers), points: Number(points), gems: countsOf(gems!) };
}

export function cardInWords(text: string): string {
  const { workers, points, gems } = readCard(text);
  return t("basari-cards.card_shows", { workers, points, gems: gemsInWords(gems) });
}
