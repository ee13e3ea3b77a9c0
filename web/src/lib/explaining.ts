/** How the numbers in a part of the page explain themselves. */
import { getContext, setContext } from "svelte";

export interface Explaining {
  labelled: boolean; // a word or two stands beside each number: in a first game, and in a panel that is there to explain
  plain: boolean; // nothing can be pressed by itself, because the whole is a button that explains it all
}

const KEY = Symbol("explaining");
const EACH: Explaining = { labelled: false, plain: false };

/** Say it for everything below the component that calls this. */
export function explainBelow(how: () => Explaining): void {
  setContext(KEY, how);
}

/** How it is said where the calling component stands. */
export function explaining(): () => Explaining {
  return getContext<(() => Explaining) | undefined>(KEY) ?? (() => EACH);
}
