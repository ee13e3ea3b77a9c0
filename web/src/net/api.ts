/** HTTP requests to the server. */
import type {
  RequestInvitation,
  CustomBoxChecked,
  CustomBoxForm,
  PushSubscribe,
  PushUnsubscribe,
  CheckCustomBox,
  DeleteAccount,
  AccountDeleted,
  HideTable,
  Invited,
  StartLesson,
  Lobby,
  NewTable,
  PushKey,
  Refusal,
  SeatTaken,
  TakeSeat,
  TableHidden,
  TableList,
  TableCreated,
} from "../protocol/lobby";
import type { Advice, Answer, Event, Told } from "../protocol/table";
import type { AdvisePosition, CheckPosition, PositionChecked } from "../protocol/analysis";
import type {
  UploadAccepted,
  DeepenAnalysis,
  AnalysisStatus,
  MyStats,
  PuzzleDay,
  PuzzleNow,
  Replay,
  AnalysisUpload,
  TryPuzzle,
} from "../protocol/analysis";

import { announcement } from "../state/announcement.svelte";
import { loadLaterTexts, say } from "../i18n/translate.svelte";

/** A refusal by the server, with its reason. */
export class RequestRefused extends Error {
  constructor(
    readonly reason: Told,
    readonly status: number,
  ) {
    super(reason[0]);
  }
}

/** Why a request failed, as text: the server's reason if it refused. */
export function errorText(error: unknown): string {
  return error instanceof RequestRefused ? say(error.reason) : String(error);
}

export async function loadLobby(): Promise<Lobby> {
  const found = await ask<Lobby>("/api/lobby");
  announcement.text = found.announcement;
  return found;
}

/** Statistics of my games. */
export function loadMyStats(): Promise<MyStats> {
  return ask("/api/me");
}

export function makeTable(wish: NewTable): Promise<TableCreated> {
  return ask<TableCreated>("/api/tables", wish);
}

/** Continue my lesson in a game, or start one. */
export function startLesson(wish: StartLesson): Promise<TableCreated> {
  return ask<TableCreated>("/api/lessons", wish);
}

export function sitDown(table: string, wish: TakeSeat): Promise<SeatTaken> {
  return ask<SeatTaken>(`/api/tables/${table}/sit`, wish);
}

/** Whether an invitation link still offers its seat. */
export function checkInvitation(table: string, wish: RequestInvitation): Promise<Invited> {
  return ask<Invited>(`/api/tables/${table}/invitation`, wish);
}

/** A page of my tables, after the previous page's `next`. */
export function loadMyTables(after: string): Promise<TableList> {
  return ask<TableList>(`/api/tables?after=${encodeURIComponent(after)}`);
}

/** Hide a table from my list, or show it again. */
export function hideTable(table: string, hidden: boolean): Promise<TableHidden> {
  return ask<TableHidden>(`/api/tables/${table}/hide`, { hidden } satisfies HideTable);
}

/** Delete my account and my name at all tables. */
export function deleteAccount(): Promise<AccountDeleted> {
  return ask<AccountDeleted>("/api/forget", {} satisfies DeleteAccount);
}

/** The server's public key for push services. */
export function pushKey(): Promise<PushKey> {
  return ask<PushKey>("/api/push");
}

/** Subscribe this browser to turn notifications. */
export function subscribePush(wish: PushSubscribe): Promise<PushKey> {
  return ask<PushKey>("/api/push", wish);
}

/** Unsubscribe it. */
export function unsubscribePush(endpoint: string): Promise<PushKey> {
  return ask<PushKey>("/api/push/end", { endpoint } satisfies PushUnsubscribe);
}

/** What a custom box of a game contains. */
export function loadBoxForm(game: string): Promise<CustomBoxForm> {
  return ask<CustomBoxForm>(`/api/boxes/${encodeURIComponent(game)}`);
}

/** Validate a custom box. */
export function checkBox(wish: CheckCustomBox): Promise<CustomBoxChecked> {
  return ask<CustomBoxChecked>("/api/boxes/check", wish);
}

/** The puzzles of a day. */
export function loadPuzzleDay(date: string): Promise<PuzzleDay> {
  return ask<PuzzleDay>(`/api/puzzles/${encodeURIComponent(date)}`);
}

/** A puzzle after some moves. */
export function tryPuzzle(wish: TryPuzzle): Promise<PuzzleNow> {
  return ask<PuzzleNow>("/api/puzzles", wish);
}

/** Whether the last move of an attempt is legal. */
export function askPuzzle(wish: TryPuzzle): Promise<Answer> {
  return ask<Answer>("/api/puzzles/ask", wish);
}

/** Validate a position, with its view. */
export function checkPosition(wish: CheckPosition): Promise<PositionChecked> {
  return ask<PositionChecked>("/api/positions/check", wish);
}

/** Evaluate the moves of a position. */
export function advisePosition(wish: AdvisePosition): Promise<Advice> {
  return ask<Advice>("/api/positions/advise", wish);
}

export function aside(table: string): Promise<Record<string, unknown>> {
  return ask(`/api/tables/${table}/aside`);
}

/** The analysis of a finished game; empty if the page has this version already. */
export function loadAnalysis(table: string, known: string): Promise<AnalysisStatus> {
  return ask(`/api/tables/${table}/study?known=${known}`);
}

export function analyseDeeper(table: string, wish: DeepenAnalysis): Promise<AnalysisStatus> {
  return ask(`/api/tables/${table}/study`, wish);
}

/** Some events of a finished game. */
export function loadReplay(table: string, first: number, end: number): Promise<Replay> {
  return ask(`/api/tables/${table}/replay?from=${first}&to=${end}`);
}

/** The position after an alternative to an event's move. */
export function loadAlternative(table: string, step: number, move: string): Promise<Event> {
  return ask(`/api/tables/${table}/instead?step=${step}&move=${encodeURIComponent(move)}`);
}

/** Analyse a game from a file. */
export function uploadGame(wish: AnalysisUpload): Promise<UploadAccepted> {
  return ask("/api/studies", wish);
}

export function recordOf(table: string): string {
  return `/api/tables/${table}/record`;
}

/** Send a request; throws refusals once their texts are loaded. */
export async function ask<Found>(path: string, body?: unknown): Promise<Found> {
  let answer: Response;
  try {
    answer = await fetch(
      path,
      body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
    );
  } catch {
    throw new RequestRefused(["ui.no_server", {}], 0);
  }
  if (answer.ok) return (await answer.json()) as Found;
  const refusal = (await answer.json().catch(() => null)) as Refusal | null;
  await loadLaterTexts();
  throw new RequestRefused(refusal?.reason ?? ["ui.no_server", {}], answer.status);
}
