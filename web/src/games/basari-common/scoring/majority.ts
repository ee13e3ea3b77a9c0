/** What the majority of a colour would pay now, in words. */
import { t } from "../../../i18n/translate.svelte";
import type { View } from "../../../protocol/table";
import type { BasariGame } from "../animation/event-effects";
import { COLOURS } from "../gems/gems";
import type { HagglingBox, Payout } from "../types";

const NOBODY: Payout = [[], 0];

/** Who would be paid for a colour now, and how much each. */
export function payoutOf(view: View<BasariGame>, colour: number): Payout {
  return view.scene.most?.[colour] ?? NOBODY;
}

export function majorityInWords(view: View<BasariGame>, box: HagglingBox, colour: number): string {
  const [seats, points] = payoutOf(view, colour);
  const about = t("basari-common.majority", { gem: [`basari-common.gem_many.${COLOURS[colour]}`, {}], n: box.majority[colour] });
  const left = t("basari-common.supply_has", { n: view.position.supply[colour] });
  if (!seats.length) return `${about} ${left}`;
  const now = t(seats.length > 1 ? "basari-common.now_each" : "basari-common.now_alone", {
    names: { all: seats.map((seat) => ({ seat })) },
    n: points,
  });
  return `${about} ${now} ${left}`;
}
