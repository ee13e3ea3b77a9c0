import type { Game } from "./types";

export const clauses: Record<Game["position"]["phase"], string> = {
  card: "S4",
  turn: "S10",
  die: "S11",
  rug: "S17",
  over: "S30",
};
