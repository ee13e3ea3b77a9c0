/** How long what happens can be watched, in milliseconds. */
import type { Event } from "../../protocol";
import { stepsOf, type Step } from "./market";
import { shownOf, type Shown } from "./scene";

export const TURN = 340;
export const CARD = 950;
export const ROLL = 850;
export const STEP = 290;
export const BALCONY = 720;
export const PAY = 1500;
export const UNROLL = 700;
const REST = 140; // between one thing and the next

export function duration(event: Event): number {
  return timeOf(shownOf(event)) + REST;
}

function timeOf(shown: Shown): number {
  if (shown.way) return ROLL + walkTime(shown) + (shown.payment ? PAY : 250);
  if (shown.faces) return TURN;
  if (shown.up) return CARD;
  return shown.rug ? UNROLL : 0;
}

export function walkTime(shown: Shown): number {
  return walkOf(shown).reduce((sum, step) => sum + stepTime(step), 0);
}

export function stepTime(step: Step): number {
  return step.round ? BALCONY : STEP;
}

export function walkOf(shown: Shown): Step[] {
  return shown.way ? stepsOf(shown.from!, shown.faces!, shown.way) : [];
}
