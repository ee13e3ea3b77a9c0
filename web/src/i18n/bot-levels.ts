/** What the levels of bots are called, and their manners. A level is a name and perhaps a pace: "vizier:quick". A host may offer
 * bots that have no name in our languages: they go by their own. */
import { known, t } from "./words.svelte";

const LAMPS = ["apprentice", "trader", "merchant", "vizier"]; // the first has one lamp, the last has four
export const MOST_LAMPS = LAMPS.length;

/** How many lamps a level has; 0 for a bot that is none of the four. */
export function lampsOf(level: string): number {
  return LAMPS.indexOf(nameOf(level)) + 1;
}

/** Of what a host offers, one level for each number of lamps: at its normal pace, or else the first there is. */
export function ladder(levels: string[]): string[] {
  return LAMPS.flatMap((name) => (levels.includes(name) ? name : levels.filter((level) => nameOf(level) === name).slice(0, 1)));
}

export function levelName(level: string): string {
  const [name, pace] = level.split(":");
  if (!known(`level.${name}.name`)) return level;
  const called = t(`level.${name}.name`);
  return pace ? t("level.paced", { name: called, pace: t(`level.pace.${pace}`) }) : called;
}

export function levelManner(level: string): string {
  const key = `level.${nameOf(level)}.manner`;
  return known(key) ? t(key) : "";
}

function nameOf(level: string): string {
  return level.split(":")[0]!;
}
