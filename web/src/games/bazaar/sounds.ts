/** Sounds of Bazaar. */
import type { Sounds } from "../sounds";
import type { Fact } from "./types";

export const sounds: Sounds<Fact> = {
  rate_drawn: "card",
  ware_turned_up: "card",
  die_thrown: "dice",
  chip_taken: "gems",
  traded: "gems",
  chip_returned: "gems",
  sold: "coins",
};
