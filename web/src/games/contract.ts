/** What a game's room in the browser has to offer, and how it is found: `src/games/<game>/`.
 *
 * Here what a table says meets the types of the game that is played there. Everywhere else in the house they are those of any game; a room
 * is found by the game's name, so all that it is given is that game's own (`Game` in its types.ts). */
import type { Component } from "svelte";
import type { Answer, Event, OfGame, SeatNow, View } from "../protocol";
import type { Bounds } from "./types";

export interface BoardProps<G extends OfGame = OfGame> {
  view: View<G>; // what is to be shown now
  box: G["box"]; // what does not change in a game
  seats: SeatNow[];
  me: number; // my seat, -1 for a spectator
  event: Event<G> | null; // what led to `view`; null at first
  before: View<G> | null; // the view before it
  busy: boolean; // nothing may be done now
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
  brief: boolean; // on a phone: only what one looks at all the time, the rest is a tap away
}

export interface Room {
  Board: Component<BoardProps>;
  Purse: Component<PurseProps>;
  clauses: Record<string, string>; // by phase: where the rules speak of it
  duration: (event: Event, before: View, view: View) => number; // ms, at a normal pace
  together: (event: Event, next: Event) => boolean; // what happens at the same time is shown at the same time
}

/** A field for an option of a game that is more than yes or no, a number or a word. `choices` are what the game's card has of it. */
export interface OptionProps<Value = unknown, Choices = unknown> {
  id: string;
  choices: Choices;
  value: Value;
}
export type OptionFields = Record<string, Component<OptionProps, object, "value">>;

/** An entry of one's own box (see BoxSheet), as far as it is typed in, as the board or the card looks. */
export interface EntryProps {
  part: string;
  bounds: Bounds[];
  text: string;
}

/** The most that something in an entry may be, or as often as it may be there. */
export function mostOf(bounds: Bounds[], wanted: string): number {
  return bounds.find(({ name }) => name === wanted)!.most;
}

/** Buttons that change such an entry. */
export interface EditorProps extends EntryProps {
  set: (text: string) => void;
}

/** Where the entries of a part lie, where that is not one after the other: columns and rows, each entry's counted from 1. What is inside is free. */
export interface Placing {
  columns: number;
  rows: number;
  cells: [number, number][];
}

/** How one's own box is typed in: `box.ts` of a game's room. What is missing is done as text. */
export interface BoxLook {
  Entry?: Component<EntryProps>;
  Editor?: Component<EditorProps>;
  inWords?: (part: string, text: string) => string;
  placing?: (part: string, upright: boolean) => Placing | null;
}

/** How a position is set up by pressing places on the board: `setup.ts` of a game's room. Whether it can be, the server says. */
export interface BoardSetup {
  /** What can be put onto the board: a name, and how it is called. */
  brushes: (players: number) => [string, string][];
  /** A position with that put onto a place such as "field c3"; null where it does not go there. */
  put: (position: Record<string, unknown>, place: string, brush: string) => Record<string, unknown> | null;
}

const setups = import.meta.glob<{ setup: BoardSetup }>("./*/setup.ts");
const boards = import.meta.glob<{ default: Component<BoardProps> }>("./*/Board.svelte");
const purses = import.meta.glob<{ default: Component<PurseProps> }>("./*/Purse.svelte");
const pictures = import.meta.glob<{ default: Component<{ name: string }> }>("./*/Picture.svelte");
const motions = import.meta.glob<{ duration: Room["duration"]; together?: Room["together"] }>("./*/motion.ts");
const phases = import.meta.glob<{ clauses: Record<string, string> }>("./*/phases.ts");
const boxes = import.meta.glob<BoxLook>("./*/box.ts");
const options = import.meta.glob<{ fields: OptionFields }>("./*/options.ts");

const PAUSE = 500; // ms for an event of a game that says nothing about it

/** Fetch a game's room; what it lacks is taken from `any/`, which can play every game with plain buttons. */
export async function enter(game: string): Promise<Room> {
  const [board, purse, phase, motion] = await Promise.all([
    (boards[`./${game}/Board.svelte`] ?? boards["./any/Board.svelte"]!)(),
    (purses[`./${game}/Purse.svelte`] ?? purses["./any/Purse.svelte"]!)(),
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

/** Somebody chose in secret: that is all there is to see. */
function isChoice({ facts }: Event): boolean {
  return facts.length === 1 && facts[0]!.is === "chose";
}

/** Fetch the pictures of a game's rules; null where it has none. */
export async function picturesOf(game: string): Promise<Component<{ name: string }> | null> {
  return (await pictures[`./${game}/Picture.svelte`]?.())?.default ?? null;
}

/** Fetch the fields that a game has for its own options, by the options' names. */
export async function optionFields(game: string): Promise<OptionFields> {
  return (await options[`./${game}/options.ts`]?.())?.fields ?? {};
}

/** Fetch how a position is set up on a game's board; null where it has no such way. */
export async function setupOf(game: string): Promise<BoardSetup | null> {
  return (await setups[`./${game}/setup.ts`]?.())?.setup ?? null;
}

/** Fetch how one's own box of a game is typed in. */
export async function boxLook(game: string): Promise<BoxLook> {
  return (await boxes[`./${game}/box.ts`]?.()) ?? {};
}
