/** A table's WebSocket: reconnects, and makes sure that every command is answered exactly once. */
import type { Advice, Answer, Command, Done, Message, Refused, TableNow, Watch } from "../protocol/table";
import { closeSocket } from "./close-socket";

export type Reply = Done | Refused | Answer | Advice;
type Sent = Exclude<Command, Watch>;
type Unnumbered<C> = C extends { id: number } ? Omit<C, "id"> : never;

const FIRST_WAIT = 400; // ms before the first reconnect; doubles
const LONGEST_WAIT = 8000;
const PING_EVERY = 20_000;
const PATIENCE = 8000; // for the answer to a ping
const SILENCE = 1000; // after a command, before a ping, and again before silence is shown

// Close codes of the server.
const RESTARTS = 1012;
const UNKNOWN = 4404;
const BANNED = 4403;
export const OTHER_VERSION = 4426;

interface Ends {
  watch: () => Watch; // the first message
  hear: (message: Message) => void;
  /**
   * After a reconnect, the fate of a pending command: carried out ("done"), to be sent again (as
   * returned), or too late.
   */
  after: (command: Sent, now: TableNow) => "done" | "late" | Sent;
  /** Called when the server refuses the connection: no such table, or an outdated page. */
  end: (code: number) => void;
}

export class TableConnection {
  state = $state<"opening" | "open" | "lost">("opening");
  silent = $state(false); // nothing has been heard since a command, although the socket is open

  #socket: WebSocket | null = null;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  #waiting = new Map<number, { command: Sent; answer: (reply: Reply) => void }>();
  #number = 0;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval>;
  #heard = Date.now();
  #closed = false;

  constructor(
    readonly table: string,
    readonly ends: Ends,
  ) {
    this.#open();
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY);
    addEventListener("online", this.#hurry);
    addEventListener("offline", this.#goOffline);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  /** Send a command; resolves with its answer, across reconnects. */
  send(command: Unnumbered<Sent>): Promise<Reply> {
    const numbered = { ...command, id: ++this.#number };
    return new Promise((answer) => {
      this.#waiting.set(numbered.id, { command: numbered, answer });
      if (this.state !== "open") return;
      this.#say(numbered);
      this.#listen();
    });
  }

  /** Subscribe again, with the seat that `watch` names now. */
  watchAgain(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#say(this.ends.watch());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pinging);
    removeEventListener("online", this.#hurry);
    removeEventListener("offline", this.#goOffline);
    document.removeEventListener("visibilitychange", this.#hurry);
    closeSocket(this.#socket);
  }

  #open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/socket`);
    this.#socket = socket;
    socket.onopen = () => this.#say(this.ends.watch());
    socket.onmessage = (message) => this.#hear(JSON.parse(message.data as string) as Message);
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      if (![UNKNOWN, BANNED, OTHER_VERSION].includes(code)) return this.#lose(code === RESTARTS);
      this.close();
      this.ends.end(code);
    };
  }

  #hear(message: Message): void {
    this.#heard = Date.now();
    this.silent = false;
    if (message.is === "pong") return;
    if (message.is === "done" || message.is === "answer" || message.is === "advice" || (message.is === "refused" && message.id !== null)) {
      const found = this.#waiting.get(message.id as number);
      this.#waiting.delete(message.id as number);
      this.ends.hear(message);
      found?.answer(message);
      return;
    }
    this.ends.hear(message);
    if (message.is === "table" && this.state !== "open") this.#pickUp(message);
  }

  /** Reconnected: settle the commands that were pending. */
  #pickUp(now: TableNow): void {
    this.state = "open";
    this.#tries = 0;
    for (const [id, { command, answer }] of this.#waiting) {
      const fate = this.ends.after(command, now);
      if (fate === "done" || fate === "late") {
        this.#waiting.delete(id);
        answer(fate === "done" ? { is: "done", id, seq: now.seq } : { is: "refused", id, reason: ["ui.too_late", {}], clause: null });
      } else {
        this.#waiting.set(id, { command: fate, answer });
        this.#say(fate);
      }
    }
  }

  /** `hurries`: the server is being replaced, so reconnect at once, with jitter. */
  #lose(hurries = false): void {
    this.#socket = null;
    this.silent = false;
    if (this.#closed) return;
    this.state = this.#tries || this.state === "open" ? "lost" : "opening";
    const first = hurries && !this.#tries;
    const usual = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++) * (0.75 + Math.random() / 2);
    const wait = first ? (Math.random() * FIRST_WAIT) / 4 : usual;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), wait);
  }

  /** The device woke up or is online again: reconnect now. */
  #hurry = (): void => {
    if (document.visibilityState === "hidden" || this.#closed) return;
    if (this.#socket) return this.#ping();
    clearTimeout(this.#timer);
    this.#open();
  };

  /** The device says that it is offline: its sockets stay open, but nothing passes. */
  #goOffline = (): void => {
    if (this.state === "open" && !this.#closed) this.#giveUp();
  };

  /** Notice within two seconds of a command that nothing comes back any more. */
  #listen(): void {
    const asked = Date.now();
    setTimeout(() => {
      if (this.state !== "open" || this.#heard >= asked) return;
      this.#ping();
      setTimeout(() => (this.silent = this.state === "open" && this.#heard < asked), SILENCE);
    }, SILENCE);
  }

  #ping(): void {
    if (this.state !== "open") return;
    const asked = Date.now();
    this.#say({ do: "ping", id: ++this.#number });
    setTimeout(() => {
      if (this.#heard < asked && !this.#closed) this.#giveUp();
    }, PATIENCE);
  }

  /** A dead socket may take minutes to close on its own, so abandon it. */
  #giveUp(): void {
    const dead = this.#socket;
    this.#lose();
    dead?.close();
  }

  #say(command: Command): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
  }
}
