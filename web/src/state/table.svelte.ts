/** A table as this browser knows it: what is shown now, what is still to be shown, and what can be asked of it. */
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
  Printed,
  Proposed,
  Result,
  Say,
  Saying,
  SeatNow,
  TableNow,
  Talking,
  Told,
  View,
  Wanted,
  Watch,
} from "../protocol";
import { NOBODY, VERSION } from "../protocol";
import { announcement } from "./announcement.svelte";
import type { Found } from "./dice";
import { titleOf } from "./games";
import { Life } from "./life.svelte";
import { paced } from "./moving";
import { stepsTo } from "./passing";
import { motionOn, settings } from "./settings.svelte";
import { dice as diceLogic, keepPromise, newShare, promiseOf, shareOf } from "./shares";
import { Connection, OTHER_VERSION } from "./socket.svelte";
import { toast } from "./toast.svelte";
import { learnCompany, say, setNames, t, whenKnown } from "./words.svelte";

const JUST_NOW = 60; // seconds
const STILL = 60; // ms an event takes with motion off
const GONE = ["table.refused.cancelled", "table.refused.deleted"]; // there is nothing more to see here

type Duration = (event: Event, before: View, view: View) => number;
type Together = (event: Event, next: Event) => boolean;

export class Table {
  game = $state("");
  box = $state.raw<OfGame["box"]>({});
  printed = $state.raw<Printed | null>(null); // where it comes from what no rulebook prints
  seats = $state.raw<SeatNow[]>([]);
  mine = $state.raw<number[]>([]);
  seat = $state(NOBODY); // through whose eyes
  view = $state.raw<View | null>(null);
  event = $state.raw<Event | null>(null);
  before = $state.raw<View | null>(null);
  lines = $state.raw<LogLine[]>([]);
  sources = $state.raw<Record<string, number>[] | null>(null);
  dice = $state.raw<DicePromise>({ digest: "", seed: "", together: false, closed: false, turn: NOBODY, shares: [], share: "" });
  broken = $state(false); // the server has promised something else about its dice before
  found = $state.raw<Found | null>(null); // what came of checking the dice
  branch = $state.raw<Branch | null>(null); // where it began, if not as its game does
  coach = $state.raw<Coaching | null>(null); // whether it may be asked; null where there is none
  life = new Life(); // its clocks, and what is asked
  talk = $state.raw<Talking | null>(null); // what is said; null where there is nobody to talk to
  next = $state(""); // the table of the rematch
  host = $state(NOBODY); // the seat of whoever made the table
  evening = $state(""); // the event of which it is a table
  public = $state(false); // everybody in the lobby sees this table
  invited = $state.raw<Invitee[]>([]); // whom I have asked to it, and what they said
  fill = $state(""); // the level of bots that take open seats which nobody took
  rated = $state(false); // it counts for ratings
  fault = $state(""); // why there is nothing to see
  old = $state(false); // it was played by other rules than today's, and can only be looked at
  relic = $state.raw<OldTable | null>(null); // or not even that: then there are only words
  outdated = $state(false); // this page is older than the server: it has to be loaded again

  showing = $state(false);
  behind = $state(0); // events that wait to be shown
  hint = $state.raw<Told | null>(null); // in a lesson: why the last move was not the right one
  unveiled = $state<number | null>(null); // who of this device said "it is me" at the curtain
  duration: Duration = () => 400;
  together: Together = () => false;

  #connection: Connection;
  #queue: Event[] = [];
  #received = $state(-1); // number of the last event that has come
  #confirmed = $state(-1); // and of the last that a command of ours made
  #sending = $state(0);
  #choosing = $state(false); // all that led to the secret choices has been shown
  #wish = $state<number | null>(null); // the seat we asked to look through
  #endPause: (() => void) | null = null;
  #giving = false; // our share in the dice, or the promise of one
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  #cameUp = new Map<number, string>(); // dice and cards that were seen to

  constructor(readonly id: string) {
    this.#connection = new Connection(id, {
      watch: () => this.#watch(),
      hear: (message) => this.#hear(message),
      after: (command, now) => this.#afterBreak(command, now),
      end: (code) => (this.outdated = code === OTHER_VERSION),
    });
  }

  close(): void {
    this.life.close();
    this.#connection.close();
  }

  get connection(): "opening" | "open" | "lost" {
    return this.#connection.state;
  }

  /** A command is under way, or something is still being shown: nothing may be done. */
  get busy(): boolean {
    return (
      this.life.paused ||
      this.showing ||
      this.#sending > 0 ||
      this.#received < this.#confirmed ||
      this.connection !== "open" ||
      this.#switching
    );
  }

  get #switching(): boolean {
    return this.#wish !== null && this.#wish !== this.seat;
  }

  /** The table is there, and the game has not begun. */
  get waiting(): boolean {
    return this.game !== "" && this.view === null;
  }

  /** A lesson, whose dice are known beforehand: nothing is promised of them. */
  get known(): boolean {
    return this.game !== "" && this.dice.digest === "";
  }

  /** Whether I may begin without the others, or take the table away. */
  get isHost(): boolean {
    return this.host === NOBODY ? this.mine.length > 0 : this.mine.includes(this.host);
  }

  /** How many seats are free for whoever opens the address. */
  get openSeats(): number {
    return this.seats.filter((seat) => seat.open).length;
  }

  /** Nobody is there to play for a seat. */
  isDeserted(seat: SeatNow): boolean {
    return (seat.kind === "free" || (seat.kind === "person" && !!seat.away)) && !seat.stand_in;
  }

  /** Seats of this device that are to move now. */
  get due(): number[] {
    return this.view?.actors.filter((seat) => this.mine.includes(seat)) ?? [];
  }

  get myTurn(): boolean {
    return this.due.length > 0;
  }

  /** Choices are being made that others must not see. */
  get secret(): boolean {
    return !!this.view?.secret || (this.view?.actors.length ?? 0) > 1;
  }

  /** Who is to take the device before anything more is shown, or null. */
  get curtain(): number | null {
    if (this.mine.length < 2 || !this.#choosing || !this.secret || !this.due.length) return null;
    return this.due.includes(this.unveiled ?? NOBODY) ? null : this.due[0]!;
  }

  /** "It is me": the curtain opens for a seat. */
  unveil(seat: number): void {
    this.unveiled = seat;
    this.#lookThrough(seat);
  }

  async play(move: string): Promise<boolean> {
    if (this.busy) return false;
    return this.#command({ do: "move", after: this.#received, seat: this.seat, move });
  }

  /** Tell the server at which pace bots are to move here. */
  keepPace(): void {
    if (this.connection === "open") this.#connection.watchAgain();
  }

  /** Other persons play here, on other devices: they have to be asked. */
  get hasCompany(): boolean {
    return this.seats.some((seat, number) => seat.kind === "person" && !seat.stand_in && !this.mine.includes(number));
  }

  takeBack(): Promise<boolean> {
    if (this.hasCompany && !this.view?.secret) return this.propose("take_back");
    return this.#command({ do: "take_back", after: this.#received, seat: this.seat });
  }

  standIn(seat: number, level: string): Promise<boolean> {
    return this.#command({ do: "stand_in", seat, level });
  }

  /** Ask the others for something. */
  propose(what: Proposed): Promise<boolean> {
    return this.#command({ do: "propose", seat: what === "take_back" ? this.seat : this.#ownSeat, what, after: this.#received });
  }

  /** Answer what is asked, by a seat of mine. */
  respond(seat: number, agrees: boolean): Promise<boolean> {
    return this.#command({ do: "respond", seat, number: this.life.proposal?.number ?? 0, agrees });
  }

  /** Go on after a pause. */
  resume(): Promise<boolean> {
    return this.#command({ do: "resume", seat: this.#ownSeat });
  }

  /** Play on in the place of the bot that stood in for me. */
  comeBack(seat: number): Promise<boolean> {
    return this.#command({ do: "come_back", seat });
  }

  /** Say what is to be done about somebody who is away. */
  decideAway(seat: number, about: number, choice: AwayChoice, level: string): Promise<boolean> {
    return this.#command({ do: "decide_away", seat, about, choice, level });
  }

  get #ownSeat(): number {
    return this.mine.includes(this.seat) ? this.seat : (this.mine[0] ?? NOBODY);
  }

  /** Begin with those who are there. */
  start(): Promise<boolean> {
    return this.#command({ do: "start" });
  }

  /** Get up before the game begins. What was promised about its dice was for whoever sits there next. */
  async leave(): Promise<boolean> {
    const done = await this.#command({ do: "leave" });
    if (done) keepPromise(this.id, { ...promiseOf(this.id, this.dice), mine: "" });
    return done;
  }

  /** Take the table away before the game begins. */
  cancel(): Promise<boolean> {
    return this.#command({ do: "cancel" });
  }

  /** Give up: bots play on for me. */
  resign(): Promise<boolean> {
    return this.#command({ do: "resign" });
  }

  async rematch(): Promise<boolean> {
    return this.#command({ do: "rematch", commitment: await newShare() });
  }

  async ask(move: string): Promise<Answer> {
    const reply = await this.#connection.send({ do: "ask", seat: this.seat, move });
    if (reply.is === "answer") return reply;
    const refused = reply.is === "refused" ? reply : null;
    return { is: "answer", id: reply.id ?? 0, legal: false, reason: refused?.reason ?? null, clause: refused?.clause ?? null };
  }

  /** What the coach would do; null where it has no answer, which is then said. */
  askCoach(): Promise<Advice | null> {
    return this.#advice({ do: "hint", after: this.#received, seat: this.seat });
  }

  /** What the coach says of a move; null where it has no answer. */
  weigh(move: string, threshold: number): Promise<Advice | null> {
    return this.#advice({ do: "weigh", after: this.#received, seat: this.seat, move, threshold });
  }

  /** Let the coach be asked at a table of several persons, or no longer. */
  agree(seat: number, agrees: boolean): Promise<boolean> {
    return this.#command({ do: "agree", seat, agrees });
  }

  /** Say something to the table: a phrase by its key, or words of one's own. */
  say(saying: { phrase: string } | { text: string }): Promise<boolean> {
    const seat = this.mine.includes(this.seat) ? this.seat : this.mine[0]!;
    return this.#command({ do: "say", seat, phrase: "", text: "", ...saying });
  }

  /** Let the host know of something that was said. */
  report(number: number): Promise<boolean> {
    return this.#command({ do: "report", number });
  }

  /** Tell the server whether this page is in sight: else I am called when it is my turn. */
  async inSight(visible: boolean): Promise<void> {
    await this.#connection.send({ do: "sight", visible });
  }

  async #advice(question: Parameters<Connection["send"]>[0]): Promise<Advice | null> {
    const reply = await this.#connection.send(question);
    if (reply.is === "refused") this.#explain(reply.reason, reply.clause);
    return reply.is === "advice" ? reply : null;
  }

  /** Say why a move is not allowed. */
  async why(move: string): Promise<void> {
    const answer = await this.ask(move);
    if (!answer.legal && answer.reason) this.#explain(answer.reason, answer.clause);
  }

  /** Say why something cannot be; in a lesson beside what is to be done in its place. */
  #explain(reason: Told, clause: string | null): void {
    whenKnown(reason, () => {
      if (this.view?.lesson) this.hint = reason;
      else toast(say(reason), clause);
    });
  }

  /** Show at once how things stand now. */
  catchUp(): void {
    const last = this.#queue.at(-1);
    if (last) {
      for (const event of this.#queue) this.#log(event);
      this.#queue = [];
      this.behind = 0;
      this.#set(last.view, null, null);
    }
    this.#endPause?.();
  }

  async #command(command: Parameters<Connection["send"]>[0]): Promise<boolean> {
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
        this.relic = message;
        return setNames(message.names);
      case "event":
        return this.#receive(message);
      case "seats":
        return this.#seatsNow(message.seats, message.mine);
      case "dice":
        return this.#diceNow(message.dice);
      case "result":
        this.sources = message.sources;
        this.dice = message.dice;
        return void this.#check(message);
      case "announcement":
        announcement.text = message.text;
        return;
      case "life":
        return this.life.take(message);
      case "coach":
        this.coach = message.coach;
        return;
      case "said":
        if (this.talk) this.talk = { ...this.talk, said: [...this.talk.said, message.saying] };
        return;
      case "rematch":
        this.next = message.table;
        return;
      case "invited":
        this.invited = message.invited;
        return;
      case "wanted":
        return void this.#asked(message);
      case "refused":
        if (message.id === null) this.#refusedAloud(message.reason);
    }
  }

  /** Somebody would like to play with me elsewhere. */
  async #asked({ table, game, by, again }: Wanted): Promise<void> {
    await learnCompany();
    toast(t(again ? "meet.wanted_again" : "meet.wanted", { by: by || t("meet.somebody"), game: titleOf(game) }), "", `/t/${table}`);
  }

  #refusedAloud(reason: Answer["reason"]): void {
    if (!reason) return;
    whenKnown(reason, () => {
      if (this.game && !GONE.includes(reason[0])) toast(say(reason));
      else this.fault = say(reason);
    });
  }

  #adopt(now: TableNow): void {
    const begins = this.waiting && now.view !== null;
    this.game = now.game;
    this.next = now.rematch;
    this.old = now.old;
    this.branch = now.branch;
    this.coach = now.coach;
    this.life.take(now.life);
    this.host = now.host;
    this.fill = now.fill;
    this.rated = now.rated;
    this.evening = now.evening;
    this.public = now.public;
    this.talk = now.talk;
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
    // Whoever has no name is a guest in the language of the page, whatever was written when the table was made.
    const guest = mine.length === 1 && !settings.name.trim() ? mine[0] : NOBODY;
    this.seats = seats.map((seat, number) => (number === guest ? { ...seat, name: t("settings.guest") } : seat));
    this.mine = mine;
    const you = mine.length === 1 ? mine[0]! : null; // where several share this device, each is called by name
    setNames(
      this.seats.map((seat) => seat.name),
      you,
      seats.map((seat) => seat.gender ?? ""),
    );
  }

  /** Before the game begins, to those who sit there: somebody else has taken a seat, or has got up again. */
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
    if (this.known) return;
    const promised = promiseOf(this.id, dice);
    const mine = dice.shares.find(({ seat, commitment }) => this.mine.includes(seat) && shareOf(commitment));
    if (mine && !promised.mine) keepPromise(this.id, { ...promised, mine: mine.commitment });
    if (promised.digest !== dice.digest) this.#distrust();
    else if (dice.together && this.mine.length && !this.#giving) void this.#giveShare();
  }

  #distrust(): void {
    if (!this.broken) toast(t("fair.broken"));
    this.broken = true;
  }

  /** Before the game begins: promise a share in the dice, and tell it when it is its turn. */
  async #giveShare(): Promise<void> {
    this.#giving = true;
    let known: DicePromise | null = null;
    while (known !== this.dice) {
      known = this.dice; // and once more, where something has changed meanwhile
      const mine = known.shares.filter(({ seat }) => this.mine.includes(seat));
      if (known.closed) await this.#tellShare(mine.find(({ seat }) => seat === this.dice.turn)?.commitment ?? "");
      else if (!mine.some(({ commitment }) => commitment)) await this.#promiseShare(mine[0]?.seat ?? this.mine[0]!);
    }
    this.#giving = false;
  }

  async #promiseShare(seat: number): Promise<void> {
    await this.#connection.send({ do: "commit", seat, commitment: await newShare() });
  }

  /** What we were shown is kept first, so that it can be held against what we are told in the end. Another device's share, it tells itself. */
  async #tellShare(commitment: string): Promise<void> {
    const share = shareOf(commitment);
    if (!share) return;
    const listed = this.dice.shares.map((each): [number, string] => [each.seat, each.commitment]);
    const promised = { ...promiseOf(this.id, this.dice), listed };
    keepPromise(this.id, promised);
    const reply = await this.#connection.send({ do: "open", seat: this.dice.turn, share });
    if (reply.is === "done") keepPromise(this.id, { ...promised, told: true });
    else if (reply.is === "refused") this.#explain(reply.reason, reply.clause);
  }

  #sayWhoIsMissing(): void {
    const missing = this.dice.shares.filter((share) => share.missing).map(({ seat }) => ({ seat }));
    if (missing.length) toast(t("fair.without", { names: { all: missing } }));
  }

  /** The game is over, and all is told about its dice: whether it is true, we work out ourselves. */
  async #check({ dice, draws }: Result): Promise<void> {
    const { checkDice } = await diceLogic();
    this.found = checkDice(this.id, dice, draws, promiseOf(this.id, dice), this.#cameUp);
  }

  #receive(last: Event): void {
    for (const event of stepsTo(last)) this.#receiveOne(event);
    if (this.#queue.length && !this.showing) void this.#show();
  }

  #receiveOne(event: Event): void {
    if (event.seq <= this.#received) return;
    if (event.seat === null && event.move !== null) this.#cameUp.set(event.seq, event.move);
    this.#received = event.seq;
    this.#queue.push(event);
    this.behind = this.#queue.length;
  }

  /** Show what has happened, one thing after the other. */
  async #show(): Promise<void> {
    this.showing = true;
    for (let event = this.#next(); event; event = this.#next()) {
      this.behind = this.#queue.length;
      const before = this.view!;
      this.#set(event.view, event, before);
      await this.#pause(this.#time(event, before));
    }
    this.showing = false;
    this.#takeSeat();
  }

  /** What is to be shown next: several things as one, where they happen at the same time. */
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
    this.unveiled = null;
    this.#choosing = false;
  }

  /** Where several people share this device: look through the eyes of the one whose turn it is. */
  #takeSeat(): void {
    if (this.mine.length < 2 || !this.view || this.view.over) return;
    const due = this.due;
    if (this.secret) {
      this.#choosing = true;
      // Nobody of us is to choose any more: what was chosen here is not left in sight.
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

  /** The connection broke with a command under way: was it carried out? Its own event would be among those that we missed. */
  #afterBreak(command: Command, now: TableNow): "done" | "late" | Exclude<Command, Watch> {
    if (command.do === "watch") return "done";
    if (command.do === "propose" && this.mine.includes(now.life?.proposal?.seat ?? NOBODY)) return "done";
    if (command.do === "propose" && command.what === "take_back" && now.seq > command.after) return "late";
    if (command.do === "respond" && now.life?.proposal?.number !== command.number) return "done";
    if (command.do === "resume" && !now.life?.paused) return "done";
    if ((command.do === "leave" || command.do === "resign") && !now.mine.length) return "done";
    if (command.do === "start" && now.dice.closed) return "done";
    if (command.do === "say" && now.talk?.said.some((each) => isSame(command, each))) return "done";
    if (command.do !== "move" && command.do !== "take_back") return command;
    const mineSince = now.lines.some((line) => line.seat === command.seat && line.seq > command.after);
    if (mineSince) return "done";
    if (command.do === "move" && now.seq > command.after && now.view?.moves.includes(command.move)) return { ...command, after: now.seq };
    return now.seq > command.after ? "late" : command;
  }
}

/** Whether something was said just now. */
function isSame(command: Say, { seat, phrase, text, at }: Saying): boolean {
  const same = command.seat === seat && command.phrase === (phrase ?? "") && command.text === (text ?? "");
  return same && Date.now() / 1000 - (at ?? 0) < JUST_NOW;
}

function lineOf(event: Event): LogLine {
  return { seq: event.seq, seat: event.seat, told: event.told, taken_back: event.taken_back };
}

/** Lines by their number, each once. */
function inOrder(lines: LogLine[]): LogLine[] {
  const once = new Map(lines.map((line) => [line.seq, line]));
  return [...once.values()].sort((a, b) => a.seq - b.seq);
}
