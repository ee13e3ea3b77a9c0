/** The questions a browser asks over HTTP. */
import type {
  AskInvitation,
  BoxChecked,
  BoxSheet,
  CallMe,
  CallMeNot,
  CheckBox,
  ForgetMe,
  Forgotten,
  HideTable,
  Invited,
  Learn,
  Lobby,
  NewTable,
  PushKey,
  Refusal,
  Seated,
  SitDown,
  TableHidden,
  TableList,
  TableMade,
} from "../lobby-protocol";
import type { Advice, Answer, Event, Told } from "../protocol";
import type { AdvisePosition, CheckPosition, PositionChecked } from "../study-protocol";
import type { FileTaken, LookDeeper, LookedBack, MyNumbers, PuzzleDay, PuzzleNow, Replay, StudyFile, TryPuzzle } from "../study-protocol";

import { announcement } from "./announcement.svelte";
import { learnLater, say } from "./words.svelte";

/** What the server said no to, with its reason. */
export class Refusing extends Error {
  constructor(
    readonly reason: Told,
    readonly status: number,
  ) {
    super(reason[0]);
  }
}

/** Why something did not work, in words: the server's, where it has refused. */
export function whyNot(error: unknown): string {
  return error instanceof Refusing ? say(error.reason) : String(error);
}

export async function lobby(): Promise<Lobby> {
  const found = await ask<Lobby>("/api/lobby");
  announcement.text = found.announcement;
  return found;
}

/** What my games add up to. */
export function myNumbers(): Promise<MyNumbers> {
  return ask("/api/me");
}

export function makeTable(wish: NewTable): Promise<TableMade> {
  return ask<TableMade>("/api/tables", wish);
}

/** Go on with my lesson in a game, or begin one. */
export function makeLesson(wish: Learn): Promise<TableMade> {
  return ask<TableMade>("/api/lessons", wish);
}

export function sitDown(table: string, wish: SitDown): Promise<Seated> {
  return ask<Seated>(`/api/tables/${table}/sit`, wish);
}

/** Whether a link still offers its seat. */
export function askInvitation(table: string, wish: AskInvitation): Promise<Invited> {
  return ask<Invited>(`/api/tables/${table}/invitation`, wish);
}

/** My tables, some at a time: those that follow after the last list's `next`. */
export function myTables(after: string): Promise<TableList> {
  return ask<TableList>(`/api/tables?after=${encodeURIComponent(after)}`);
}

/** Take a table off my list, or put it there again. */
export function hideTable(table: string, hidden: boolean): Promise<TableHidden> {
  return ask<TableHidden>(`/api/tables/${table}/hide`, { hidden } satisfies HideTable);
}

/** Have my name, and what I am known by, removed from all tables. */
export function forgetMe(): Promise<Forgotten> {
  return ask<Forgotten>("/api/forget", {} satisfies ForgetMe);
}

/** By which key push services know this server. */
export function pushKey(): Promise<PushKey> {
  return ask<PushKey>("/api/push");
}

/** Have this browser called when it is my turn. */
export function callMe(wish: CallMe): Promise<PushKey> {
  return ask<PushKey>("/api/push", wish);
}

/** Or no longer. */
export function callMeNot(endpoint: string): Promise<PushKey> {
  return ask<PushKey>("/api/push/end", { endpoint } satisfies CallMeNot);
}

/** What there is to type in of one's own box. */
export function boxSheet(game: string): Promise<BoxSheet> {
  return ask<BoxSheet>(`/api/boxes/${encodeURIComponent(game)}`);
}

/** What is wrong with a box that is being typed in. */
export function checkBox(wish: CheckBox): Promise<BoxChecked> {
  return ask<BoxChecked>("/api/boxes/check", wish);
}

/** The puzzles of a day. */
export function puzzleDay(date: string): Promise<PuzzleDay> {
  return ask<PuzzleDay>(`/api/puzzles/${encodeURIComponent(date)}`);
}

/** A puzzle after some moves. */
export function tryPuzzle(wish: TryPuzzle): Promise<PuzzleNow> {
  return ask<PuzzleNow>("/api/puzzles", wish);
}

/** Whether the last move of a try is allowed. */
export function askPuzzle(wish: TryPuzzle): Promise<Answer> {
  return ask<Answer>("/api/puzzles/ask", wish);
}

/** What a position looks like that is being set up, or what is wrong with it. */
export function checkPosition(wish: CheckPosition): Promise<PositionChecked> {
  return ask<PositionChecked>("/api/positions/check", wish);
}

/** What whoever is to move could do in a position. */
export function advisePosition(wish: AdvisePosition): Promise<Advice> {
  return ask<Advice>("/api/positions/advise", wish);
}

export function aside(table: string): Promise<Record<string, unknown>> {
  return ask(`/api/tables/${table}/aside`);
}

/** What has been found out about a game that is over; nothing of it where the page knows this version. */
export function studyOf(table: string, known: string): Promise<LookedBack> {
  return ask(`/api/tables/${table}/study?known=${known}`);
}

export function lookDeeper(table: string, wish: LookDeeper): Promise<LookedBack> {
  return ask(`/api/tables/${table}/study`, wish);
}

/** Some events of a game that is over. */
export function replayOf(table: string, first: number, end: number): Promise<Replay> {
  return ask(`/api/tables/${table}/replay?from=${first}&to=${end}`);
}

/** What would have come of another move in the place of an event. */
export function instead(table: string, step: number, move: string): Promise<Event> {
  return ask(`/api/tables/${table}/instead?step=${step}&move=${encodeURIComponent(move)}`);
}

/** Look back at a game that is in a file. */
export function takeFile(wish: StudyFile): Promise<FileTaken> {
  return ask("/api/studies", wish);
}

export function recordOf(table: string): string {
  return `/api/tables/${table}/record`;
}

/** Any question; refused ones are thrown, once there are words for why. */
export async function ask<Found>(path: string, body?: unknown): Promise<Found> {
  let answer: Response;
  try {
    answer = await fetch(
      path,
      body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
    );
  } catch {
    throw new Refusing(["ui.no_server", {}], 0);
  }
  if (answer.ok) return (await answer.json()) as Found;
  const refusal = (await answer.json().catch(() => null)) as Refusal | null;
  await learnLater();
  throw new Refusing(refusal?.reason ?? ["ui.no_server", {}], answer.status);
}
