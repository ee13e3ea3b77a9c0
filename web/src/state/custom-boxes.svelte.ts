/** Custom boxes in the browser's storage, several per game. */
import type { BoxPart } from "../games/types";

export interface OwnBox {
  id: string;
  name: string;
  text: string; // the data file as typed
  ready: string; // the server's canonical form if playable, else ""
}

const KEPT = "souk-boxes";
const MOST = 20; // per game

const boxes = $state<{ all: Record<string, OwnBox[]>; kept: boolean }>({ all: read(), kept: true });

addEventListener("storage", (change) => {
  if (change.key === KEPT) boxes.all = read(); // changed in another tab
});

export function boxesOf(game: string): OwnBox[] {
  return boxes.all[game] ?? [];
}

/** Whether this browser has storage. */
export function hasStorage(): boolean {
  return boxes.kept;
}

/** Store a box, replacing its previous version. */
export function storeBox(game: string, box: OwnBox): void {
  const others = boxesOf(game);
  const is = others.some(({ id }) => id === box.id);
  boxes.all[game] = is ? others.map((each) => (each.id === box.id ? { ...box } : each)) : [...others, { ...box }].slice(-MOST);
  write();
}

export function removeBox(game: string, id: string): void {
  boxes.all[game] = boxesOf(game).filter((each) => each.id !== id);
  write();
}

export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A data file in TOML. */
export function toToml(about: string, parts: BoxPart[], entries: Record<string, string[]>): string {
  const lists = parts.map(({ key, row }) => {
    const texts = (entries[key] ?? []).map((text) => JSON.stringify(text));
    const few = row || 7;
    const lines = Array.from({ length: Math.ceil(texts.length / few) }, (_, k) => texts.slice(k * few, (k + 1) * few).join(", "));
    return `${key} = [\n${lines.map((line) => (row ? ` [${line}],\n` : ` ${line},\n`)).join("")}]\n`;
  });
  return `about = ${JSON.stringify(about)}\n${lists.join("")}`;
}

/** Download a box as a file. */
export function downloadBox(game: string, name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  link.download = `${[game, name]
    .join(" ")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")}.toml`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function read(): Record<string, OwnBox[]> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Record<string, OwnBox[]>;
  } catch {
    return {};
  }
}

function write(): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(boxes.all));
    boxes.kept = true;
  } catch {
    boxes.kept = false;
  }
}
