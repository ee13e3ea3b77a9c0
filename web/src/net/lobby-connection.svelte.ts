/** The lobby's connection: what concerns me there, and what everybody may see. While it stands, nothing has to be asked again and again. */
import type {
  BoardChange,
  BoardNow,
  Counts,
  Find,
  InvitationsNow,
  LobbyCommand,
  LobbyMessage,
  Looking,
  PublicTable,
} from "../meeting-protocol";
import type { ClockTerms, Told } from "../protocol";
import { closeSocket } from "./closing";

const FIRST_WAIT = 1000; // ms before the first try to connect again; doubles
const LONGEST_WAIT = 15_000;
const LOST: Told = ["meet.lost", {}];

interface Ends {
  stirred: () => void; // my tables are no longer as they are shown
  found: (table: string) => void; // it goes on there
}

export class Foyer {
  connected = $state(false);
  tables = $state.raw<PublicTable[] | null>(null); // null where the house is not open to the public
  counts = $state.raw<Counts>({ here: 0, open: 0, playing: 0, finding: {} });
  clocks = $state.raw<Record<string, ClockTerms>>({});
  looking = $state.raw<Looking | null>(null);
  botsAt = $state(0); // when bots fill up, by this browser's clock
  invitations = $state.raw<InvitationsNow | null>(null);

  #socket: WebSocket | null = null;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  #waiting = new Map<number, (refused: Told | null) => void>();
  #number = 0;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly ends: Ends) {}

  open(): void {
    if (this.#closed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/lobby/socket`);
    this.#socket = socket;
    socket.onmessage = (message) => this.#hear(JSON.parse(message.data as string) as LobbyMessage);
    socket.onclose = () => {
      this.connected = false;
      for (const answer of this.#waiting.values()) answer(LOST);
      this.#waiting.clear();
      if (this.#closed) return;
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++) * (0.5 + Math.random()); // not all at once
      this.#timer = setTimeout(() => this.open(), wait);
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    closeSocket(this.#socket);
  }

  /** Look for people; resolves with why not, or null. */
  find(wish: Omit<Find, "do" | "id">): Promise<Told | null> {
    return this.#ask({ do: "find", id: ++this.#number, ...wish });
  }

  stop(): Promise<Told | null> {
    return this.#ask({ do: "stop", id: ++this.#number });
  }

  #ask(command: LobbyCommand): Promise<Told | null> {
    return new Promise((answer) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return answer(LOST);
      this.#waiting.set(command.id, answer);
      this.#socket.send(JSON.stringify(command));
    });
  }

  #hear(message: LobbyMessage): void {
    switch (message.is) {
      case "hello":
        if (this.#tries) this.ends.stirred(); // who knows what has happened meanwhile
        this.connected = true;
        this.#tries = 0;
        this.clocks = message.clocks;
        this.invitations = message.invitations;
        this.#look(message.looking);
        return this.#show(message.board);
      case "board":
        return this.#change(message);
      case "looking":
        return this.#look(message.looking);
      case "invitations":
        this.invitations = message;
        return;
      case "stirred":
        return this.ends.stirred();
      case "found":
        return this.ends.found(message.table);
      case "done":
      case "refused":
        this.#waiting.get(message.id!)?.(message.is === "refused" ? message.reason : null);
        this.#waiting.delete(message.id!);
    }
  }

  #look(looking: Looking | null): void {
    this.looking = looking;
    this.botsAt = looking?.bots_in == null ? 0 : Date.now() + 1000 * looking.bots_in;
  }

  #show(board: BoardNow | null): void {
    this.tables = board && board.tables;
    if (board) this.counts = board.counts;
  }

  /** What has changed keeps its place, what is new comes at the end. */
  #change({ gone, tables, counts }: BoardChange): void {
    const before = this.tables ?? [];
    const kept = before
      .filter(({ table }) => !gone.includes(table))
      .map((each) => tables.find(({ table }) => table === each.table) ?? each);
    this.tables = [...kept, ...tables.filter((each) => !before.some(({ table }) => table === each.table))];
    this.counts = counts;
  }
}
