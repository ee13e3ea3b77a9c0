/**
 * Texts of a game in the lobby and at tables. A game without texts of its own shows the names in
 * its rules.
 */
import { hasText, t } from "./translate.svelte";

export function titleOf(game: string): string {
  return textOf(game, "title", humanise(game));
}

/** A game's own text, or the general one. */
export function textOf(game: string, key: string, otherwise = ""): string {
  return hasText(`${game}.${key}`) ? t(`${game}.${key}`) : otherwise;
}

/**
 * The name of a field, an option or a source of points: the game's, else the general one, else the
 * identifier.
 */
export function nameOf(game: string, kind: string, name: string): string {
  return textOf(game, `${kind}.${name}`, textOf("any", `name.${name}`, humanise(name)));
}

/** "double_purchase" as "Double purchase". */
export function humanise(name: string): string {
  const words = name.replaceAll(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
