/** Live state of an event by long polling: the server answers as soon as something changes. */
import type { MyEventEntry, EventState, EventRound, EventTable, JoinEvent, ControlEvent } from "../protocol/events";
import { ask, errorText } from "../net/api";
import { leaveEvent, enterEvent } from "../state/current-event.svelte";
import { toast } from "../state/toast.svelte";
import { t } from "../i18n/translate.svelte";

const AGAIN = 2_000; // ms before retrying after an error
const BREATH = 250; // minimum ms between answers, as many tables may end at once
const TICK = 500;

export class LiveEvent {
  now = $state.raw<EventState | null>(null);
  me = $state.raw<MyEventEntry | null>(null);
  gone = $state(false);
  busy = $state(false);
  clock = $state(0); // server time, ms since 1970

  readonly #stop = new AbortController();
  #ahead = 0; // ms the server's clock is ahead of this one
  #tag = "";
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(readonly id: string) {
    this.clock = Date.now();
    this.#timer = setInterval(() => (this.clock = Date.now() + this.#ahead), TICK);
    void this.#follow();
    void this.loadMine();
  }

  close(): void {
    this.#stop.abort();
    clearInterval(this.#timer);
  }

  // ------------------------------------------------------------ state

  /** The title, without a name if the host deleted their account. */
  get title(): string {
    return this.now ? this.now.name || t("event.name_usual") : t("event.title");
  }

  /** An entrant's name. */
  name(number: number): string {
    return this.now?.entrants.find((each) => each.number === number)?.name ?? "–";
  }

  /** My table or bye this round, or null. */
  get mine(): EventTable | null {
    const number = this.me?.number;
    return number ? (this.now?.now?.tables.find(({ seats }) => seats.includes(number)) ?? null) : null;
  }

  /** The id of the table waiting for me, or "". */
  get myTable(): string {
    return this.now?.state === "playing" && this.mine && !this.mine.outcome ? this.mine.table : "";
  }

  /** Seconds until or since a moment. */
  until(moment: number): number {
    return Math.max(0, Math.round(moment - this.clock / 1000));
  }

  since(moment: number): number {
    return Math.max(0, Math.round(this.clock / 1000 - moment));
  }

  // ------------------------------------------------------------ commands

  async loadMine(): Promise<void> {
    await this.#do(() => ask<MyEventEntry>(`/api/events/${this.id}/me`), true);
  }

  join(name: string): Promise<boolean> {
    return this.#do(() => ask<MyEventEntry>(`/api/events/${this.id}/join`, { name } satisfies JoinEvent));
  }

  leave(): Promise<boolean> {
    return this.#do(() => ask<MyEventEntry>(`/api/events/${this.id}/leave`, {}));
  }

  claim(secret: string): Promise<boolean> {
    return this.#do(() => ask<MyEventEntry>(`/api/events/${this.id}/host`, { secret }));
  }

  control(wish: ControlEvent): Promise<boolean> {
    return this.#do(() => ask<MyEventEntry>(`/api/events/${this.id}/control`, wish));
  }

  round(number: number): Promise<EventRound> {
    return ask<EventRound>(`/api/events/${this.id}/rounds/${number}`);
  }

  async #do(work: () => Promise<MyEventEntry>, quiet = false): Promise<boolean> {
    this.busy = true;
    try {
      this.me = await work();
      this.gone ||= this.me.gone;
      if (this.me.number && this.now?.state !== "over") enterEvent(this.id);
      else leaveEvent(this.id);
      return true;
    } catch (error) {
      if (!quiet) toast(errorText(error));
      return false;
    } finally {
      this.busy = false;
    }
  }

  // ------------------------------------------------------------ updates

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted && !this.gone) {
      const wait = await this.#look().catch(() => AGAIN);
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  /** Poll once; returns the delay before the next poll. */
  async #look(): Promise<number> {
    const answer = await fetch(`/api/events/${this.id}?known=${this.#tag}`, { signal: this.#stop.signal });
    if (answer.status === 404) this.#isGone();
    if (answer.status === 304) return BREATH;
    if (!answer.ok) return AGAIN;
    this.#ahead = Number(answer.headers.get("souk-now")) * 1000 - Date.now();
    this.#tag = (answer.headers.get("etag") ?? "").replaceAll('"', "");
    this.clock = Date.now() + this.#ahead;
    const before = this.now;
    this.now = (await answer.json()) as EventState;
    if (this.now.state === "over") leaveEvent(this.id);
    if (before && this.me?.number && !this.#takesPart()) void this.loadMine();
    return BREATH * (1 + Math.random());
  }

  /** Whether I am still entered: the host may have removed me. */
  #takesPart(): boolean {
    return !!this.now?.entrants.some(({ number, left }) => number === this.me?.number && !left);
  }

  #isGone(): void {
    this.gone = true;
    leaveEvent(this.id);
  }
}

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is shown of it
const shared = new Map<string, { live: LiveEvent; pages: number }>();

/** Share one poller between the parts of a page; returns it with a release function. */
export function followEvent(id: string): [LiveEvent, () => void] {
  const found = shared.get(id) ?? { live: new LiveEvent(id), pages: 0 };
  shared.set(id, found);
  found.pages += 1;
  return [
    found.live,
    () => {
      found.pages -= 1;
      if (found.pages) return;
      found.live.close();
      shared.delete(id);
    },
  ];
}

/** Seconds as m:ss. */
export function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
