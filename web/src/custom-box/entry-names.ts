/** Names of the entries of a box: the game's, else numbers. */
import type { BoxPart } from "../games/types";
import { textOf } from "../i18n/game-titles";
import { t } from "../i18n/translate.svelte";

/** "Arch 4", "Rate card 2, equation 3". */
export function entryName(game: string, part: BoxPart, index: number): string {
  const row = part.row || part.count;
  const key = `printed.${part.key}_entry`;
  if (!textOf(game, key)) return t("box.entry_number", { n: index + 1 });
  return t(`${game}.${key}`, { n: (index % row) + 1, row: Math.floor(index / row) + 1 });
}

/** "Rate card 2". */
export function rowName(game: string, part: BoxPart, number: number): string {
  const key = `printed.${part.key}_row`;
  return textOf(game, key) ? t(`${game}.${key}`, { n: number }) : String(number);
}

/** "Arches". */
export function partName(game: string, key: string): string {
  return textOf(game, `printed.${key}`, key);
}

/** "3 arches to go". */
export function toGo(game: string, key: string, n: number): string {
  return textOf(game, `printed.${key}_to_go`) ? t(`${game}.printed.${key}_to_go`, { n }) : t("box.to_go", { what: key, n });
}
