import type { Game } from "./types";

export const clauses: Record<Game["position"]["phase"], string> = {
  deal: "K10",
  choose: "K11",
  haggle: "K20",
  draw: "K11",
  give: "K30",
  take: "K30",
  over: "K45",
};
