/** The pictures of souk/games/art as one hidden sprite: `<use href="#art-gem-red" />` draws one. */

const files = import.meta.glob<string>("../../../souk/games/art/*.svg", { query: "?raw", import: "default", eager: true });

const sizes = new Map<string, [number, number]>();

/** Width and height of a picture, in the units it is drawn in. */
export function sizeOf(name: string): [number, number] {
  return sizes.get(name) ?? [64, 64];
}

/** The picture of a game; of one that has none, the house's. */
export function pictureOf(game: string): string {
  return sizes.has(`picture-${game}`) ? `picture-${game}` : "souk";
}

/** Put the sprite at the end of the page; once, before anything is drawn. */
export function hangSprite(): void {
  const symbols = Object.entries(files).map(([path, text]) => symbol(path.slice(path.lastIndexOf("/") + 1, -4), text));
  const holder = document.createElement("div");
  // Not display: none, which would take the gradients with it.
  holder.className = "visually-hidden";
  holder.setAttribute("aria-hidden", "true");
  holder.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0">${symbols.join("")}</svg>`;
  document.body.append(holder);
}

function symbol(name: string, text: string): string {
  const begin = text.indexOf("<svg");
  const open = text.indexOf(">", begin);
  const box = /viewBox="([^"]*)"/.exec(text.slice(begin, open))?.[1] ?? "0 0 64 64";
  const [, , width = 64, height = 64] = box.split(/[\s,]+/).map(Number);
  sizes.set(name, [width, height]);
  return `<symbol id="art-${name}" viewBox="${box}">${text.slice(open + 1, text.lastIndexOf("</svg>"))}</symbol>`;
}
