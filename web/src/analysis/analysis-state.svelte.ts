/** State of a replayed game: current step and analysis results. */
import { loadAlternative, analyseDeeper, loadReplay, loadAnalysis, RequestRefused, errorText } from "../net/api";
import { paced } from "../ui/animation/tween";
import { motionOn } from "../state/settings.svelte";
import { setNames, t } from "../i18n/translate.svelte";
import type { Event, OfGame, DieShown, SeatNow, View } from "../protocol/table";
import type { AnalysisView, AnalysisStatus } from "../protocol/analysis";
import { NOBODY } from "../protocol/table";
import { mistakesOf, momentsOf, openingOf } from "./mistakes";

const SLICE = 40; // events fetched together
const AGAIN = 600; // ms between two polls
const A_LOOK = 900; // ms per step in autoplay
const PATIENT = 6; // failed polls in a row before giving up

type Duration = (event: Event, before: View, view: View) => number;

export class AnalysisState {
  game = $state("");
  box = $state.raw<OfGame["box"]>({});
  printed = $state.raw<DieShown | null>(null);
  seats = $state.raw<SeatNow[]>([]);
  mine = $state.raw<number[]>([]);
  seat = NOBODY; // whose point of view
  file = $state(false); // loaded from a file, not a table
  of = $state(0); // number of events
  step = $state(0); // number of events applied
  view = $state.raw<View | null>(null);
  event = $state.raw<Event | null>(null); // the event that led here
  before = $state.raw<View | null>(null);
  instead = $state(""); // the alternative on show
  playing = $state(false);
  analysis = $state.raw<AnalysisView | null>(null);
  state = $state.raw<AnalysisStatus | null>(null); // progress of the analysis
  fault = $state("");
  analysisFault = $state(""); // why the analysis failed
  opened = $state(false); // at a step somebody chose, or at the first mistake
  everybody = $state(false); // opponents' mistakes and luck are followed, too
  events = $state.raw<(Event | undefined)[]>([]);
  duration: Duration = () => 500;

  #start: View | null = null;
  #loading: Record<number, Promise<void>> = {};
  // incremented on each display, so that a board replays the same event when it is shown again
  #shown = 0;
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

  // ---------------------------------------------------------------- mistakes

  #moments = $derived(this.analysis ? momentsOf(this.analysis) : []);
  #mistakes = $derived(mistakesOf(this.#moments, this.mine.length ? this.mine : this.seats.map((_, seat) => seat)));

  /** My mistakes in order; everybody's, if I did not play. */
  get mistakes() {
    return this.#mistakes;
  }

  /** Whether nobody made a mistake. */
  get perfect(): boolean {
    return this.done && this.#moments.every(({ mark }) => mark === "luck");
  }

  /** The moments that are stepped through. */
  get followed() {
    return this.everybody ? this.#moments : this.#mistakes;
  }

  get done(): boolean {
    return !!this.state && this.state.of > 0 && this.state.done === this.state.of;
  }

  // ---------------------------------------------------------------- replay

  /** Go to a step. The next step is animated. */
  go(step: number, moving = false): Promise<void> {
    this.opened = true;
    return this.#go(step, moving);
  }

  async #go(step: number, moving: boolean): Promise<void> {
    const wanted = Math.min(this.of, Math.max(0, step));
    const next = wanted === this.step + 1 || moving;
    this.step = wanted;
    await Promise.all([this.need(wanted), this.need(wanted - 1)]);
    if (this.step === wanted && !this.#closed) this.#show(wanted, next);
  }

  /** Show an alternative to the move that led here, or the real move if it is already on show. */
  async showInstead(move: string): Promise<void> {
    this.stop();
    if (this.instead === move) return void this.go(this.step, true);
    const step = this.step;
    const found = await loadAlternative(this.id, step - 1, move);
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

  /** The position at this step, or the last one before hidden choices, which must stay secret. */
  async playable(): Promise<Record<string, unknown>> {
    let step = this.step;
    await this.need(step);
    while (step > 0 && this.#viewAt(step)?.secret) await this.need(--step);
    return { ...this.#viewAt(step)!.position };
  }

  /** Fetch a step and its neighbours. */
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
      if (wanted !== null) return await this.go(wanted);
      await this.#go(this.of, false);
      this.#openAtMistake();
    } catch (error) {
      this.fault = errorText(error);
    }
  }

  /** Once everything is analysed: an earlier look might miss the first. */
  #openAtMistake(): void {
    if (this.opened || !this.done || !this.view) return;
    const first = openingOf(this.#moments, this.mine);
    if (first && !this.#mistakes.includes(first)) this.everybody = true;
    void this.go(first?.at ?? this.of, true);
  }

  async #load(slice: number): Promise<void> {
    const found = await loadReplay(this.id, slice * SLICE, (slice + 1) * SLICE);
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

  // ---------------------------------------------------------------- analysis

  /** Analyse everything again, deeper. */
  async analyseDeeper(): Promise<void> {
    const playouts = this.state?.deeper;
    if (!playouts) return;
    clearTimeout(this.#asking);
    try {
      this.#take(await analyseDeeper(this.id, { playouts }));
      this.analysisFault = "";
    } catch (error) {
      this.analysisFault = errorText(error);
    }
    this.#askAgain();
  }

  async #ask(): Promise<void> {
    try {
      this.#take(await loadAnalysis(this.id, this.analysis ? this.state!.version : ""));
      this.#failed = 0;
    } catch (error) {
      this.#failed += error instanceof RequestRefused && error.status >= 500 ? PATIENT : 1;
      if (this.#failed >= PATIENT || (error instanceof RequestRefused && error.status >= 400 && error.status < 500))
        this.analysisFault = errorText(error);
    }
    this.#askAgain();
  }

  #askAgain(): void {
    if (!this.#closed && !this.done && !this.analysisFault) this.#asking = setTimeout(() => void this.#ask(), AGAIN);
  }

  #take(state: AnalysisStatus): void {
    this.state = state;
    if (state.study) this.analysis = state.study;
    this.#openAtMistake();
  }
}
