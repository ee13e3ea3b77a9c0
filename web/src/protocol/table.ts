// Written by `python -m souk.table.typescript` from souk/table/protocol.py: change it there.

export const VERSION = 5;
export const NOBODY = -1;

export type Pace = "relaxed" | "normal" | "fast" | "instant";

/** A message as JSON: [key, values], and [key, values, places] where it is about places on the table. */
export type Told = [string, Record<string, unknown>, string[]?];

export type ClockKind = "move" | "game" | "days";

export type Flag = "stand_in" | "lose";

export type Proposed = "take_back" | "end" | "pause";

export type AwayChoice = "stand_in" | "wait" | "end";

/** What every position says, as `to_json` gives it; the game's own fields come besides. */
export interface AnyPosition {
  game: string;
  players: number;
  options: Record<string, unknown>;
  phase: string;
  turn: number | null;
}

/** The clock of a table. By the move and by days every move has so many seconds; by the game all of a seat's moves share them. */
export interface ClockTerms {
  kind: ClockKind;
  seconds: number;
  /** by the game: seconds that a seat gains with each move */
  increment?: number;
  /** when the time is up: a bot stands in, or the game is lost for that seat and a bot plays it to the end */
  flag?: Flag;
  /** the person may come back in the bot's place; never by the game, of which no time is left */
  returns?: boolean;
}

/** The first message on a socket, and again to look through another of one's seats, or at another pace. `after`: the last event already known, -1 for none. */
export interface Watch {
  do: "watch";
  version: number;
  after?: number;
  seat?: number | null;
  pace?: Pace;
}

/** Make a move. `after`: the last event that was known when it was made; refused where somebody was faster. */
export interface Move {
  do: "move";
  id: number;
  after: number;
  seat: number;
  move: string;
}

/** Whether a move would be allowed, and why not. Changes nothing. */
export interface Ask {
  do: "ask";
  id: number;
  seat: number;
  move: string;
}

/** Take one's last move back, where nothing has followed it: or, where all others are bots, nothing but what bots did about it. */
export interface TakeBack {
  do: "take_back";
  id: number;
  after: number;
  seat: number;
}

/** Let a bot of this level play for a person who is away, until they return. */
export interface StandIn {
  do: "stand_in";
  id: number;
  seat: number;
  level: string;
}

/** Begin with those who are there: bots take the seats nobody took. For whoever made the table. */
export interface Start {
  do: "start";
  id: number;
}

/** Get up from a table that has not begun: my seats are free again. */
export interface GetUp {
  do: "leave";
  id: number;
}

/** Take away a table that has not begun. For whoever made it. */
export interface Cancel {
  do: "cancel";
  id: number;
}

/** Give up a game that has begun: I cannot win any more, and bots play on for my seats, for good. */
export interface Resign {
  do: "resign";
  id: number;
}

/** Another game with the same seats, once this one is over. */
export interface Rematch {
  do: "rematch";
  id: number;
  /** to a share in its dice */
  commitment?: string;
}

/** Have a share in the dice of a table that has not begun: this is its SHA-256 digest. */
export interface Commit {
  do: "commit";
  id: number;
  seat: number;
  commitment: string;
}

/** Tell one's share, when it is its turn: 32 bytes in hexadecimal digits. */
export interface Open {
  do: "open";
  id: number;
  seat: number;
  share: string;
}

/** Ask the coach what I could do now. `after`: the last event that was known. The answer is Advice. */
export interface Hint {
  do: "hint";
  id: number;
  after: number;
  seat: number;
}

/** Ask the coach whether a move gives away more than so much of the chance to win. Nothing is told where it does not. The answer is Advice. */
export interface Weigh {
  do: "weigh";
  id: number;
  after: number;
  seat: number;
  move: string;
  threshold?: number;
}

/** Where several persons play: let a coach be asked, once all of them agree; or no longer. */
export interface Agree {
  do: "agree";
  id: number;
  seat: number;
  agrees: boolean;
}

/** Ask all other persons at the table: to let me take my last move back, to end the game with the scores as they are, or to pause it. `after`: the last event that was known. */
export interface Propose {
  do: "propose";
  id: number;
  seat: number;
  what: Proposed;
  after: number;
}

/** Agree to what is asked, or decline it; whoever has asked withdraws it by declining. */
export interface Respond {
  do: "respond";
  id: number;
  seat: number;
  /** of the proposal */
  number: number;
  agrees: boolean;
}

/** Go on with a game that is paused. */
export interface Resume {
  do: "resume";
  id: number;
  seat: number;
}

/** Play on oneself, where a bot stands in since one's time was up. */
export interface ComeBack {
  do: "come_back";
  id: number;
  seat: number;
}

/** Say what is to be done about somebody who is to move and has been away for long: what more than half of those present want is done. */
export interface DecideAway {
  do: "decide_away";
  id: number;
  /** mine */
  seat: number;
  /** the seat of whoever is away */
  about: number;
  choice: AwayChoice;
  /** of the bot that stands in */
  level?: string;
}

/** Say something to the table: one of its phrases, or a text where it has free talk. */
export interface Say {
  do: "say";
  id: number;
  seat: number;
  /** by its key */
  phrase?: string;
  text?: string;
}

/** Let the host know of something that somebody said. */
export interface ReportSaying {
  do: "report";
  id: number;
  number: number;
}

/** Whether this page is in sight: who has a table before them is not called to it. A page is, until it says otherwise. */
export interface Sight {
  do: "sight";
  id: number;
  visible: boolean;
}

/** Whether the server is still there. */
export interface Ping {
  do: "ping";
  id: number;
}

export interface SeatNow {
  name: string;
  /** "person", "bot", or "free" while a link has not been used */
  kind: string;
  /** of a bot */
  level?: string;
  /** a person who is not connected */
  away?: boolean;
  /** the level of the bot that plays for them meanwhile */
  stand_in?: string;
  /** about how many seconds until a bot can move: one that searches waits for the compiler, once */
  waking?: number;
  /** a bot that thinks for a shorter time than its level has, as many games are played at once */
  hurried?: boolean;
  /** "she" or "he", of a bot by its name; "" where nobody knows */
  gender?: string;
  /** free, for whoever opens the table's address */
  open?: boolean;
  /** its person has, and `stand_in` plays on */
  resigned?: boolean;
  /** that its person has chosen for themselves, and their colour: none of the game's */
  figure?: string;
  colour?: string;
}

/** A step of a lesson: what is said, and what it is about. */
export interface LessonPage {
  text: Told;
  /** marks such as "move left" (data-move="left"), "seat 1", "field d5 + field e5": the first that is on the page counts */
  at: string[];
  /** marks of what must stay in sight besides */
  see: string[];
  /** that is waited for; "" where it is read and passed on */
  move: string;
}

/** Where a lesson stands. Of its pages the last waits for a move, unless the lesson is over; there are none while others play. */
export interface LessonNow {
  /** steps before these */
  passed: number;
  /** in all */
  steps: number;
  pages: LessonPage[];
  over: boolean;
}

/** A position as one seat, or a spectator, may see it. */
export interface View<G extends OfGame = OfGame> {
  position: G["position"];
  actors: number[];
  /** my legal moves; the lowest few where there are very many */
  moves: string[];
  scores: number[];
  winners: number[];
  over: boolean;
  /** what the rules say about what lies on the table */
  scene: G["scene"];
  /** it holds choices that are not revealed yet */
  secret?: boolean;
  /** there are further legal moves (higher offers) */
  more?: boolean;
  can_take_back?: boolean;
  /** before its end: "agreed" by all, with "no_result", "left" as nobody else could win any more, or "called" as the round of an event was */
  ended?: string;
  /** seats that cannot win any more, as they resigned or their time was up */
  lost?: number[];
  /** what I am to do, where it is for me to move and the game has words for it */
  asked?: Told;
  lesson?: LessonNow;
}

/** An event in words, for the log. */
export interface LogLine {
  seq: number;
  /** null: dice and cards */
  seat: number | null;
  told: Told[];
  /** this event takes back the seat's last move before it */
  taken_back?: boolean;
}

/** What one person's browser gives to the dice. */
export interface ShareNow {
  seat: number;
  /** the SHA-256 digest of its share; "" while it is still to come */
  commitment: string;
  /** the server knows the share */
  opened: boolean;
  /** it was not told in time: the dice do without */
  missing: boolean;
  /** once the game is over */
  share: string;
}

/** What makes the dice provably fair: the digest of the server's share, what the persons give, and once the game is over all of it. */
export interface DicePromise {
  /** "" in a lesson, whose dice are known beforehand */
  digest: string;
  /** once the game is over */
  seed: string;
  /** the seed is made of shares; else the server alone drew it, and the digest is the seed's */
  together: boolean;
  closed: boolean;
  /** whose share is to be opened now */
  turn: number;
  shares: ShareNow[];
  /** the server's, once the game is over */
  share: string;
}

/** A die or card that came up. Of the numbers below `of`, those from `low` up to, but not including, `high` give it. */
export interface Draw {
  seq: number;
  text: string;
  low: number;
  high: number;
  of: number;
}

/** Where a table began that did not begin as its game does: after so many events of another, or, where that is "", at some position. */
export interface Branch {
  table?: string;
  step?: number;
  /** so many events before the step that was asked for: choices were hidden then, and are made anew */
  back?: number;
}

/** Where it comes from what is printed on the board or the cards of a table, which no rulebook lists. */
export interface Printed {
  /** of somebody's own box; "" for ours */
  name: string;
  /** the data file */
  text: string;
}

/** The coach of a table: who has agreed to it, where that is needed, and how often each seat was given a hint or a warning. */
export interface Coaching {
  /** it may be asked */
  open: boolean;
  /** the seats of persons: where they are several all must agree */
  persons: number[];
  agreed: number[];
  /** by seat */
  hints: number[];
}

/** The clocks of a table at the moment this is said. */
export interface ClocksNow {
  terms: ClockTerms;
  /** by seat: seconds */
  left: number[];
  /** the seats whose clocks run */
  running: number[];
}

/** Something that one person asks of the others. */
export interface ProposalNow {
  number: number;
  what: Proposed;
  /** who asks */
  seat: number;
  agreed: number[];
  /** who has still to answer, each by one seat */
  missing: number[];
  /** seconds */
  lapses_in: number;
}

/** Somebody is to move and is away: the others decide about it, from then on. */
export interface AwayNow {
  seat: number;
  /** seconds; 0 once they can */
  decide_in: number;
  /** who of those present decides, each by one seat */
  voices: number[];
  votes: Record<number, AwayChoice>;
}

/** What concerns time and agreement at a table, whenever any of it has changed. */
export interface LifeNow {
  is: "life";
  clocks: ClocksNow | null;
  paused: boolean;
  proposal: ProposalNow | null;
  away: AwayNow[];
  /** seats that a bot plays to the end, as their time was up */
  out: number[];
}

/** Something that was said at the table. */
export interface Saying {
  number: number;
  seat: number;
  /** a key, so that everybody reads it in their own language */
  phrase?: string;
  /** or words of one's own */
  text?: string;
  /** when, in seconds since 1970 */
  at?: number;
}

/** Talk at a table: what can be said, and what has been said of late. */
export interface Talking {
  /** people may write what they like */
  free: boolean;
  /** keys; those that begin with talk.face. are faces */
  phrases: string[];
  said: Saying[];
}

/** The answer to Watch: all there is to know. Told again to everybody when the game begins; before that there is no view of it. */
export interface TableNow<G extends OfGame = OfGame> {
  is: "table";
  version: number;
  table: string;
  game: string;
  /** what does not change in a game: arches, rate cards, … */
  box: G["box"] | null;
  seats: SeatNow[];
  mine: number[];
  /** through whose eyes the view is, NOBODY for a spectator's */
  seat: number;
  /** of the last event */
  seq: number;
  /** those after the number that Watch named */
  lines: LogLine[];
  view: View<G> | null;
  dice: DicePromise;
  /** the table where it goes on */
  rematch: string;
  old: boolean;
  /** null where the rulebook has it all */
  printed: Printed | null;
  /** where it began, if not as its game does */
  branch: Branch | null;
  /** null where there is none: in a lesson, at an old table */
  coach: Coaching | null;
  /** null in a lesson, at an old table, and before a game without a clock has begun */
  life: LifeNow | null;
  /** the seat of whoever made the table */
  host: number;
  /** the level of bots that take open seats which nobody took; "" for the usual */
  fill: string;
  /** null where there is nobody to talk to */
  talk: Talking | null;
  /** it counts for ratings: no coach, nothing is taken back, whoever's time is up has lost */
  rated: boolean;
  /** the event of which it is a table */
  evening: string;
  /** everybody in the lobby sees it */
  public: boolean;
}

/** The answer to Watch where today's rules cannot read what was played by others: the words that were told, without a board. Nothing follows it. */
export interface OldTable {
  is: "old";
  game: string;
  /** the version by which it was played */
  rules: number;
  names: string[];
  lines: LogLine[];
  over: boolean;
  scores: number[];
  winners: number[];
}

/** Something that other things followed at once. Nobody could move in between: what is said of it beside this is what the last event says. */
export interface Passing<G extends OfGame = OfGame> {
  seq: number;
  seat: number | null;
  move: string | null;
  told: Told[];
  facts: G["fact"][];
  /** what of the position was another then than it is in the end */
  position: Record<string, unknown>;
  scores: number[];
  /** what of the scene was so then, and is not in the end */
  scene?: G["scene"];
  taken_back?: boolean;
}

/** Something has happened. */
export interface Event<G extends OfGame = OfGame> {
  is: "event";
  seq: number;
  seat: number | null;
  /** what was played or came up; null where I may not know it */
  move: string | null;
  told: Told[];
  /** what it did: the way Omar walked, who paid whom, … */
  facts: G["fact"][];
  view: View<G>;
  /** this event takes back the seat's last move, which had this text */
  taken_back?: boolean;
  /** what happened just before it, in order: a move whose dice and cards came up at once */
  passed?: Passing<G>[];
}

/** Somebody sat down, left, came back. */
export interface Seats {
  is: "seats";
  seats: SeatNow[];
  mine: number[];
}

/** Somebody has agreed to a coach, or was given a hint. */
export interface CoachNow {
  is: "coach";
  coach: Coaching | null;
}

/** Somebody says something. */
export interface SaidAloud {
  is: "said";
  saying: Saying;
}

/** A move that the coach speaks of. */
export interface AdvisedMove {
  move: string;
  /** the chance to win; alone it says nothing */
  win: number;
  /** the final score expected */
  score: number;
  /** of a secret choice: how often to choose it */
  share: number;
  /** what it gives away of the chance to win; alone: of the score */
  loss: number;
  /** the standard error of that */
  error: number;
  /** what speaks for it, or against it */
  reasons: Told[];
  /** what it would do */
  told: Told[];
}

/** The answer to Hint and to Weigh, to whoever asked. */
export interface Advice {
  is: "advice";
  id: number;
  /** the last event before the move it is about */
  seq: number;
  /** the best first: two, or of a secret choice all that is worth choosing; none where a move is not warned of */
  moves: AdvisedMove[];
  /** the move that is warned of */
  asked: AdvisedMove | null;
  /** a secret choice: each move is to be chosen so often */
  mixed: boolean;
  exact: boolean;
  /** the first impression of a weaker bot, as the better ones are not awake yet */
  rough: boolean;
}

/** A table that has not begun: somebody's commitment or share is there, or is left out. */
export interface DiceNow {
  is: "dice";
  dice: DicePromise;
}

/** After the last event, and after TableNow where the game is over: where everybody's points came from, and all about the dice. */
export interface Result {
  is: "result";
  /** by seat: the source's name -> points */
  sources: Record<string, number>[];
  dice: DicePromise;
  draws: Draw[];
}

/** It goes on at another table; one's seats there are the same. */
export interface NextTable {
  is: "rematch";
  table: string;
}

/** Somebody who was asked to a table, by the name they had where whoever asks met them. */
export interface Invitee {
  name: string;
  state: "asked" | "declined" | "here";
}

/** To whoever made a table that has not begun: somebody was asked to it, has come, or would rather not. */
export interface InvitedNow {
  is: "invited";
  invited: Invitee[];
}

/** Somebody would like to play with me at another table, which has not begun; `again`: they want a rematch, and my seat is kept. */
export interface Wanted {
  is: "wanted";
  table: string;
  game: string;
  /** what they are called there */
  by: string;
  again: boolean;
}

/** What the host has to say to everybody; empty where that is over. */
export interface Announcement {
  is: "announcement";
  text: string;
}

/** The answer to Ping. */
export interface Pong {
  is: "pong";
  id: number;
}

/** A command was carried out, and is kept. */
export interface Done {
  is: "done";
  id: number;
  seq: number;
}

/** A command was not carried out, and nothing has changed. */
export interface Refused {
  is: "refused";
  /** null where it could not be read */
  id: number | null;
  reason: Told;
  clause: string | null;
}

/** The answer to Ask. */
export interface Answer {
  is: "answer";
  id: number;
  legal: boolean;
  reason: Told | null;
  clause: string | null;
}

/** What is a game's own in all this; its room says more about it. */
export interface OfGame {
  position: AnyPosition;
  box: object;
  scene: object;
  fact: { is: string };
}

export type Command =
  | Watch
  | Move
  | Ask
  | TakeBack
  | StandIn
  | Commit
  | Open
  | Hint
  | Weigh
  | Agree
  | Start
  | GetUp
  | Cancel
  | Resign
  | Rematch
  | Propose
  | Respond
  | Resume
  | ComeBack
  | DecideAway
  | Say
  | ReportSaying
  | Sight
  | Ping;

export type Message<G extends OfGame = OfGame> =
  | TableNow<G>
  | OldTable
  | Event<G>
  | Seats
  | DiceNow
  | CoachNow
  | LifeNow
  | SaidAloud
  | Advice
  | Result
  | NextTable
  | InvitedNow
  | Wanted
  | Done
  | Refused
  | Answer
  | Pong
  | Announcement;
