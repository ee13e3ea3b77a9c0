/** What is heard where people haggle. */
import type { Sounds } from "../sounds";
import type { HagglingFact } from "./types";

export const sounds: Sounds<HagglingFact> = {
  revealed: "card",
  haggle_called: "offer",
  offered: "offer",
  haggle_ended: "gems",
  gems_taken: "gems",
  points_scored: "coins",
  majority_scored: "coins",
};
