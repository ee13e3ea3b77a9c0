/** Position editor for Basari: places figures and discs on arches. */
import { t } from "../../i18n/translate.svelte";
import type { BoardSetup } from "../contract";

export const setup: BoardSetup = {
  brushes: (players) =>
    ["figures", "discs"].flatMap((kind) =>
      Array.from({ length: players }, (_, seat): [string, string] => [
        `${kind} ${seat}`,
        t(`position.${kind}`, { name: t("position.player", { n: seat + 1 }) }),
      ]),
    ),
  put(position, place, brush) {
    const found = /^arch (\d+)$/.exec(place);
    const [kind, seat] = brush.split(" ");
    if (!found || !kind) return null;
    const lie = position[kind] as (number | null)[];
    return { ...position, [kind]: lie.map((each, k) => (k === Number(seat) ? Number(found[1]) : each)) };
  },
};
