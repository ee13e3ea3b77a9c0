/** What is to be heard of what happens: by the facts that a game's board is drawn from (`sounds.ts` of its room). */
import type { Sound } from "../company/sounds";
import type { Event } from "../protocol";

/** By kind of fact. */
export type Sounds<Fact extends { is: string } = { is: string }> = Partial<Record<Fact["is"], Sound>>;

const rooms = import.meta.glob<{ sounds: Sounds }>("./*/sounds.ts");

/** Facts that every game may tell. */
const ANY: Sounds = { moved: "step", came_up: "dice", chose: "step", ended: "end" };

export async function soundsOf(game: string): Promise<Sounds> {
  return { ...ANY, ...(await rooms[`./${game}/sounds.ts`]?.())?.sounds };
}

/** What is heard of an event, each once, in order. */
export function heardOf(sounds: Sounds, event: Event): Sound[] {
  const found = event.facts.map(({ is }) => sounds[is]).filter((each) => each !== undefined);
  return [...new Set(found)];
}
