/** What the levels of bots are called, and their manners. A level is a name and perhaps a pace: "vizier:quick". A host may offer
 * bots that have no name in our languages: they go by their own. */
import { known, t } from "./words.svelte";

export function levelName(level: string): string {
  const [name, pace] = level.split(":");
  if (!known(`level.${name}.name`)) return level;
  const called = t(`level.${name}.name`);
  return pace ? t("level.paced", { name: called, pace: t(`level.pace.${pace}`) }) : called;
}

export function levelManner(level: string): string {
  const key = `level.${level.split(":")[0]}.manner`;
  return known(key) ? t(key) : "";
}
