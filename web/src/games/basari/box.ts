/** Editor for the arches of a custom box, laid out as a ring. */
import { t } from "../../i18n/translate.svelte";
import type { GridPosition } from "../contract";
import { countsOf, gemsInWords } from "../basari-common/gems/gems";
import { cells, TALL, WIDE } from "./house";

export { default as Editor } from "./BoxEditor.svelte";
export { default as Entry } from "./BoxEntry.svelte";

/** The parts of an arch such as "5:RRY"; it may be incomplete. */
export function readArch(text: string): { number: string; gems: string } {
  const [number = "", gems = ""] = text.split(":");
  return { number: number.trim(), gems: gems.trim().toUpperCase() };
}

export function inWords(_part: string, text: string): string {
  const { number, gems } = readArch(text);
  return t("basari.arch_shows", { n: Number(number) || 0, gems: gemsInWords(countsOf(gems)) });
}

export function gridPosition(_part: string, upright: boolean): GridPosition {
  const plan = upright ? TALL : WIDE;
  return { columns: plan.columns, rows: plan.rows, cells: cells(plan).map(([column, row]) => [column + 1, row + 1]) };
}
