/**
 * Pictures and backgrounds from souk/drawing. Pictures are in a hidden sprite: `<use
 * href="#art-gem-red" />` draws one.
 */

// Pictures of one kind of game come with it: see `appendPictures`; the awnings come with Bazaar's board.
const files = import.meta.glob<string>(["$art/*.svg", "!$art/action-*.svg", "!$art/disc-*.svg"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const groundFiles = import.meta.glob<string>(["$art/grounds/*.svg", "!$art/grounds/awning-*.svg"], {
  query: "?raw",
  import: "default",
  eager: true,
});

const sizes = new Map<string, [number, number]>();
const grounds = new Map<string, string>();

/** Width and height of a picture in its own units. */
export function sizeOf(name: string): [number, number] {
  return sizes.get(name) ?? [64, 64];
}

/** A game's picture, or a default. */
export function pictureOf(game: string): string {
  return sizes.has(`picture-${game}`) ? `picture-${game}` : "souk";
}

/** A picture in a box, to fill a background's placeholder. */
export function pictureInBox(name: string, x: number, y: number, width: number, height: number): string {
  return `<use href="#art-${name}" x="${x}" y="${y}" width="${width}" height="${height}" />`;
}

/**
 * SVG content of a background with placeholders such as `{way}` filled, or `{width-4}` with an
 * amount subtracted.
 */
export function background(name: string, holes: Record<string, string | number> = {}): string {
  return grounds.get(name)!.replace(/\{(\w+)(?:-([\d.]+))?\}/g, (_, hole: string, less?: string) => {
    const value = holes[hole]!;
    return String(typeof value === "number" ? value - Number(less ?? 0) : value);
  });
}

/** Append the sprite and shared definitions to the page; call once, before anything is drawn. */
export function appendSprite(): void {
  const symbols = Object.entries(files).map(([path, text]) => symbol(nameOf(path), text));
  const kept = Object.entries(groundFiles).map(([path, text]) => unfold(nameOf(path), text));
  append([...symbols, ...kept].join(""));
}

/** Add pictures that come with their games instead of the first page; call before they are drawn. */
export function appendPictures(more: Record<string, string>): void {
  append(
    Object.entries(more)
      .map(([path, text]) => symbol(nameOf(path), text))
      .join(""),
  );
}

/** Add the definitions of a place, a scene that comes with its game. */
export function appendPlace(name: string, text: string): void {
  append(unfold(name, text));
}

/** Add definitions to the page. */
function append(content: string): void {
  const holder = document.createElement("div");
  // display: none would disable the gradients.
  holder.className = "visually-hidden";
  holder.setAttribute("aria-hidden", "true");
  holder.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0">${content}</svg>`;
  document.body.append(holder);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -4);
}

/** An SVG file's content and view box. */
function inside(text: string): [string, string] {
  const open = text.indexOf(">");
  const box = /viewBox="([^"]*)"/.exec(text.slice(0, open))?.[1] ?? "0 0 64 64";
  return [text.slice(open + 1, text.lastIndexOf("</svg>")), box];
}

function symbol(name: string, text: string): string {
  const [shapes, box] = inside(text);
  const [, , width = 64, height = 64] = box.split(/[\s,]+/).map(Number);
  sizes.set(name, [width, height]);
  return `<symbol id="art-${name}" viewBox="${box}">${shapes}</symbol>`;
}

/** Keep the shapes of a background; returns the definitions they refer to. */
function unfold(name: string, text: string): string {
  const [all] = inside(text);
  const end = all.includes("</defs>") ? all.indexOf("</defs>") + "</defs>".length : 0;
  grounds.set(name, all.slice(end).replace(/\s*\n\s*/g, ""));
  return all.slice(0, end);
}
