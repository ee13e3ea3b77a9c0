/**
 * The lobby's WebSocket: my own updates and the public board. While it is open the lobby need not
 * poll.
 */
import type {
  PublicBoardChange,
  PublicBoardState,
  Counts,
  FindPlayers,
  InvitationsNow,
  LobbyCommand,
  LobbyMessage,
  Searching,
  PublicTable,
} from "../protocol/meeting";
import type { ClockTerms, Told } from "../protocol/table";
import { closeSocket } from "./close-socket";

const FIRST_WAIT = 1000; // ms before the first reconnect; doubles
const LONGEST_WAIT = 15_000;
const LOST: Told = ["meet.lost", {}];

interface Ends {
  changed: () => void; // my tables have changed
  matched: (table: string) => void; // matchmaking found a table
}

export class LobbyConnection {
  connected = $state(false);
  tables = $state.raw<PublicTable[] | null>(null); // null if there is no public lobby
  counts = $state.raw<Counts>({ here: 0, open: 0, playing: 0, finding: {} });
  clocks = $state.raw<Record<string, ClockTerms>>({});
  search = $state.raw<Searching | null>(null);
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
      // jitter, so that pages do not reconnect at once
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++) * (0.5 + Math.random());
      this.#timer = setTimeout(() => this.open(), wait);
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    closeSocket(this.#socket);
  }

  /** Start matchmaking; resolves with the refusal, or null. */
  find(wish: Omit<FindPlayers, "do" | "id">): Promise<Told | null> {
    return this.#ask({ do: "find_players", id: ++this.#number, ...wish });
  }

  stop(): Promise<Told | null> {
    return this.#ask({ do: "stop_search", id: ++this.#number });
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
        if (this.#tries) this.ends.changed(); // anything may have happened while offline
        this.connected = true;
        this.#tries = 0;
        this.clocks = message.clocks;
        this.invitations = message.invitations;
        this.#setSearch(message.looking);
        return this.#show(message.board);
      case "board":
        return this.#change(message);
      case "searching":
        return this.#setSearch(message.looking);
      case "invitations":
        this.invitations = message;
        return;
      case "tables_changed":
        return this.ends.changed();
      case "players_found":
        return this.ends.matched(message.table);
      case "done":
      case "refused":
        this.#waiting.get(message.id!)?.(message.is === "refused" ? message.reason : null);
        this.#waiting.delete(message.id!);
    }
  }

  #setSearch(looking: Searching | null): void {
    this.search = looking;
    this.botsAt = looking?.bots_in == null ? 0 : Date.now() + 1000 * looking.bots_in;
  }

  #show(board: PublicBoardState | null): void {
    this.tables = board && board.tables;
    if (board) this.counts = board.counts;
  }

  /** Changed rows keep their place, new ones go to the end. */
  #change({ gone, tables, counts }: PublicBoardChange): void {
    const before = this.tables ?? [];
    const kept = before
      .filter(({ table }) => !gone.includes(table))
      .map((each) => tables.find(({ table }) => table === each.table) ?? each);
    this.tables = [...kept, ...tables.filter((each) => !before.some(({ table }) => table === each.table))];
    this.counts = counts;
  }
}
