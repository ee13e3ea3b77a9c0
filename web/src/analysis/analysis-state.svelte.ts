/** A game that is looked back at, as this page knows it: where it stands now, and what has been found out about it. */
import { instead as askInstead, lookDeeper, replayOf, studyOf, Refusing, whyNot } from "../lib/api";
import { paced } from "../lib/moving";
import { motionOn } from "../lib/settings.svelte";
import { setNames, t } from "../lib/words.svelte";
import type { Event, OfGame, Printed, SeatNow, View } from "../protocol";
import type { Lookback as Study, LookedBack } from "../study-protocol";
import { NOBODY } from "../protocol";

const SLICE = 40; // events that are fetched together
const AGAIN = 600; // ms between two questions
const A_LOOK = 900; // ms that a step stays, where it plays by itself
const PATIENT = 6; // questions in a row that may fail

type Duration = (event: Event, before: View, view: View) => number;

export class Lookback {
  game = $state("");
  box = $state.raw<OfGame["box"]>({});
  printed = $state.raw<Printed | null>(null);
  seats = $state.raw<SeatNow[]>([]);
  mine = $state.raw<number[]>([]);
  seat = NOBODY; // through whose eyes
  file = $state(false); // it is no table's
  of = $state(0); // events
  step = $state(0); // how many of them have happened
  view = $state.raw<View | null>(null);
  event = $state.raw<Event | null>(null); // what has just happened
  before = $state.raw<View | null>(null);
  instead = $state(""); // the move that is shown in the place of the one that was made
  playing = $state(false);
  study = $state.raw<Study | null>(null);
  state = $state.raw<LookedBack | null>(null); // how far it has come
  fault = $state("");
  trouble = $state(""); // why nothing is found out
  events = $state.raw<(Event | undefined)[]>([]);
  duration: Duration = () => 500;

  #start: View | null = null;
  #loading: Record<number, Promise<void>> = {};
  #shown = 0; // counts what is shown, so that a board takes the same event for another when it is shown again
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;
  #failed = 0;

  constructor(
    readonly id: string,
    wanted: number | null,
  ) {
    void this.#open(wanted);
    void this.#ask();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#asking);
  }

  isDeserted(): boolean {
    return false;
  }

  standIn(): Promise<boolean> {
    return Promise.resolve(false);
  }

  get done(): boolean {
    return !!this.state && this.state.of > 0 && this.state.done === this.state.of;
  }

  // ---------------------------------------------------------------- going through it

  /** Go to a step. One that is next to the last is shown as it happened. */
  async go(step: number, moving = false): Promise<void> {
    const wanted = Math.min(this.of, Math.max(0, step));
    const next = wanted === this.step + 1 || moving;
    this.step = wanted;
    await Promise.all([this.need(wanted), this.need(wanted - 1)]);
    if (this.step === wanted && !this.#closed) this.#show(wanted, next);
  }

  /** Show a move in the place of the one that led here; or, where it is shown already, what was really played. */
  async showInstead(move: string): Promise<void> {
    this.stop();
    if (this.instead === move) return void this.go(this.step, true);
    const step = this.step;
    const found = await askInstead(this.id, step - 1, move);
    if (this.step !== step) return;
    this.#set(found.view, found, this.#viewAt(step - 1));
    this.instead = move;
  }

  play(): void {
    if (this.step >= this.of) void this.go(0).then(() => this.#playOn());
    else this.#playOn();
  }

  stop(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  /** The position of this step; or, where choices were hidden, the last one before them: nobody is to know what others have chosen. */
  async playable(): Promise<Record<string, unknown>> {
    let step = this.step;
    await this.need(step);
    while (step > 0 && this.#viewAt(step)?.secret) await this.need(--step);
    return { ...this.#viewAt(step)!.position };
  }

  /** Fetch what happened at a step, and what comes near it. */
  need(step: number): Promise<void> {
    const slice = Math.floor((Math.max(1, step) - 1) / SLICE);
    return (this.#loading[slice] ??= this.#load(slice));
  }

  #playOn(): void {
    this.playing = true;
    const next = async () => {
      if (this.step >= this.of) return this.stop();
      await this.go(this.step + 1);
      const moving = this.event && this.before && motionOn() ? paced(this.duration(this.event, this.before, this.event.view)) : 0;
      if (this.playing) this.#timer = setTimeout(() => void next(), Math.max(A_LOOK, moving + A_LOOK / 2));
    };
    void next();
  }

  async #open(wanted: number | null): Promise<void> {
    try {
      await (this.#loading[0] = this.#load(0));
      await this.go(wanted ?? this.of);
    } catch (error) {
      this.fault = whyNot(error);
    }
  }

  async #load(slice: number): Promise<void> {
    const found = await replayOf(this.id, slice * SLICE, (slice + 1) * SLICE);
    if (slice === 0) {
      this.#start = found.start ?? null;
      this.box = found.box;
      this.printed = found.printed ?? null;
      this.seats = found.seats.map((seat, number) => (seat.name ? seat : { ...seat, name: t("look.seat", { n: number + 1 }) }));
      this.mine = found.mine;
      this.of = found.of;
      this.file = !!found.file;
      this.#name(this.seats, found.mine);
      this.game = found.game;
    }
    const events = [...this.events];
    events.length = this.of;
    found.events.forEach((event, k) => (events[found.first + k] = event));
    this.events = events;
  }

  #name(seats: SeatNow[], mine: number[]): void {
    setNames(
      seats.map(({ name }) => name),
      mine.length === 1 ? mine[0]! : null,
      seats.map(({ gender }) => gender ?? ""),
    );
  }

  #viewAt(step: number): View | null {
    return step <= 0 ? this.#start : (this.events[step - 1]?.view ?? null);
  }

  #show(step: number, moving: boolean): void {
    const event = step > 0 ? this.events[step - 1]! : null;
    this.instead = "";
    this.#set(this.#viewAt(step)!, moving ? event : null, moving ? this.#viewAt(step - 1) : null);
  }

  #set(view: View, event: Event | null, before: View | null): void {
    this.before = before;
    this.event = event && { ...event, seq: this.#shown++ };
    this.view = view;
  }

  // ---------------------------------------------------------------- what is found out

  /** Look at everything again, harder. */
  async deeper(): Promise<void> {
    const playouts = this.state?.deeper;
    if (!playouts) return;
    clearTimeout(this.#asking);
    try {
      this.#take(await lookDeeper(this.id, { playouts }));
      this.trouble = "";
    } catch (error) {
      this.trouble = whyNot(error);
    }
    this.#askAgain();
  }

  async #ask(): Promise<void> {
    try {
      this.#take(await studyOf(this.id, this.study ? this.state!.version : ""));
      this.#failed = 0;
    } catch (error) {
      this.#failed += error instanceof Refusing && error.status >= 500 ? PATIENT : 1;
      if (this.#failed >= PATIENT || (error instanceof Refusing && error.status >= 400 && error.status < 500)) this.trouble = whyNot(error);
    }
    this.#askAgain();
  }

  #askAgain(): void {
    if (!this.#closed && !this.done && !this.trouble) this.#asking = setTimeout(() => void this.#ask(), AGAIN);
  }

  #take(state: LookedBack): void {
    this.state = state;
    if (state.study) this.study = state.study;
  }
}
