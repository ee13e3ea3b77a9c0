import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hangUp, listen, pass, socket, socketCount, tableNow } from "../../tests/server";
import { VERSION, type Message, type TableNow, type Watch } from "../protocol/table";
import { TableConnection, OTHER_VERSION } from "./table-connection.svelte";

const watch: Watch = { do: "watch", version: VERSION, after: -1, seat: null };
const ends = {
  watch: () => watch,
  hear: vi.fn<(message: Message) => void>(),
  after: vi.fn<TableConnection["ends"]["after"]>((command) => command),
  end: vi.fn<(code: number) => void>(),
};
let connection: TableConnection;

beforeEach(() => {
  listen();
  vi.spyOn(Math, "random").mockReturnValue(0.5); // exact waits
  for (const each of [ends.hear, ends.after, ends.end]) each.mockClear();
  connection = new TableConnection("T", ends);
});

afterEach(() => {
  connection.close();
  hangUp();
});

function open(now: TableNow = tableNow()): void {
  socket().accept();
  socket().say(now);
}

test("the connection is open once the table has answered what is said first", () => {
  expect(socket().address).toBe(`ws://${location.host}/api/tables/T/socket`);
  socket().accept();
  expect(socket().heard).toEqual([watch]);
  expect(connection.state).toBe("opening");
  socket().say(tableNow());
  expect(connection.state).toBe("open");
});

test("every command gets its own answer, in whatever order they come", async () => {
  open();
  const asked = connection.send({ do: "check_legality", seat: 0, move: "a" });
  const moved = connection.send({ do: "move", after: 0, seat: 0, move: "b" });
  const [ask, move] = [socket().told("check_legality")[0]!, socket().told("move")[0]!];
  socket().say({ is: "done", id: move.id, seq: 1 }, { is: "answer", id: ask.id, legal: true, reason: null, clause: null });
  expect(await moved).toEqual({ is: "done", id: move.id, seq: 1 });
  expect(await asked).toMatchObject({ is: "answer", legal: true });
});

test("a command given before the connection is open is sent when it is", async () => {
  socket().accept();
  const answer = connection.send({ do: "rematch" });
  expect(socket().told("rematch")).toEqual([]);
  socket().say(tableNow());
  socket().say({ is: "done", id: socket().told("rematch")[0]!.id, seq: 3 });
  expect(await answer).toMatchObject({ is: "done", seq: 3 });
});

test.each([
  ["was carried out", "done", { is: "done", seq: 7 }],
  ["came too late", "late", { is: "refused", reason: ["ui.too_late", {}] }],
] as const)("after a break a command that %s is answered and not sent again", async (_, fate, reply) => {
  open();
  const answer = connection.send({ do: "move", after: 0, seat: 0, move: "a" });
  ends.after.mockReturnValueOnce(fate);
  socket().end();
  expect(connection.state).toBe("lost");
  await pass(400);
  open(tableNow({ seq: 7 }));
  expect(await answer).toMatchObject(reply);
  expect(socket().told("move")).toEqual([]);
});

test("a device that goes offline says so at once, and comes back when it is online", async () => {
  open();
  dispatchEvent(new Event("offline"));
  expect(connection.state).toBe("lost");
  const sockets = socketCount();
  dispatchEvent(new Event("online"));
  expect(socketCount()).toBe(sockets + 1);
  open(tableNow({ seq: 2 }));
  expect(connection.state).toBe("open");
});

test("silence after a command shows within two seconds and ends with the first word", async () => {
  open();
  await pass(1);
  void connection.send({ do: "rematch" });
  await pass(1999);
  expect(connection.silent).toBe(false);
  expect(socket().told("ping")).toHaveLength(1);
  await pass(1);
  expect([connection.state, connection.silent]).toEqual(["open", true]);
  socket().say({ is: "pong", id: socket().told("ping")[0]!.id });
  expect(connection.silent).toBe(false);
});

test("a slow answer is no silence while the server is heard", async () => {
  open();
  void connection.send({ do: "rematch" });
  await pass(1500);
  socket().say({ is: "pong", id: 0 });
  await pass(3000);
  expect(connection.silent).toBe(false);
});

test("after a break a command is sent again as it is to be now", async () => {
  open();
  const answer = connection.send({ do: "move", after: 0, seat: 0, move: "a" });
  const sent = socket().told("move")[0]!;
  ends.after.mockReturnValueOnce({ ...sent, after: 7 });
  socket().end();
  await pass(400);
  open(tableNow({ seq: 7 }));
  expect(socket().told("move")).toEqual([{ ...sent, after: 7 }]);
  socket().say({ is: "done", id: sent.id, seq: 8 });
  expect(await answer).toMatchObject({ seq: 8 });
});

test("each try to connect waits twice as long as the one before, but never more than eight seconds", async () => {
  open();
  for (const wait of [400, 800, 1600, 3200, 6400, 8000, 8000]) {
    const before = socketCount();
    socket().end();
    await pass(wait - 1);
    expect(socketCount()).toBe(before);
    await pass(1);
    expect(socketCount()).toBe(before + 1);
  }
  open();
  socket().end();
  const before = socketCount();
  await pass(400);
  expect(socketCount()).toBe(before + 1);
});

test("a connection that never opened is not called lost until it has been tried again", async () => {
  socket().end();
  expect(connection.state).toBe("opening");
  await pass(400);
  socket().end();
  expect(connection.state).toBe("lost");
});

test("a server that answers pings is kept, one that does not is given up", async () => {
  open();
  await pass(20_000);
  socket().say({ is: "pong", id: socket().told("ping")[0]!.id });
  await pass(8000);
  expect(connection.state).toBe("open");
  expect(ends.hear).toHaveBeenCalledTimes(1); // the table; pongs are internal
  await pass(20_000);
  expect(connection.state).toBe("lost");
  await pass(400);
  expect(socketCount()).toBe(2);
});

test("a network that is there again is used at once", () => {
  open();
  socket().end();
  dispatchEvent(new Event("online"));
  expect(socketCount()).toBe(2);
});

test.each([4404, OTHER_VERSION])("a server that closes with %i is not asked again", async (code) => {
  open();
  socket().end(code);
  expect(ends.end).toHaveBeenCalledWith(code);
  await pass(60_000);
  dispatchEvent(new Event("online"));
  expect(socketCount()).toBe(1);
});

test("a connection that was closed stays closed", async () => {
  open();
  connection.close();
  await pass(60_000);
  expect(socketCount()).toBe(1);
});

test("a connection that is not there yet is closed once it is, as browsers complain otherwise, and says nothing", () => {
  connection.close();
  expect(socket().readyState).toBe(0);
  socket().accept();
  expect([socket().readyState, socket().heard]).toEqual([3, []]);
});

test("looking again says what is to be seen now", () => {
  connection.watchAgain(); // still connecting: the first message names it anyway
  open();
  connection.watchAgain();
  expect(socket().told("watch")).toHaveLength(2);
});
