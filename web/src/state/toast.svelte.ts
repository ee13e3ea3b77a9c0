/** Short notes at the edge of the page: why something is not allowed, what has happened to the connection. */

export interface Note {
  id: number;
  text: string;
  clause: string;
  to: string; // where it leads
}

const TIME = 6500;
const TIME_TO_GO = 30_000; // where it leads somewhere
const MOST = 3;

let notes = $state.raw<Note[]>([]);
let last = 0;

export function toasts(): Note[] {
  return notes;
}

/** Show a note, with the clause of the rules that it rests on, or with the way to where it leads. */
export function toast(text: string, clause: string | null = "", to = ""): void {
  const note = { id: ++last, text, clause: clause ?? "", to };
  notes = [...notes.filter((each) => each.text !== text), note].slice(-MOST);
  setTimeout(() => dismiss(note.id), to ? TIME_TO_GO : TIME);
}

export function dismiss(id: number): void {
  notes = notes.filter((each) => each.id !== id);
}
