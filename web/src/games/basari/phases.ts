import type { Game } from "./types";

export const clauses: Record<Game["position"]["phase"], string> = {
  start: "B5",
  walk: "B10",
  choose: "B13",
  opener: "B20",
  haggle: "B20",
  dice: "B13",
  over: "B35",
};
