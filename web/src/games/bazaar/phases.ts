import type { Game } from "./types";

export const clauses: Record<Game["position"]["phase"], string> = {
  rates: "Z3",
  stalls: "Z5",
  first: "Z6",
  act: "Z10",
  die: "Z10",
  choice: "Z10",
  buy: "Z12",
  reveal: "Z12",
  return: "Z14",
  over: "Z30",
};
