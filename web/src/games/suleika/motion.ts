/** Animation times of Suleika, in ms. */
import type { Event } from "../../protocol/table";
import { factsOf } from "../facts";
import { stepsOf, type Step } from "./board/market";
import type { Game, Laid, OmarTurned, OmarWalked, Paid, RugCameUp } from "./types";

export const TURN = 340;
export const CARD = 950;
export const ROLL = 850;
export const STEP = 290;
export const BALCONY = 720;
export const PAY = 1500;
export const UNROLL = 700;
const REST = 140; // between two events

export function duration(event: Event<Game>): number {
  return timeOf(event) + REST;
}

function timeOf(event: Event<Game>): number {
  const [walked] = factsOf<OmarWalked>(event, "omar_walked");
  if (walked) return ROLL + walkTime(walked) + (factsOf<Paid>(event, "paid").length ? PAY : 250);
  if (factsOf<OmarTurned>(event, "omar_turned").length) return TURN;
  if (factsOf<RugCameUp>(event, "rug_came_up").length) return CARD;
  return factsOf<Laid>(event, "laid").length ? UNROLL : 0;
}

export function walkTime(walked: OmarWalked): number {
  return walkOf(walked).reduce((sum, step) => sum + stepTime(step), 0);
}

export function stepTime(step: Step): number {
  return step.round ? BALCONY : STEP;
}

export function walkOf({ start, faces, way }: OmarWalked): Step[] {
  return stepsOf(start, faces, way);
}
