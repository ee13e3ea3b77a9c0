/** Sounds of Basari. */
import { sounds as haggling } from "../basari-common/sounds";
import type { Sounds } from "../sounds";
import type { Fact } from "./types";

export const sounds: Sounds<Fact> = { ...haggling, disc_placed: "step", figure_walked: "dice", lap_scored: "coins" };
