/** Sounds of both Basari games. */
import type { Sounds } from "../sounds";
import type { BasariCommonFact } from "./types";

export const sounds: Sounds<BasariCommonFact> = {
  revealed: "card",
  haggle_called: "offer",
  offered: "offer",
  haggle_ended: "gems",
  gems_taken: "gems",
  points_scored: "coins",
  majority_scored: "coins",
};
