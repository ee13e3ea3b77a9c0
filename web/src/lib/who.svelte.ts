/** Who I am here: a name, a figure and a colour that the server keeps for me on all my devices. Asked for once everything else is there. */
import type { ChooseFace, Myself } from "../person-protocol";
import { ask, whyNot } from "./api";
import { settings } from "./settings.svelte";
import { toast } from "./toast.svelte";

type Face = Pick<Myself, "name" | "figure" | "colour">;

export const who = $state<Face>({ name: "", figure: "", colour: "" });
let known = false; // whether this browser is anybody's by now

let asked: Promise<boolean> | null = null;

/** Ask who I am, once; whether there was an answer. Without one it is asked again when it is needed. */
export function learnWho(): Promise<boolean> {
  return (asked ??= ask<Myself>("/api/person").then(
    (found) => {
      known = found.known;
      adopt(found);
      return true;
    },
    () => {
      asked = null;
      return false;
    },
  ));
}

/** From now on I am this person, here as well. */
export function adopt({ name, figure, colour }: Face): void {
  Object.assign(who, { name, figure, colour });
  if (name) settings.name = name;
}

/** Choose how I am shown; resolves with all there is to know about me. */
export async function choose(face: ChooseFace): Promise<Myself> {
  const found = await ask<Myself>("/api/person", face);
  adopt(found);
  return found;
}

/** Keep the name that was typed, for all my devices. Whoever is nobody here yet takes it along when they sit down, and nothing else may make somebody of them
 * meanwhile: they would be two. */
export async function keepName(): Promise<void> {
  const name = settings.name.trim(); // as it was typed: what the server knows may be another
  if (!known) asked = null;
  if (!(await learnWho()) || !known || name === who.name) return;
  try {
    await choose({ ...who, name });
  } catch (error) {
    toast(whyNot(error));
  }
}
