/** Sounds of the card game. */
import { sounds as haggling } from "../basari-common/sounds";
import type { Sounds } from "../sounds";
import type { Fact } from "./types";

export const sounds: Sounds<Fact> = { ...haggling, card_turned_up: "card", gems_returned: "gems", workers_scored: "coins" };
