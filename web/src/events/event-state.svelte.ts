/** An event as it is now, for as long as a page needs it: the server answers as soon as something has changed. */
import type { EveningMe, EveningNow, EveningRound, EveningTable, JoinEvening, SteerEvening } from "../evening-protocol";
import { ask, whyNot } from "../lib/api";
import { goFrom, goTo } from "../lib/going.svelte";
import { toast } from "../lib/toast.svelte";

const AGAIN = 2_000; // ms until somebody whom nobody answers asks again
const BREATH = 250; // ms between two answers at least: many tables may end at once
const TICK = 500;

export class Live {
  now = $state.raw<EveningNow | null>(null);
  me = $state.raw<EveningMe | null>(null);
  gone = $state(false);
  busy = $state(false);
  clock = $state(0); // ms since 1970, as the server has it

  readonly #stop = new AbortController();
  #ahead = 0; // ms by which the server's clock is ahead of ours
  #tag = "";
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(readonly id: string) {
    this.clock = Date.now();
    this.#timer = setInterval(() => (this.clock = Date.now() + this.#ahead), TICK);
    void this.#follow();
    void this.askMe();
  }

  close(): void {
    this.#stop.abort();
    clearInterval(this.#timer);
  }

  // ------------------------------------------------------------ what is so

  /** The name of somebody who takes part. */
  name(number: number): string {
    return this.now?.entrants.find((each) => each.number === number)?.name ?? "–";
  }

  /** My table of this round, or my bye; null where I have none. */
  get mine(): EveningTable | null {
    const number = this.me?.number;
    return number ? (this.now?.now?.tables.find(({ seats }) => seats.includes(number)) ?? null) : null;
  }

  /** The table that waits for me, or "". */
  get myTable(): string {
    return this.now?.state === "playing" && this.mine && !this.mine.outcome ? this.mine.table : "";
  }

  /** Seconds until a moment, or since it. */
  until(moment: number): number {
    return Math.max(0, Math.round(moment - this.clock / 1000));
  }

  since(moment: number): number {
    return Math.max(0, Math.round(this.clock / 1000 - moment));
  }

  // ------------------------------------------------------------ what I do

  async askMe(): Promise<void> {
    await this.#do(() => ask<EveningMe>(`/api/events/${this.id}/me`), true);
  }

  join(name: string): Promise<boolean> {
    return this.#do(() => ask<EveningMe>(`/api/events/${this.id}/join`, { name } satisfies JoinEvening));
  }

  leave(): Promise<boolean> {
    return this.#do(() => ask<EveningMe>(`/api/events/${this.id}/leave`, {}));
  }

  claim(secret: string): Promise<boolean> {
    return this.#do(() => ask<EveningMe>(`/api/events/${this.id}/host`, { secret }));
  }

  steer(wish: SteerEvening): Promise<boolean> {
    return this.#do(() => ask<EveningMe>(`/api/events/${this.id}/steer`, wish));
  }

  round(number: number): Promise<EveningRound> {
    return ask<EveningRound>(`/api/events/${this.id}/rounds/${number}`);
  }

  async #do(work: () => Promise<EveningMe>, quiet = false): Promise<boolean> {
    this.busy = true;
    try {
      this.me = await work();
      this.gone ||= this.me.gone;
      if (this.me.number && this.now?.state !== "over") goTo(this.id);
      else goFrom(this.id);
      return true;
    } catch (error) {
      if (!quiet) toast(whyNot(error));
      return false;
    } finally {
      this.busy = false;
    }
  }

  // ------------------------------------------------------------ what is new

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted && !this.gone) {
      const wait = await this.#look().catch(() => AGAIN);
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  /** Ask for the next news; returns how long to wait then. */
  async #look(): Promise<number> {
    const answer = await fetch(`/api/events/${this.id}?known=${this.#tag}`, { signal: this.#stop.signal });
    if (answer.status === 404) this.#isGone();
    if (answer.status === 304) return BREATH;
    if (!answer.ok) return AGAIN;
    this.#ahead = Number(answer.headers.get("souk-now")) * 1000 - Date.now();
    this.#tag = (answer.headers.get("etag") ?? "").replaceAll('"', "");
    this.clock = Date.now() + this.#ahead;
    const before = this.now;
    this.now = (await answer.json()) as EveningNow;
    if (this.now.state === "over") goFrom(this.id);
    if (before && this.me?.number && !this.#takesPart()) void this.askMe();
    return BREATH * (1 + Math.random());
  }

  /** Whether I am still in the list: the host may have removed me. */
  #takesPart(): boolean {
    return !!this.now?.entrants.some(({ number, left }) => number === this.me?.number && !left);
  }

  #isGone(): void {
    this.gone = true;
    goFrom(this.id);
  }
}

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is shown of it
const shared = new Map<string, { live: Live; pages: number }>();

/** An event that several parts of a page may follow together; returns it, and what is to be called in the end. */
export function follow(id: string): [Live, () => void] {
  const found = shared.get(id) ?? { live: new Live(id), pages: 0 };
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

/** Seconds as minutes and seconds. */
export function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
