/** What the levels of bots are called, and their manners. A level is a name and perhaps a pace: "vizier:quick". */
import { t } from "./words.svelte";

export function levelName(level: string): string {
  const [name, pace] = level.split(":");
  const called = t(`level.${name}.name`);
  return pace ? t("level.paced", { name: called, pace: t(`level.pace.${pace}`) }) : called;
}

export function levelManner(level: string): string {
  return t(`level.${level.split(":")[0]}.manner`);
}
