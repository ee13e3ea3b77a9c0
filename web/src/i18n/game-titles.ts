/** What is said of a game in the lobby and at its tables. One that brings no texts of its own goes by its names in the rules. */
import { known, t } from "./words.svelte";

export function titleOf(game: string): string {
  return textOf(game, "title", plain(game));
}

/** A text of a game's own, or what is said where it has none. */
export function textOf(game: string, key: string, otherwise = ""): string {
  return known(`${game}.${key}`) ? t(`${game}.${key}`) : otherwise;
}

/** What a field, an option or a source of points is called: by the game, else by the house, else as the rules do. */
export function nameOf(game: string, kind: string, name: string): string {
  return textOf(game, `${kind}.${name}`, textOf("any", `name.${name}`, plain(name)));
}

/** A name of the rules as a person would write it: "double_purchase" is "Double purchase". */
export function plain(name: string): string {
  const words = name.replaceAll(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
