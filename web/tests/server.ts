/** The server's side of a table connection for tests: fake sockets and messages. */
import { vi } from "vitest";
import {
  NOBODY,
  VERSION,
  type Command,
  type DicePromise,
  type Event,
  type Message,
  type OfGame,
  type TableNow,
  type View,
} from "../src/protocol/table";

const sockets: Socket[] = [];

/** A fake WebSocket. */
export class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((reason: { code: number }) => void) | null = null;
  readonly heard: Command[] = [];

  constructor(readonly address: string) {
    sockets.push(this);
  }

  send(text: string): void {
    this.heard.push(JSON.parse(text) as Command);
  }

  /** Closed by the browser. */
  close(): void {
    this.end(1005);
  }

  accept(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  say(...messages: Message[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Closed by the server; 1006: connection lost. */
  end(code = 1006): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** The messages of one kind sent on it. */
  told<Kind extends Command["do"]>(kind: Kind): Extract<Command, { do: Kind }>[] {
    return this.heard.filter((each): each is Extract<Command, { do: Kind }> => each.do === kind);
  }
}

/** Replace WebSocket and freeze the clock from here on. */
export function listen(): void {
  sockets.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
}

export function hangUp(): void {
  vi.useRealTimers();
}

export function socketCount(): number {
  return sockets.length;
}

/** The socket opened last. */
export function socket(): Socket {
  const last = sockets.at(-1);
  if (!last) throw new Error("no socket was opened");
  return last;
}

/** Advance the clock and run everything due. */
export async function pass(time: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(time);
}

// ---------------------------------------------------------------- server messages

/** The part of a view that matters to a test. */
type Glimpse<G extends OfGame> = Partial<Omit<View<G>, "position">> & { position?: Partial<G["position"]> };

export function view<G extends OfGame = OfGame>(now: Glimpse<G> = {}): View<G> {
  const position = { game: "suleika", players: 2, options: {}, phase: "turn", turn: 0, ...now.position };
  const usual = { actors: [0], moves: ["a", "b"], scores: [0, 0], winners: [], over: false, scene: {} };
  return { ...usual, ...now, position };
}

export function event<G extends OfGame = OfGame>(seq: number, now: Partial<Event<G>> = {}): Event<G> {
  return { is: "event", seq, seat: 1, move: "a", told: [[`line ${seq}`, {}]], facts: [], view: view<G>(), ...now };
}

export function dicePromise(now: Partial<DicePromise> = {}): DicePromise {
  return { digest: "d1", seed: "", together: true, closed: true, turn: NOBODY, shares: [], share: "", ...now };
}

/** A table of Amina (seat 0, mine) and Yusuf (seat 1). */
export function tableNow(now: Partial<TableNow> = {}): TableNow {
  const seats = ["Amina", "Yusuf"].map((name) => ({ name, kind: "person" }));
  const dice = dicePromise();
  const game = { is: "table", version: VERSION, table: "T", game: "suleika", box: {} } as const;
  const none = {
    rematch: "",
    old: false,
    printed: null,
    branch: null,
    coach: null,
    life: null,
    talk: null,
    host: 0,
    fill: "",
    rated: false,
    event: "",
    public: false,
  };
  return { ...game, ...none, seats, mine: [0], seat: 0, seq: 0, lines: [], view: view(), dice, ...now };
}
