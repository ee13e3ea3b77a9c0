/**
 * Names and manners of bot levels. A level is a name with an optional pace: "vizier:quick". A host
 * may offer bots without translations; those keep their own name.
 */
import { hasText, t } from "./translate.svelte";

// the first has one lamp, the last four
const LAMPS = ["apprentice", "trader", "merchant", "vizier"];
export const MOST_LAMPS = LAMPS.length;

/** The number of lamps of a level; 0 for other bots. */
export function lampsOf(level: string): number {
  return LAMPS.indexOf(nameOf(level)) + 1;
}

/** One of the offered levels per number of lamps: at normal pace, else the first. */
export function ladder(levels: string[]): string[] {
  return LAMPS.flatMap((name) => (levels.includes(name) ? name : levels.filter((level) => nameOf(level) === name).slice(0, 1)));
}

export function levelName(level: string): string {
  const [name, pace] = level.split(":");
  if (!hasText(`level.${name}.name`)) return level;
  const called = t(`level.${name}.name`);
  return pace ? t("level.paced", { name: called, pace: t(`level.pace.${pace}`) }) : called;
}

export function levelManner(level: string): string {
  const key = `level.${nameOf(level)}.manner`;
  return hasText(key) ? t(key) : "";
}

function nameOf(level: string): string {
  return level.split(":")[0]!;
}
