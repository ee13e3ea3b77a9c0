/** Maps facts to sounds (a game's `sounds.ts`). */
import type { Sound } from "../notifications/sounds";
import type { Event } from "../protocol/table";

/** By kind of fact. */
export type Sounds<Fact extends { is: string } = { is: string }> = Partial<Record<Fact["is"], Sound>>;

const rooms = import.meta.glob<{ sounds: Sounds }>("./*/sounds.ts");

/** Facts of any game. */
const ANY: Sounds = { moved: "step", came_up: "dice", chose: "step", ended: "end" };

export async function soundsOf(game: string): Promise<Sounds> {
  return { ...ANY, ...(await rooms[`./${game}/sounds.ts`]?.())?.sounds };
}

/** The sounds of an event, each once, in order. */
export function soundsFor(sounds: Sounds, event: Event): Sound[] {
  const found = event.facts.map(({ is }) => sounds[is]).filter((each) => each !== undefined);
  return [...new Set(found)];
}
