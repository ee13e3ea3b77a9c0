/**
 * Interface between the table and a game's browser package, `src/games/<game>/`.
 *
 * The only place where general message types become a game's own (`Game` in its types.ts): packages
 * are loaded by the game's name, so each receives only its own data.
 */
import type { Component } from "svelte";
import type { Answer, Event, LogLine, OfGame, SeatNow, View } from "../protocol/table";
import type { Bounds } from "./types";

export interface BoardProps<G extends OfGame = OfGame> {
  view: View<G>; // to show now
  box: G["box"]; // constant during a game
  seats: SeatNow[];
  me: number; // my seat, -1 for a spectator
  event: Event<G> | null; // led to `view`; null at first
  before: View<G> | null; // the view before it
  lines?: readonly (Pick<LogLine, "told"> | undefined)[]; // the log so far, where there is one
  busy: boolean; // no moves allowed now
  play: (move: string) => Promise<boolean>;
  ask: (move: string) => Promise<Answer>;
  why: (move: string) => void;
}

export interface PurseProps<G extends OfGame = OfGame> {
  view: View<G>;
  box: G["box"];
  seat: number;
  me: number;
  event: Event<G> | null;
  before: View<G> | null;
  brief: boolean; // phone: essentials only, a tap shows the rest
}

export interface GamePackage {
  Board: Component<BoardProps>;
  Purse: Component<PurseProps>;
  clauses: Record<string, string>; // rules clause by phase
  duration: (event: Event, before: View, view: View) => number; // ms at normal pace
  together: (event: Event, next: Event) => boolean; // whether to show two events at the same time
}

/**
 * A field for a game option that is no boolean, number or word. `choices` is the game card's data
 * for it.
 */
export interface OptionProps<Value = unknown, Choices = unknown> {
  id: string;
  choices: Choices;
  value: Value;
}
export type OptionFields = Record<string, Component<OptionProps, object, "value">>;

/** An entry of a custom box (see BoxSheet) while it is edited, drawn like the board or the card. */
export interface EntryProps {
  part: string;
  bounds: Bounds[];
  text: string;
}

/** The maximum value of an entry's field, or the maximum count. */
export function maximumOf(bounds: Bounds[], wanted: string): number {
  return bounds.find(({ name }) => name === wanted)!.most;
}

/** Controls that edit such an entry. */
export interface EditorProps extends EntryProps {
  set: (text: string) => void;
}

/** Grid positions of a section's entries (column and row from 1); the inside stays empty. */
export interface GridPosition {
  columns: number;
  rows: number;
  cells: [number, number][];
}

/** Custom box editor of a game (its `box.ts`); anything missing is edited as text. */
export interface BoxEditorSpec {
  Entry?: Component<EntryProps>;
  Editor?: Component<EditorProps>;
  inWords?: (part: string, text: string) => string;
  placing?: (part: string, upright: boolean) => GridPosition | null;
}

/** Position editor of a game (its `setup.ts`); the server validates the result. */
export interface BoardSetup {
  /** pieces to place: name and label */
  brushes: (players: number) => [string, string][];
  /** The position with that piece on a place such as "field c3"; null if it cannot go there. */
  put: (position: Record<string, unknown>, place: string, brush: string) => Record<string, unknown> | null;
}

const setups = import.meta.glob<{ setup: BoardSetup }>("./*/setup.ts");
const boards = import.meta.glob<{ default: Component<BoardProps> }>("./*/Board.svelte");
const purses = import.meta.glob<{ default: Component<PurseProps> }>("./*/Purse.svelte");
const pictures = import.meta.glob<{ default: Component<{ name: string }> }>("./*/Picture.svelte");
const motions = import.meta.glob<{ duration: GamePackage["duration"]; together?: GamePackage["together"] }>("./*/motion.ts");
const phases = import.meta.glob<{ clauses: Record<string, string> }>("./*/phases.ts");
const boxes = import.meta.glob<BoxEditorSpec>("./*/box.ts");
const options = import.meta.glob<{ fields: OptionFields }>("./*/options.ts");

const PAUSE = 500; // ms for events without a duration

/**
 * Load a game package; missing parts come from `generic/`, which plays any game with plain buttons.
 */
export async function loadGame(game: string): Promise<GamePackage> {
  const [board, purse, phase, motion] = await Promise.all([
    (boards[`./${game}/Board.svelte`] ?? boards["./generic/Board.svelte"]!)(),
    (purses[`./${game}/Purse.svelte`] ?? purses["./generic/Purse.svelte"]!)(),
    phases[`./${game}/phases.ts`]?.(),
    motions[`./${game}/motion.ts`]?.(),
  ]);
  return {
    Board: board.default,
    Purse: purse.default,
    clauses: phase?.clauses ?? {},
    duration: motion?.duration ?? (() => PAUSE),
    together: (event, next) => (isChoice(event) && isChoice(next)) || !!motion?.together?.(event, next),
  };
}

/** Nothing to watch: only a secret choice. */
function isChoice({ facts }: Event): boolean {
  return facts.length === 1 && facts[0]!.is === "chose";
}

/** The pictures of a game's rules; null if none. */
export async function loadPictures(game: string): Promise<Component<{ name: string }> | null> {
  return (await pictures[`./${game}/Picture.svelte`]?.())?.default ?? null;
}

/** A game's own option fields, by option name. */
export async function loadOptionFields(game: string): Promise<OptionFields> {
  return (await options[`./${game}/options.ts`]?.())?.fields ?? {};
}

/** A game's position editor; null if none. */
export async function loadSetup(game: string): Promise<BoardSetup | null> {
  return (await setups[`./${game}/setup.ts`]?.())?.setup ?? null;
}

/** A game's custom box editor. */
export async function loadBoxEditor(game: string): Promise<BoxEditorSpec> {
  return (await boxes[`./${game}/box.ts`]?.()) ?? {};
}
