/** State of a table: the view on show, the queue of events to show, and the commands. */
import type {
  Advice,
  Answer,
  AwayChoice,
  Branch,
  Coaching,
  Command,
  DicePromise,
  Event,
  Invitee,
  LogLine,
  Message,
  OfGame,
  OldTable,
  DieShown,
  Proposed,
  Result,
  Say,
  ChatLine,
  SeatNow,
  TableNow,
  ChatSettings,
  Told,
  View,
  InvitedElsewhere,
  Watch,
} from "../protocol/table";
import { NOBODY, VERSION } from "../protocol/table";
import { announcement } from "./announcement.svelte";
import type { DiceCheck } from "../dice/verify";
import { titleOf } from "../i18n/game-titles";
import { TableTiming } from "./timing.svelte";
import { paced } from "../ui/animation/tween";
import { unpackEvents } from "../net/unpack-events";
import { motionOn, settings } from "./settings.svelte";
import { loadVerifier, keepPromise, newShare, promiseOf, shareOf } from "../dice/shares";
import { TableConnection, OTHER_VERSION } from "../net/table-connection.svelte";
import { toast } from "./toast.svelte";
import { loadCompanyTexts, say, setNames, t, whenLoaded } from "../i18n/translate.svelte";

const JUST_NOW = 60; // seconds
const STILL = 60; // ms per event without animation
const GONE = ["table.refused.cancelled", "table.refused.deleted"]; // nothing more to see here

type Duration = (event: Event, before: View, view: View) => number;
type Together = (event: Event, next: Event) => boolean;

export class Table {
  game = $state("");
  box = $state.raw<OfGame["box"]>({});
  printed = $state.raw<DieShown | null>(null); // game data of unprinted origin
  seats = $state.raw<SeatNow[]>([]);
  names = $state.raw<string[]>([]); // by seat, as others see them
  mine = $state.raw<number[]>([]);
  seat = $state(NOBODY); // the seat whose view is shown
  view = $state.raw<View | null>(null);
  event = $state.raw<Event | null>(null);
  before = $state.raw<View | null>(null);
  lines = $state.raw<LogLine[]>([]);
  pointSources = $state.raw<Record<string, number>[] | null>(null);
  dice = $state.raw<DicePromise>({ digest: "", seed: "", together: false, closed: false, turn: NOBODY, shares: [], share: "" });
  isPromiseBroken = $state(false); // the server changed its dice promise
  diceCheck = $state.raw<DiceCheck | null>(null); // result of the dice check
  branch = $state.raw<Branch | null>(null); // where it began, if it is a branch
  coach = $state.raw<Coaching | null>(null); // whether the coach is available; null without one
  timing = new TableTiming(); // clocks and proposals
  chat = $state.raw<ChatSettings | null>(null); // chat; null if there is nobody to talk to
  rematchTable = $state(""); // table of the rematch
  host = $state(NOBODY); // seat of the player who made the table
  eventId = $state(""); // id of the event it belongs to
  public = $state(false); // listed in the public lobby
  invited = $state.raw<Invitee[]>([]); // invited players and their answers
  fill = $state(""); // level of the bots that take seats left open
  rated = $state(false); // counts for ratings
  fault = $state(""); // why nothing can be shown
  old = $state(false); // played by older rules: view only
  oldTable = $state.raw<OldTable | null>(null); // even older: only text is left
  outdated = $state(false); // this page is older than the server and must be reloaded

  isAnimating = $state(false);
  behind = $state(0); // events waiting to be shown
  hint = $state.raw<Told | null>(null); // in a lesson: why the last move was wrong
  confirmedSeat = $state<number | null>(null); // the seat on this device that confirmed "it is me"
  duration: Duration = () => 400;
  together: Together = () => false;

  #connection: TableConnection;
  #queue: Event[] = [];
  #received = $state(-1); // number of the last event received
  #confirmed = $state(-1); // number of the last event made by our command
  #sending = $state(0);
  #choosing = $state(false); // everything before the secret choices has been shown
  #wish = $state<number | null>(null); // the seat whose view was requested
  #endPause: (() => void) | null = null;
  #giving = false; // sending our dice share or its commitment
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  #cameUp = new Map<number, string>(); // dice and cards seen, by event

  constructor(readonly id: string) {
    this.#connection = new TableConnection(id, {
      watch: () => this.#watch(),
      hear: (message) => this.#hear(message),
      after: (command, now) => this.#afterBreak(command, now),
      end: (code) => (this.outdated = code === OTHER_VERSION),
    });
  }

  close(): void {
    this.timing.close();
    this.#connection.close();
  }

  get connection(): "opening" | "open" | "lost" {
    return this.#connection.silent ? "lost" : this.#connection.state;
  }

  /** No commands now: one is pending, or an event is being shown. */
  get busy(): boolean {
    return (
      this.timing.paused ||
      this.isAnimating ||
      this.#sending > 0 ||
      this.#received < this.#confirmed ||
      this.connection !== "open" ||
      this.#switching
    );
  }

  get #switching(): boolean {
    return this.#wish !== null && this.#wish !== this.seat;
  }

  /** The game has not begun. */
  get waiting(): boolean {
    return this.game !== "" && this.view === null;
  }

  /** A lesson: its dice are fixed, so there is no dice promise. */
  get isLesson(): boolean {
    return this.game !== "" && this.dice.digest === "";
  }

  /** Whether I may start or cancel the table. */
  get isHost(): boolean {
    return this.host === NOBODY ? this.mine.length > 0 : this.mine.includes(this.host);
  }

  /** The number of seats open to anyone with the address. */
  get openSeats(): number {
    return this.seats.filter((seat) => seat.open).length;
  }

  /** The seat's player is gone. */
  isDeserted(seat: SeatNow): boolean {
    return (seat.kind === "free" || (seat.kind === "person" && !!seat.away)) && !seat.stand_in;
  }

  /** Seats on this device that are to move. */
  get due(): number[] {
    return this.view?.actors.filter((seat) => this.mine.includes(seat)) ?? [];
  }

  get myTurn(): boolean {
    return this.due.length > 0;
  }

  /** Secret choices are being made. */
  get secret(): boolean {
    return !!this.view?.secret || (this.view?.actors.length ?? 0) > 1;
  }

  /** The seat that must take the device before anything more is shown, or null. */
  get passTo(): number | null {
    if (this.mine.length < 2 || !this.#choosing || !this.secret || !this.due.length) return null;
    return this.due.includes(this.confirmedSeat ?? NOBODY) ? null : this.due[0]!;
  }

  /** The player of a seat confirmed "it is me". */
  confirmSeat(seat: number): void {
    this.confirmedSeat = seat;
    this.#lookThrough(seat);
  }

  async play(move: string): Promise<boolean> {
    if (this.busy) return false;
    return this.#command({ do: "move", after: this.#received, seat: this.seat, move });
  }

  /** Tell the server how fast bots should move here. */
  sendPace(): void {
    if (this.connection === "open") this.#connection.watchAgain();
  }

  /** People on other devices play too and must be asked. */
  get hasOtherPeople(): boolean {
    return this.seats.some((seat, number) => seat.kind === "person" && !seat.stand_in && !this.mine.includes(number));
  }

  takeBack(): Promise<boolean> {
    if (this.hasOtherPeople && !this.view?.secret) return this.propose("take_back");
    return this.#command({ do: "take_back", after: this.#received, seat: this.seat });
  }

  standIn(seat: number, level: string): Promise<boolean> {
    return this.#command({ do: "stand_in", seat, level });
  }

  /** Propose something to the others. */
  propose(what: Proposed): Promise<boolean> {
    return this.#command({ do: "propose", seat: what === "take_back" ? this.seat : this.#ownSeat, what, after: this.#received });
  }

  /** Answer a proposal for a seat of mine. */
  respond(seat: number, agrees: boolean): Promise<boolean> {
    return this.#command({ do: "respond", seat, number: this.timing.proposal?.number ?? 0, agrees });
  }

  /** Resume after a pause. */
  resume(): Promise<boolean> {
    return this.#command({ do: "resume", seat: this.#ownSeat });
  }

  /** Take my seat back from the substitute bot. */
  replaceBot(seat: number): Promise<boolean> {
    return this.#command({ do: "replace_bot", seat });
  }

  /** Decide about an absent player. */
  voteOnAbsence(seat: number, about: number, choice: AwayChoice, level: string): Promise<boolean> {
    return this.#command({ do: "vote_on_absence", seat, about, choice, level });
  }

  get #ownSeat(): number {
    return this.mine.includes(this.seat) ? this.seat : (this.mine[0] ?? NOBODY);
  }

  /** Start the game with those present. */
  start(): Promise<boolean> {
    return this.#command({ do: "start_game" });
  }

  /** Leave before the game begins. The dice promise was for this seat's next player. */
  async leave(): Promise<boolean> {
    const done = await this.#command({ do: "leave_table" });
    if (done) keepPromise(this.id, { ...promiseOf(this.id, this.dice), mine: "" });
    return done;
  }

  /** Cancel the table before the game begins. */
  cancel(): Promise<boolean> {
    return this.#command({ do: "cancel_table" });
  }

  /** Resign; bots play on. */
  resign(): Promise<boolean> {
    return this.#command({ do: "resign" });
  }

  async rematch(): Promise<boolean> {
    return this.#command({ do: "rematch", commitment: await newShare() });
  }

  async ask(move: string): Promise<Answer> {
    const reply = await this.#connection.send({ do: "check_legality", seat: this.seat, move });
    if (reply.is === "answer") return reply;
    const refused = reply.is === "refused" ? reply : null;
    return { is: "answer", id: reply.id ?? 0, legal: false, reason: refused?.reason ?? null, clause: refused?.clause ?? null };
  }

  /** The coach's advice; null (with a note) if there is none. */
  askCoach(): Promise<Advice | null> {
    return this.#advice({ do: "hint", after: this.#received, seat: this.seat });
  }

  /** The coach's verdict on a move; null if there is none. */
  checkMove(move: string, threshold: number): Promise<Advice | null> {
    return this.#advice({ do: "check_move", after: this.#received, seat: this.seat, move, threshold });
  }

  /** Agree or disagree to coaching at a table with several people. */
  agree(seat: number, agrees: boolean): Promise<boolean> {
    return this.#command({ do: "consent_to_coach", seat, agrees });
  }

  /** Send a chat message: a phrase by its key, or free text. */
  say(saying: { phrase: string } | { text: string }): Promise<boolean> {
    const seat = this.mine.includes(this.seat) ? this.seat : this.mine[0]!;
    return this.#command({ do: "say", seat, phrase: "", text: "", ...saying });
  }

  /** Report a chat message to the host. */
  report(number: number): Promise<boolean> {
    return this.#command({ do: "report_chat", number });
  }

  /** Tell the server whether this page is visible; if not, it sends turn notifications. */
  async setVisible(visible: boolean): Promise<void> {
    await this.#connection.send({ do: "page_visibility", visible });
  }

  async #advice(question: Parameters<TableConnection["send"]>[0]): Promise<Advice | null> {
    const reply = await this.#connection.send(question);
    if (reply.is === "refused") this.#explain(reply.reason, reply.clause);
    return reply.is === "advice" ? reply : null;
  }

  /** Explain why a move is illegal. */
  async explainMove(move: string): Promise<void> {
    const answer = await this.ask(move);
    if (!answer.legal && answer.reason) this.#explain(answer.reason, answer.clause);
  }

  /** Show a refusal; in a lesson as a hint. */
  #explain(reason: Told, clause: string | null): void {
    whenLoaded(reason, () => {
      if (this.view?.lesson) this.hint = reason;
      else toast(say(reason), clause);
    });
  }

  /** Skip the queue and show the current state. */
  skipToEnd(): void {
    const last = this.#queue.at(-1);
    if (last) {
      for (const event of this.#queue) this.#log(event);
      this.#queue = [];
      this.behind = 0;
      this.#set(last.view, null, null);
    }
    this.#endPause?.();
  }

  async #command(command: Parameters<TableConnection["send"]>[0]): Promise<boolean> {
    this.#sending += 1;
    try {
      const reply = await this.#connection.send(command);
      if (reply.is === "done") this.#confirmed = Math.max(this.#confirmed, reply.seq);
      if (reply.is === "refused") this.#explain(reply.reason, reply.clause);
      return reply.is === "done";
    } finally {
      this.#sending -= 1;
    }
  }

  #watch(): Watch {
    const seat = this.#wish ?? (this.mine.includes(this.seat) ? this.seat : null);
    return { do: "watch", version: VERSION, after: this.#received, seat, pace: settings.pace };
  }

  #hear(message: Message): void {
    switch (message.is) {
      case "table":
        return this.#adopt(message);
      case "old":
        this.oldTable = message;
        return setNames(message.names);
      case "event":
        return this.#receive(message);
      case "seats":
        return this.#seatsNow(message.seats, message.mine);
      case "dice":
        return this.#diceNow(message.dice);
      case "result":
        this.pointSources = message.sources;
        this.dice = message.dice;
        return void this.#check(message);
      case "announcement":
        announcement.text = message.text;
        return;
      case "timing":
        return this.timing.take(message);
      case "coach":
        this.coach = message.coach;
        return;
      case "chat_message":
        if (this.chat) this.chat = { ...this.chat, said: [...this.chat.said, message.saying] };
        return;
      case "rematch_ready":
        this.rematchTable = message.table;
        return;
      case "invited":
        this.invited = message.invited;
        return;
      case "invited_elsewhere":
        return void this.#asked(message);
      case "refused":
        if (message.id === null) this.#refusedAloud(message.reason);
    }
  }

  /** An invitation to another table. */
  async #asked({ table, game, by, again }: InvitedElsewhere): Promise<void> {
    await loadCompanyTexts();
    toast(t(again ? "meet.wanted_again" : "meet.wanted", { by: by || t("meet.somebody"), game: titleOf(game) }), "", `/t/${table}`);
  }

  #refusedAloud(reason: Answer["reason"]): void {
    if (!reason) return;
    whenLoaded(reason, () => {
      if (this.game && !GONE.includes(reason[0])) toast(say(reason));
      else this.fault = say(reason);
    });
  }

  #adopt(now: TableNow): void {
    const begins = this.waiting && now.view !== null;
    this.game = now.game;
    this.rematchTable = now.rematch;
    this.old = now.old;
    this.branch = now.branch;
    this.coach = now.coach;
    this.timing.take(now.life);
    this.host = now.host;
    this.fill = now.fill;
    this.rated = now.rated;
    this.eventId = now.event;
    this.public = now.public;
    this.chat = now.talk;
    this.#seatsNow(now.seats, now.mine);
    this.seat = now.seat;
    this.#diceNow(now.dice);
    if (!now.view) return;
    if (begins) this.#sayWhoIsMissing();
    this.box = now.box ?? {};
    this.printed = now.printed;
    this.lines = inOrder([...this.lines, ...this.#queue.map(lineOf), ...now.lines]);
    this.#queue = [];
    this.behind = 0;
    this.#received = now.seq;
    this.#wish = null;
    this.#set(now.view, null, null);
    this.#endPause?.();
    this.#takeSeat();
  }

  #seatsNow(seats: SeatNow[], mine: number[]): void {
    this.#sayWhoCame(seats, mine);
    // Unnamed players are "guest" in the page's language, whatever the server stored.
    const guest = mine.length === 1 && !settings.name.trim() ? mine[0] : NOBODY;
    this.seats = seats.map((seat, number) => (number === guest ? { ...seat, name: t("settings.guest") } : seat));
    this.names = seats.map(({ name }) => name);
    this.mine = mine;
    // several players on one device are all called by name
    const you = mine.length === 1 ? mine[0]! : null;
    setNames(
      this.seats.map((seat) => seat.name),
      you,
      seats.map((seat) => seat.gender ?? ""),
    );
  }

  /** Before the game, announce players who sat down or left. */
  #sayWhoCame(seats: SeatNow[], mine: number[]): void {
    if (this.view || !this.mine.length) return;
    this.seats.forEach((before, number) => {
      const now = seats[number];
      if (!now || mine.includes(number) || this.mine.includes(number)) return;
      if (before.kind === "free" && now.kind === "person") toast(t("join.came", { name: now.name }));
      if (before.kind === "person" && now.kind === "free") toast(t("join.went", { name: before.name }));
    });
  }

  #diceNow(dice: DicePromise): void {
    this.dice = dice;
    if (this.isLesson) return;
    const promised = promiseOf(this.id, dice);
    const mine = dice.shares.find(({ seat, commitment }) => this.mine.includes(seat) && shareOf(commitment));
    if (mine && !promised.mine) keepPromise(this.id, { ...promised, mine: mine.commitment });
    if (promised.digest !== dice.digest) this.#distrust();
    else if (dice.together && this.mine.length && !this.#giving) void this.#giveShare();
  }

  #distrust(): void {
    if (!this.isPromiseBroken) toast(t("fair.broken"));
    this.isPromiseBroken = true;
  }

  /** Before the game: commit to a dice share, and reveal it when due. */
  async #giveShare(): Promise<void> {
    this.#giving = true;
    let known: DicePromise | null = null;
    while (known !== this.dice) {
      known = this.dice; // again if something changed meanwhile
      const mine = known.shares.filter(({ seat }) => this.mine.includes(seat));
      if (known.closed) await this.#tellShare(mine.find(({ seat }) => seat === this.dice.turn)?.commitment ?? "");
      else if (!mine.some(({ commitment }) => commitment)) await this.#promiseShare(mine[0]?.seat ?? this.mine[0]!);
    }
    this.#giving = false;
  }

  async #promiseShare(seat: number): Promise<void> {
    await this.#connection.send({ do: "commit_share", seat, commitment: await newShare() });
  }

  /**
   * Store what we were shown first, to compare it at the end. Other devices reveal their own
   * shares.
   */
  async #tellShare(commitment: string): Promise<void> {
    const share = shareOf(commitment);
    if (!share) return;
    const listed = this.dice.shares.map((each): [number, string] => [each.seat, each.commitment]);
    const promised = { ...promiseOf(this.id, this.dice), listed };
    keepPromise(this.id, promised);
    const reply = await this.#connection.send({ do: "reveal_share", seat: this.dice.turn, share });
    if (reply.is === "done") keepPromise(this.id, { ...promised, told: true });
    else if (reply.is === "refused") this.#explain(reply.reason, reply.clause);
  }

  #sayWhoIsMissing(): void {
    const missing = this.dice.shares.filter((share) => share.missing).map(({ seat }) => ({ seat }));
    if (missing.length) toast(t("fair.without", { names: { all: missing } }));
  }

  /** The game is over and the dice data complete: verify it. */
  async #check({ dice, draws }: Result): Promise<void> {
    const { checkDice } = await loadVerifier();
    this.diceCheck = checkDice(this.id, dice, draws, promiseOf(this.id, dice), this.#cameUp);
  }

  #receive(last: Event): void {
    for (const event of unpackEvents(last)) this.#receiveOne(event);
    if (this.#queue.length && !this.isAnimating) void this.#show();
  }

  #receiveOne(event: Event): void {
    if (event.seq <= this.#received) return;
    if (event.seat === null && event.move !== null) this.#cameUp.set(event.seq, event.move);
    this.#received = event.seq;
    this.#queue.push(event);
    this.behind = this.#queue.length;
  }

  /** Show the queued events one by one. */
  async #show(): Promise<void> {
    this.isAnimating = true;
    for (let event = this.#next(); event; event = this.#next()) {
      this.behind = this.#queue.length;
      const before = this.view!;
      this.#set(event.view, event, before);
      await this.#pause(this.#time(event, before));
    }
    this.isAnimating = false;
    this.#takeSeat();
  }

  /** Take the next event; simultaneous ones are merged. */
  #next(): Event | undefined {
    let event = this.#queue.shift();
    if (event) this.#log(event);
    while (event && this.#queue[0] && this.together(event, this.#queue[0])) {
      const next = this.#queue.shift()!;
      this.#log(next);
      event = { ...next, told: [...event.told, ...next.told], facts: [...event.facts, ...next.facts] };
    }
    return event;
  }

  #time(event: Event, before: View): number {
    if (document.hidden || settings.pace === "instant") return 0;
    return motionOn() ? paced(this.duration(event, before, event.view)) : STILL;
  }

  #pause(time: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, time);
      this.#endPause = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  #log(event: Event): void {
    this.lines = [...this.lines, lineOf(event)];
  }

  #set(view: View, event: Event | null, before: View | null): void {
    this.before = before;
    this.event = event;
    this.view = view;
    this.hint = null;
    if (this.secret) return;
    this.confirmedSeat = null;
    this.#choosing = false;
  }

  /** Several players on one device: show the view of the one to move. */
  #takeSeat(): void {
    if (this.mine.length < 2 || !this.view || this.view.over) return;
    const due = this.due;
    if (this.secret) {
      this.#choosing = true;
      // Nobody here is to choose: hide what was chosen.
      if (!due.length) this.#lookThrough(NOBODY);
      return;
    }
    if (due.length && !due.includes(this.seat)) this.#lookThrough(due[0]!);
    else if (!this.mine.includes(this.seat)) this.#lookThrough(this.mine[0]!);
  }

  #lookThrough(seat: number): void {
    if (seat === this.seat) return;
    this.#wish = seat;
    this.#connection.watchAgain();
  }

  /**
   * After a reconnect: was the pending command carried out? Its event would be among the missed
   * ones.
   */
  #afterBreak(command: Command, now: TableNow): "done" | "late" | Exclude<Command, Watch> {
    if (command.do === "watch") return "done";
    if (command.do === "propose" && this.mine.includes(now.life?.proposal?.seat ?? NOBODY)) return "done";
    if (command.do === "propose" && command.what === "take_back" && now.seq > command.after) return "late";
    if (command.do === "respond" && now.life?.proposal?.number !== command.number) return "done";
    if (command.do === "resume" && !now.life?.paused) return "done";
    if ((command.do === "leave_table" || command.do === "resign") && !now.mine.length) return "done";
    if (command.do === "start_game" && now.dice.closed) return "done";
    if (command.do === "say" && now.talk?.said.some((each) => isSame(command, each))) return "done";
    if (command.do !== "move" && command.do !== "take_back") return command;
    const mineSince = now.lines.some((line) => line.seat === command.seat && line.seq > command.after);
    if (mineSince) return "done";
    if (command.do === "move" && now.seq > command.after && now.view?.moves.includes(command.move)) return { ...command, after: now.seq };
    return now.seq > command.after ? "late" : command;
  }
}

/** Whether a chat message was just sent. */
function isSame(command: Say, { seat, phrase, text, at }: ChatLine): boolean {
  const same = command.seat === seat && command.phrase === (phrase ?? "") && command.text === (text ?? "");
  return same && Date.now() / 1000 - (at ?? 0) < JUST_NOW;
}

function lineOf(event: Event): LogLine {
  return { seq: event.seq, seat: event.seat, told: event.told, taken_back: event.taken_back };
}

/** Lines by number, without duplicates. */
function inOrder(lines: LogLine[]): LogLine[] {
  const once = new Map(lines.map((line) => [line.seq, line]));
  return [...once.values()].sort((a, b) => a.seq - b.seq);
}
