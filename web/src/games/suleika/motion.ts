/** How long what happens can be watched, in milliseconds. */
import type { Event } from "../../protocol";
import { told } from "../facts";
import { stepsOf, type Step } from "./market";
import type { Game, Laid, OmarTurned, OmarWalked, Paid, RugCameUp } from "./types";

export const TURN = 340;
export const CARD = 950;
export const ROLL = 850;
export const STEP = 290;
export const BALCONY = 720;
export const PAY = 1500;
export const UNROLL = 700;
const REST = 140; // between one thing and the next

export function duration(event: Event<Game>): number {
  return timeOf(event) + REST;
}

function timeOf(event: Event<Game>): number {
  const [walked] = told<OmarWalked>(event, "omar_walked");
  if (walked) return ROLL + walkTime(walked) + (told<Paid>(event, "paid").length ? PAY : 250);
  if (told<OmarTurned>(event, "omar_turned").length) return TURN;
  if (told<RugCameUp>(event, "rug_came_up").length) return CARD;
  return told<Laid>(event, "laid").length ? UNROLL : 0;
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
