/** How ExplainedNumbers below a component behave. */
import { getContext, setContext } from "svelte";

export interface NumberStyle {
  labelled: boolean; // numbers have labels: in a first game, and in detail panels
  plain: boolean; // numbers are not buttons, because their container explains all of them
}

const KEY = Symbol("explaining");
const EACH: NumberStyle = { labelled: false, plain: false };

/** Set it for everything below the calling component. */
export function setNumberStyle(how: () => NumberStyle): void {
  setContext(KEY, how);
}

/** The setting for the calling component. */
export function getNumberStyle(): () => NumberStyle {
  return getContext<(() => NumberStyle) | undefined>(KEY) ?? (() => EACH);
}
