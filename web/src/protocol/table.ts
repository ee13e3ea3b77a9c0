// Written by `python -m souk.server.protocol.typescript` from souk/server/protocol/table.py: change it there.

export const VERSION = 5;
export const NOBODY = -1;

export type Pace = "relaxed" | "normal" | "fast" | "instant";

/** A message as JSON: [key, values] or [key, values, places], with places on the table. */
export type Told = [string, Record<string, unknown>, string[]?];

export type ClockKind = "move" | "game" | "days";

export type Flag = "stand_in" | "lose";

export type Proposed = "take_back" | "end" | "pause";

export type AwayChoice = "stand_in" | "wait" | "end";

/** The fields that all positions have, as `to_json` gives them; each game adds its own. */
export interface AnyPosition {
  game: string;
  players: number;
  options: Record<string, unknown>;
  phase: string;
  turn: number | null;
}

/** The clock of a table. "move" and "days" give every move so many seconds; with "game" all moves of a seat share them. */
export interface ClockTerms {
  kind: ClockKind;
  seconds: number;
  /** "game": seconds that a seat gains with each move */
  increment?: number;
  /** when time is up: a bot stands in, or the seat loses and a bot plays it to the end */
  flag?: Flag;
  /** whether the person may take over from the bot again; never with "game" */
  returns?: boolean;
}

/** The first message on a socket, sent again to look through another seat or at another pace. `after`: the last known event, or -1. */
export interface Watch {
  do: "watch";
  version: number;
  after?: number;
  seat?: number | null;
  pace?: Pace;
}

/** Make a move. `after`: the last event known when it was made; the move is refused if there is a newer one. */
export interface Move {
  do: "move";
  id: number;
  seat: number;
  after: number;
  move: string;
}

/** Ask whether a move is legal, and why not. Changes nothing. */
export interface CheckLegality {
  do: "check_legality";
  id: number;
  seat: number;
  move: string;
}

/** Take back my last move, if nothing followed it or only moves of bots. */
export interface TakeBack {
  do: "take_back";
  id: number;
  seat: number;
  after: number;
}

/** Let a bot of this level play for an absent person until they return. */
export interface StandIn {
  do: "stand_in";
  id: number;
  seat: number;
  level: string;
}

/** Start the game without waiting for more people: bots take the free seats. For the host. */
export interface StartGame {
  do: "start_game";
  id: number;
}

/** Leave a table before its game begins: my seats become free. */
export interface LeaveTable {
  do: "leave_table";
  id: number;
}

/** Delete a table before its game begins. For the host. */
export interface CancelTable {
  do: "cancel_table";
  id: number;
}

/** Resign: I can no longer win, and bots play my seats to the end. */
export interface Resign {
  do: "resign";
  id: number;
}

/** Start another game with the same seats, once this one is over. */
export interface Rematch {
  do: "rematch";
  id: number;
  /** to a share in its dice */
  commitment?: string;
}

/** Commit to a share of the dice, by its digest. */
export interface CommitShare {
  do: "commit_share";
  id: number;
  seat: number;
  commitment: string;
}

/** Tell one's share, when it is its turn: 32 bytes in hexadecimal digits. */
export interface RevealShare {
  do: "reveal_share";
  id: number;
  seat: number;
  share: string;
}

/** Ask the coach for a move. `after`: the last known event. The answer is Advice. */
export interface Hint {
  do: "hint";
  id: number;
  seat: number;
  after: number;
}

/** Ask the coach whether a move loses more than `threshold` of the chance to win. The answer is Advice, which is empty if it does not. */
export interface CheckMove {
  do: "check_move";
  id: number;
  seat: number;
  after: number;
  move: string;
  threshold?: number;
}

/** Agree or disagree to a coach, which may be asked once all persons agree. */
export interface ConsentToCoach {
  do: "consent_to_coach";
  id: number;
  seat: number;
  agrees: boolean;
}

/** Ask all other persons to let me take back my last move, to end the game with the present scores, or to pause it. `after`: the last known event. */
export interface Propose {
  do: "propose";
  id: number;
  seat: number;
  what: Proposed;
  after: number;
}

/** Agree to a proposal or decline it; its proposer withdraws it by declining. */
export interface Respond {
  do: "respond";
  id: number;
  seat: number;
  /** of the proposal */
  number: number;
  agrees: boolean;
}

/** Resume a paused game. */
export interface Resume {
  do: "resume";
  id: number;
  seat: number;
}

/** Play again after a bot took over because my time was up. */
export interface ReplaceBot {
  do: "replace_bot";
  id: number;
  seat: number;
}

/** Vote on a person who has to move and has been away for long; a majority of those present decides. */
export interface VoteOnAbsence {
  do: "vote_on_absence";
  id: number;
  seat: number;
  /** the seat of the absent person */
  about: number;
  choice: AwayChoice;
  /** of the bot that stands in */
  level?: string;
}

/** Say one of the phrases, or a text if the table has free chat. */
export interface Say {
  do: "say";
  id: number;
  seat: number;
  /** by its key */
  phrase?: string;
  text?: string;
}

/** Report a chat line to the host. */
export interface ReportChat {
  do: "report_chat";
  id: number;
  /** of the line */
  number: number;
}

/** Whether this page is visible; people who see the table get no push notification. Pages start as visible. */
export interface PageVisibility {
  do: "page_visibility";
  id: number;
  visible: boolean;
}

/** Ask whether the server is alive. */
export interface Ping {
  do: "ping";
  id: number;
}

export interface SeatNow {
  name: string;
  /** "person", "bot", or "free" while nobody has taken it */
  kind: string;
  /** of a bot */
  level?: string;
  /** a person without an open page */
  away?: boolean;
  /** level of the bot that plays for an absent person */
  stand_in?: string;
  /** estimated seconds until a searching bot is compiled */
  waking?: number;
  /** a bot that has less time than its level allows, as many games are played at once */
  hurried?: boolean;
  /** "she" or "he" for a bot, by its name; "" if unknown */
  gender?: string;
  /** free for anybody with the address of the table */
  open?: boolean;
  /** its person has resigned, and `stand_in` plays on */
  resigned?: boolean;
  /** chosen by the person, like the colour; not a piece of the game */
  figure?: string;
  colour?: string;
}

/** A step of a lesson: its text and what it points at. */
export interface LessonPage {
  text: Told;
  /** targets such as "move left" (data-move="left"), "seat 1" or "field d5 + field e5"; the first one present counts */
  at: string[];
  /** targets that must stay visible as well */
  see: string[];
  /** the move that is expected; "" if the page is only read */
  move: string;
}

/** The progress of a lesson. The last page waits for a move unless the lesson is over; there are no pages while others play. */
export interface LessonNow {
  /** steps before these */
  passed: number;
  /** in all */
  steps: number;
  pages: LessonPage[];
  over: boolean;
}

/** A position as a seat or a spectator may see it. */
export interface View<G extends OfGame = OfGame> {
  position: G["position"];
  actors: number[];
  /** my legal moves; only the lowest if there are very many */
  moves: string[];
  scores: number[];
  winners: number[];
  over: boolean;
  /** what the rules say about the things on the table */
  scene: G["scene"];
  /** it contains unrevealed choices */
  secret?: boolean;
  /** there are further legal moves (higher offers) */
  more?: boolean;
  /** other persons are asked first, unless it is an unrevealed choice */
  can_take_back?: boolean;
  /** early end: "agreed" by all, "no_result", "left" as only one player remained, or "called" when the round of an event ended */
  ended?: string;
  /** seats that can no longer win, as they resigned or ran out of time */
  lost?: number[];
  /** what I have to do, if it is my turn and the game has words for it */
  asked?: Told;
  /** in a lesson, whose dice and other moves are scripted */
  lesson?: LessonNow;
}

/** An event in words. */
export interface LogLine {
  seq: number;
  /** null: dice and cards */
  seat: number | null;
  told: Told[];
  /** this event takes back the seat's last move */
  taken_back?: boolean;
}

/** One person's share of the dice. */
export interface ShareNow {
  seat: number;
  /** SHA-256 digest of the share; "" until it arrives */
  commitment: string;
  /** the server knows the share */
  opened: boolean;
  /** not revealed in time; the dice do without it */
  missing: boolean;
  /** once the game is over */
  share: string;
}

/** What makes the dice provably fair: the digest of the server's share and the persons' shares; everything once the game is over. */
export interface DicePromise {
  /** "" in a lesson, whose dice are scripted */
  digest: string;
  /** once the game is over */
  seed: string;
  /** the seed is made of shares; otherwise the server alone drew it, and the digest is that of the seed */
  together: boolean;
  /** no more commitments; shares are revealed in the order of the list */
  closed: boolean;
  /** whose share is to be revealed now */
  turn: number;
  shares: ShareNow[];
  /** the server's, once the game is over */
  share: string;
}

/** A die or card that came up. Of the numbers below `of`, those in `low` ≤ n < `high` give it. */
export interface Draw {
  seq: number;
  text: string;
  low: number;
  high: number;
  of: number;
}

/** The origin of a table with a start position of its own: after some events of another table, or, if `table` is "", a position. */
export interface Branch {
  table?: string;
  step?: number;
  /** number of events skipped before the requested step, to begin before hidden choices */
  back?: number;
}

/** The printed board or cards of a table, which no rulebook lists. */
export interface DieShown {
  /** of a custom box; '' for ours */
  name: string;
  /** the data file */
  text: string;
}

/** The coach of a table: who has agreed to it, and how many hints and warnings each seat has had. */
export interface Coaching {
  /** it may be asked */
  open: boolean;
  /** seats of persons; if there are several, all must agree */
  persons: number[];
  agreed: number[];
  /** by seat */
  hints: number[];
}

/** The clocks of a table at this moment. */
export interface ClocksNow {
  terms: ClockTerms;
  /** by seat: seconds */
  left: number[];
  /** the seats whose clocks run */
  running: number[];
}

/** A proposal of one person to the others. */
export interface ProposalNow {
  number: number;
  what: Proposed;
  /** who asks */
  seat: number;
  agreed: number[];
  /** who has not answered yet, one seat each */
  missing: number[];
  /** seconds */
  lapses_in: number;
}

/** A person who has to move and is away; the others decide about it. */
export interface AwayNow {
  seat: number;
  /** seconds until the others can decide; 0 if they can */
  decide_in: number;
  /** who decides, one seat each */
  voices: number[];
  votes: Record<number, AwayChoice>;
}

/** Clocks, proposals and absences, whenever any of it changes. */
export interface TimingNow {
  is: "timing";
  clocks: ClocksNow | null;
  paused: boolean;
  proposal: ProposalNow | null;
  away: AwayNow[];
  /** seats that a bot plays to the end, as their time was up */
  out: number[];
}

/** A line of chat. */
export interface ChatLine {
  number: number;
  seat: number;
  /** a key, shown in the language of the reader */
  phrase?: string;
  /** or free text */
  text?: string;
  /** when, in seconds since 1970 */
  at?: number;
  /** of the speaker at that time, as seats may change hands */
  name?: string;
}

/** The chat of a table. */
export interface ChatSettings {
  /** people may write free text */
  free: boolean;
  /** keys; those that begin with talk.face. are faces */
  phrases: string[];
  /** recent lines */
  said: ChatLine[];
}

/** The answer to Watch, with everything. Sent again to all when the game begins; before that there is no view. */
export interface TableNow<G extends OfGame = OfGame> {
  is: "table";
  version: number;
  table: string;
  game: string;
  /** what never changes in a game: arches, rate cards, … */
  box: G["box"] | null;
  seats: SeatNow[];
  mine: number[];
  /** the seat of the view, NOBODY for a spectator's */
  seat: number;
  /** of the last event */
  seq: number;
  /** those after the event that Watch named */
  lines: LogLine[];
  view: View<G> | null;
  dice: DicePromise;
  /** the table of the rematch */
  rematch: string;
  /** played by older rules: shown as to a spectator */
  old: boolean;
  /** null if the rulebook has it all */
  printed: DieShown | null;
  /** its origin, if it has a start position of its own */
  branch: Branch | null;
  /** null if there is none: in lessons and at old tables */
  coach: Coaching | null;
  /** null in lessons, at old tables, and before a game without a clock has begun */
  life: TimingNow | null;
  /** seat of the host */
  host: number;
  /** level of the bots that take open seats; "" for the default */
  fill: string;
  /** null if there is nobody to talk to */
  talk: ChatSettings | null;
  /** counts for ratings: no coach, no take-backs, running out of time loses */
  rated: boolean;
  /** the event it belongs to */
  event: string;
  /** listed in the lobby */
  public: boolean;
}

/** The answer to Watch for a game by older rules that cannot be replayed: only its log, and nothing follows. */
export interface OldTable {
  is: "old";
  game: string;
  /** the version it was played by */
  rules: number;
  names: string[];
  lines: LogLine[];
  over: boolean;
  scores: number[];
  winners: number[];
}

/** An event that others followed at once, as the difference to the last of them. Nobody could move in between. */
export interface BriefView<G extends OfGame = OfGame> {
  seq: number;
  seat: number | null;
  move: string | null;
  told: Told[];
  facts: G["fact"][];
  /** fields of the position that differ from the final one */
  position: Record<string, unknown>;
  scores: number[];
  /** parts of the scene that differ from the final one */
  scene?: G["scene"];
  taken_back?: boolean;
}

/** Something has happened. */
export interface Event<G extends OfGame = OfGame> {
  is: "event";
  seq: number;
  seat: number | null;
  /** what was played or came up; null if I may not know it */
  move: string | null;
  told: Told[];
  /** its effects: how Omar walked, who paid whom, … */
  facts: G["fact"][];
  view: View<G>;
  /** this event takes back the seat's last move, which had this text */
  taken_back?: boolean;
  /** events just before it, in order: a move whose dice and cards came up at once */
  passed?: BriefView<G>[];
}

/** Somebody sat down, left or came back. */
export interface Seats {
  is: "seats";
  seats: SeatNow[];
  mine: number[];
}

/** Consent to the coach or the number of hints has changed. */
export interface CoachNow {
  is: "coach";
  coach: Coaching | null;
}

/** A new line of chat. */
export interface ChatMessage {
  is: "chat_message";
  saying: ChatLine;
}

/** The one sentence about a decision; its places are drawn on the board. Hint, warning, analysis and puzzle speak alike; the numbers stand behind a fold. */
export interface Spoken {
  /** null: no reason holds */
  sentence?: Told;
  /** a second reason, of another cause */
  further?: Told;
  /** the moves compared are equally good */
  equal?: boolean;
  /** of the reason */
  key?: string;
}

/** A move as the coach judges it. */
export interface AdvisedMove {
  move: string;
  /** in a few words; its places are where it goes */
  name: Told;
  /** the chance to win; meaningless alone */
  win: number;
  /** the final score expected */
  score: number;
  /** of a secret choice: how often to make it */
  share: number;
  /** what it gives away of the chance to win; alone, of the score */
  loss: number;
  /** the standard error of that */
  error: number;
  /** numbers about it */
  reasons: Told[];
  /** its effects */
  told: Told[];
}

/** The answer to Hint and CheckMove. */
export interface Advice {
  is: "advice";
  id: number;
  /** the last event before the move */
  seq: number;
  /** best first: two, or for a secret choice all worth making; none if a move gets no warning */
  moves: AdvisedMove[];
  /** the move that is warned of */
  asked: AdvisedMove | null;
  /** a secret choice: each move has its share */
  mixed: boolean;
  exact: boolean;
  /** by a weaker bot, as the better ones are not ready yet */
  rough: boolean;
  /** why the first move is better than the next, or the one asked */
  spoken: Spoken | null;
}

/** A commitment or share has arrived or was left out, before the game begins. */
export interface DiceNow {
  is: "dice";
  dice: DicePromise;
}

/** After the last event, or after TableNow of a finished game: the sources of everybody's points, and all about the dice. */
export interface Result {
  is: "result";
  /** by seat: points by source */
  sources: Record<string, number>[];
  dice: DicePromise;
  draws: Draw[];
}

/** The rematch is at another table, with the same seats. */
export interface RematchReady {
  is: "rematch_ready";
  table: string;
}

/** A person invited to a table, by the name they had where the inviter met them. */
export interface Invitee {
  name: string;
  state: "asked" | "declined" | "here";
}

/** To the host of a table that has not begun: somebody was invited, has come, or declined. */
export interface InvitedNow {
  is: "invited";
  invited: Invitee[];
}

/** Somebody wants to play with me at another table; `again`: a rematch, where my seat is reserved. */
export interface InvitedElsewhere {
  is: "invited_elsewhere";
  table: string;
  game: string;
  /** their name at that table */
  by: string;
  again: boolean;
}

/** The host's announcement to everybody; empty when it is over. */
export interface Announcement {
  is: "announcement";
  text: string;
}

/** The answer to Ping. */
export interface Pong {
  is: "pong";
  id: number;
}

/** A command was carried out and stored. */
export interface Done {
  is: "done";
  id: number;
  seq: number;
}

/** A command was refused and has changed nothing. */
export interface Refused {
  is: "refused";
  /** null if the command could not be read */
  id: number | null;
  reason: Told;
  clause: string | null;
}

/** The answer to CheckLegality. */
export interface Answer {
  is: "answer";
  id: number;
  legal: boolean;
  reason: Told | null;
  clause: string | null;
}

/** The types that each game defines. */
export interface OfGame {
  position: AnyPosition;
  box: object;
  scene: object;
  fact: { is: string };
}

export type Command =
  | Watch
  | Move
  | CheckLegality
  | TakeBack
  | StandIn
  | CommitShare
  | RevealShare
  | Hint
  | CheckMove
  | ConsentToCoach
  | StartGame
  | LeaveTable
  | CancelTable
  | Resign
  | Rematch
  | PageVisibility
  | Ping
  | Propose
  | Respond
  | Resume
  | ReplaceBot
  | VoteOnAbsence
  | Say
  | ReportChat;

export type Message<G extends OfGame = OfGame> =
  | TableNow<G>
  | OldTable
  | Event<G>
  | Seats
  | DiceNow
  | TimingNow
  | Result
  | CoachNow
  | Advice
  | ChatMessage
  | RematchReady
  | InvitedNow
  | InvitedElsewhere
  | Done
  | Refused
  | Answer
  | Pong
  | Announcement;
