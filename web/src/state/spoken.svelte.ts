/**
 * What the voice draws on the board while it speaks: where the better move goes, and what its
 * reason is about. One drawing at a time, so no two ever touch.
 */
import type { AdvisedMove, Spoken, Told } from "../protocol/table";
import { placesOf } from "./highlight.svelte";

export interface Drawing {
  move: string; // the better move
  to: string[]; // places where it goes, such as "field c3"
  about: string[]; // places that the reason speaks of
}

/** `byBoard`: the board draws it in its own manner. */
export const spoken = $state<{ drawing: Drawing | null; byBoard: boolean }>({ drawing: null, byBoard: false });

/** The drawing for a better move; none where moves are equally good, as none of them is marked. */
export function drawingOf(move: string, name: Told | undefined, said: Spoken | null): Drawing | null {
  if (said?.equal) return null;
  const to = placesOf(name?.length ? [name] : []);
  const about = placesOf(said?.sentence ? [said.sentence] : []).filter((place) => !to.includes(place));
  return { move, to, about };
}

/** The drawing for a hint or a warning: its first move. */
export function drawingOfAdvice(moves: AdvisedMove[], said: Spoken | null): Drawing | null {
  const best = moves[0];
  return best ? drawingOf(best.move, best.name, said) : null;
}
