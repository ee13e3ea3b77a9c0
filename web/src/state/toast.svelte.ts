/** Short notes at the edge of the page: refusals, connection problems. */

export interface Note {
  id: number;
  text: string;
  clause: string;
  to: string; // link target
}

const TIME = 6500;
const TIME_TO_GO = 30_000; // ms for notes with a link
const MOST = 3;

let notes = $state.raw<Note[]>([]);
let last = 0;

export function toasts(): Note[] {
  return notes;
}

/** Show a note, with a rules clause or a link. */
export function toast(text: string, clause: string | null = "", to = ""): void {
  const note = { id: ++last, text, clause: clause ?? "", to };
  notes = [...notes.filter((each) => each.text !== text), note].slice(-MOST);
  setTimeout(() => dismiss(note.id), to ? TIME_TO_GO : TIME);
}

export function dismiss(id: number): void {
  notes = notes.filter((each) => each.id !== id);
}
