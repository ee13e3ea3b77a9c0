/** Sounds of Suleika. */
import type { Sounds } from "../sounds";
import type { Fact } from "./types";

export const sounds: Sounds<Fact> = { omar_turned: "step", omar_walked: "dice", paid: "coins", rug_came_up: "card", laid: "cloth" };
