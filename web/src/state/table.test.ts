import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { dicePromise, event, hangUp, listen, pass, socket, tableNow, view } from "../../tests/server";
import { NOBODY, VERSION, type DicePromise, type ShareNow, type TableNow, type Told, type View } from "../protocol/table";
import { settings } from "./settings.svelte";
import { newShare, promiseOf, shareOf } from "../dice/shares";
import { Table } from "./table.svelte";
import { dismiss, toasts } from "./toast.svelte";

const TIME = 1000; // ms per event of these games

let table: Table;

beforeEach(() => {
  listen();
  vi.spyOn(Math, "random").mockReturnValue(0.5); // exact reconnect delays
  settings.motion = "on";
  settings.pace = "normal";
  table = sitDown();
});

afterEach(() => {
  table.close();
  for (const { id } of toasts()) dismiss(id);
  hangUp();
});

function sitDown(): Table {
  const found = new Table("T");
  found.duration = () => TIME;
  return found;
}

function open(...now: Parameters<typeof tableNow>): void {
  socket().accept();
  socket().say(tableNow(...now));
}

/** Drop the connection and reconnect to a changed table. */
async function breakAndReturn(...now: Parameters<typeof tableNow>): Promise<void> {
  socket().end();
  await pass(400);
  open(...now);
}

function logged(): number[] {
  return table.lines.map(({ seq }) => seq);
}

function noted(): string[] {
  return toasts().map(({ text }) => text);
}

describe("what has happened is shown", () => {
  test("one thing after the other, each for its time", async () => {
    open();
    const views = [1, 2].map((score) => view({ scores: [score, 0] }));
    socket().say(event(1, { view: views[0] }), event(2, { view: views[1] }));
    expect([table.event?.seq, table.before?.scores, table.view?.scores, table.behind]).toEqual([1, [0, 0], [1, 0], 1]);
    expect([table.busy, logged()]).toEqual([true, [1]]);
    await pass(TIME);
    expect([table.event?.seq, table.before?.scores, table.view?.scores, table.behind]).toEqual([2, [1, 0], [2, 0], 0]);
    await pass(TIME);
    expect([table.busy, logged()]).toEqual([false, [1, 2]]);
  });

  test("event by event, where several were told in one message", async () => {
    open();
    const passed = [{ seq: 1, seat: 0, move: "a", told: [], facts: [], position: { phase: "then" }, scores: [1, 0], scene: { then: 1 } }];
    const end = view({ scores: [1, 2], scene: { now: 2 }, moves: ["b"], actors: [0], asked: ["do", {}] });
    socket().say({ ...event(2, { view: end }), passed });
    expect([table.event?.seq, table.view?.scores, table.view?.moves, table.view?.actors]).toEqual([1, [1, 0], [], []]);
    expect([table.view?.scene, table.view?.asked, table.behind]).toEqual([{ now: 2, then: 1 }, undefined, 1]);
    expect(table.view?.position).toEqual({ ...end.position, phase: "then" });
    expect(table.view).not.toHaveProperty("lost"); // only the final state is shown
    await pass(TIME);
    expect([table.event?.seq, table.view, logged()]).toEqual([2, end, [1, 2]]);
    socket().say({ ...event(2, { view: end }), passed }, event(3));
    await pass(TIME);
    expect([table.event?.seq, logged()]).toEqual([3, [1, 2, 3]]);
  });

  test("at the same time, where it happens at the same time", async () => {
    open();
    table.together = (event, next) => event.seat === null && next.seat === null;
    const seats = [1, null, null, 1];
    socket().say(...seats.map((seat, k) => event(k + 1, { seat, view: view({ scores: [k + 1, 0] }), facts: [{ is: "rolled" }] })));
    await pass(TIME);
    expect([table.event?.seq, table.event?.facts.length, table.before?.scores, table.view?.scores]).toEqual([3, 2, [1, 0], [3, 0]]);
    expect([table.behind, logged()]).toEqual([1, [1, 2, 3]]);
    await pass(TIME);
    expect([table.event?.seq, table.event?.facts.length, logged()]).toEqual([4, 1, [1, 2, 3, 4]]);
  });

  test("at the pace that is set, which the server is told", async () => {
    settings.pace = "fast";
    open();
    expect(socket().heard.at(-1)).toMatchObject({ do: "watch", pace: "fast" });
    socket().say(event(1));
    await pass(TIME / 4);
    expect(table.isAnimating).toBe(false);
    settings.pace = "relaxed";
    table.sendPace();
    expect(socket().heard.at(-1)).toMatchObject({ do: "watch", after: 1, pace: "relaxed" });
    socket().say(tableNow({ seq: 1 }), event(2));
    await pass(1.4 * TIME);
    expect(table.isAnimating).toBe(true);
    await pass(0.2 * TIME);
    expect(table.isAnimating).toBe(false);
    settings.pace = "instant";
    socket().say(event(3));
    await pass(60);
    expect(table.isAnimating).toBe(false);
  });

  test("once, though it be told twice", async () => {
    open({ seq: 1 });
    socket().say(event(1), event(2), event(2));
    await pass(5 * TIME);
    expect(logged()).toEqual([2]);
  });

  test("quickly without motion, and at once where nobody looks", async () => {
    settings.motion = "off";
    open();
    socket().say(event(1));
    await pass(60);
    expect(table.isAnimating).toBe(false);
    vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    socket().say(event(2), event(3));
    await pass(1);
    expect([table.isAnimating, logged()]).toEqual([false, [1, 2, 3]]);
  });

  test("all at once to a player who does not want to wait", async () => {
    open();
    socket().say(event(1), event(2), event(3, { view: view({ scores: [9, 0] }) }));
    table.skipToEnd();
    expect([table.view?.scores, table.event, table.behind, logged()]).toEqual([[9, 0], null, 0, [1, 2, 3]]);
    await pass(0);
    expect(table.busy).toBe(false);
    socket().say(event(4));
    expect([table.event?.seq, table.isAnimating]).toEqual([4, true]);
  });

  test("up to how things stand when the line was broken meanwhile, and no line of the log is lost or doubled", async () => {
    open({ lines: [line(0, 0)] });
    socket().say(event(1), event(2));
    await breakAndReturn({ seq: 4, lines: [line(3, 0), line(4, 1)], view: view({ scores: [4, 4] }) });
    expect([table.view?.scores, table.event, table.behind, logged()]).toEqual([[4, 4], null, 0, [0, 1, 2, 3, 4]]);
    expect(socket().told("watch")).toEqual([{ do: "watch", version: VERSION, after: 2, seat: 0, pace: "normal" }]);
    await pass(0);
    expect(table.busy).toBe(false);
  });
});

describe("a move", () => {
  test("names what was known, and keeps the table busy until it has been shown", async () => {
    open({ seq: 5 });
    const played = table.play("a");
    const move = socket().told("move")[0]!;
    expect(move).toMatchObject({ after: 5, seat: 0, move: "a" });
    expect(table.busy).toBe(true);
    socket().say({ is: "done", id: move.id, seq: 6 });
    expect(await played).toBe(true);
    expect(table.busy).toBe(true);
    socket().say(event(6, { seat: 0 }));
    await pass(TIME);
    expect(table.busy).toBe(false);
  });

  test("is not made while another is under way", async () => {
    open();
    void table.play("a");
    expect(await table.play("b")).toBe(false);
    expect(socket().told("move")).toHaveLength(1);
  });

  test("that is refused says why, with its clause", async () => {
    open();
    const played = table.play("a");
    socket().say({ is: "refused", id: socket().told("move")[0]!.id, reason: ["not there", {}], clause: "S19" });
    expect(await played).toBe(false);
    expect(toasts()).toMatchObject([{ text: "not there", clause: "S19" }]);
    expect(table.busy).toBe(false);
  });

  test("may be asked about without being made", async () => {
    open();
    const told = table.explainMove("rug a1 a2");
    const reason: Told = ["too far", {}];
    socket().say({ is: "answer", id: socket().told("check_legality")[0]!.id, legal: false, reason, clause: "S18" });
    await told;
    expect(toasts()).toMatchObject([{ text: "too far", clause: "S18" }]);
    expect(socket().told("move")).toEqual([]);
  });
});

describe("a command under way when the line breaks", () => {
  test("has been carried out where the log has a line of ours", async () => {
    open();
    const played = table.play("a");
    await breakAndReturn({ seq: 2, lines: [line(1, 0), line(2, 1)] });
    expect(await played).toBe(true);
    expect(socket().told("move")).toEqual([]);
  });

  test("is sent again where nothing has happened", async () => {
    open();
    void table.play("a");
    const sent = socket().told("move");
    await breakAndReturn();
    expect(socket().told("move")).toEqual(sent);
  });

  test("is sent again after what others did, where it is still allowed", async () => {
    open();
    void table.play("a");
    await breakAndReturn({ seq: 3, lines: [line(3, 1)], view: view({ moves: ["a"] }) });
    expect(socket().told("move")).toMatchObject([{ move: "a", after: 3 }]);
  });

  test("comes too late where it is no longer allowed", async () => {
    open();
    const played = table.play("a");
    await breakAndReturn({ seq: 3, lines: [line(3, 1)], view: view({ moves: ["b"] }) });
    expect(await played).toBe(false);
    expect(noted()).toEqual(["ui.too_late"]);
  });

  test("comes too late where it would take back what others have answered", async () => {
    open({ seq: 1, lines: [line(1, 0)] });
    const taken = table.takeBack();
    await breakAndReturn({ seq: 2, lines: [line(2, 1)] });
    expect(await taken).toBe(false);
    expect(socket().told("take_back")).toEqual([]);
  });

  test("is sent again where doing it twice does no harm", async () => {
    open({ view: view({ over: true }) });
    void table.rematch();
    await vi.waitFor(() => expect(socket().told("rematch")).toHaveLength(1));
    await breakAndReturn({ seq: 9, view: view({ over: true }) });
    expect(socket().told("rematch")).toHaveLength(1);
  });
});

describe("two people at one device", () => {
  const both = { mine: [0, 1] };
  const choosing = (actors: number[], secret = false): View => view({ actors, secret });

  test("look through the eyes of the one whose turn it is", async () => {
    open(both);
    socket().say(event(1, { view: view({ actors: [1] }) }));
    await pass(TIME);
    expect(socket().told("watch").at(-1)).toMatchObject({ seat: 1, after: 1 });
    expect(table.busy).toBe(true);
    socket().say(tableNow({ ...both, seq: 1, seat: 1, view: view({ actors: [1] }) }));
    expect([table.seat, table.busy, table.passTo]).toEqual([1, false, null]);
  });

  test("choose in secret one after the other, behind a curtain", async () => {
    open({ ...both, view: choosing([0, 1]) });
    expect(table.passTo).toBe(0);
    table.confirmSeat(0);
    expect(table.passTo).toBe(null);
    socket().say(event(1, { seat: 0, view: choosing([1], true) }));
    await pass(TIME);
    expect(table.passTo).toBe(1);
    table.confirmSeat(1);
    expect(socket().told("watch").at(-1)).toMatchObject({ seat: 1 });
    socket().say(tableNow({ ...both, seq: 1, seat: 1, view: choosing([1], true) }));
    expect([table.passTo, table.busy]).toEqual([null, false]);
  });

  test("say again who they are when there is something else to choose", async () => {
    open({ ...both, view: choosing([0, 1]) });
    table.confirmSeat(0);
    socket().say(event(1, { view: view({ actors: [0] }) }), event(2, { view: choosing([0, 1]) }));
    await pass(2 * TIME);
    expect(table.passTo).toBe(0);
  });

  test("see the curtain only when all that led to it has been shown", async () => {
    open(both);
    socket().say(event(1, { view: choosing([0, 1]) }));
    expect(table.passTo).toBe(null);
    await pass(TIME);
    expect(table.passTo).toBe(0);
  });

  test("leave nothing in sight once both have chosen and others have not", async () => {
    open({ ...both, view: choosing([0, 2], true) });
    table.confirmSeat(0);
    socket().say(event(1, { seat: 0, view: choosing([2], true) }));
    await pass(TIME);
    expect(socket().told("watch").at(-1)).toMatchObject({ seat: NOBODY });
  });
});

describe("a table", () => {
  test("that does not exist says so instead of being shown", () => {
    socket().accept();
    socket().say({ is: "refused", id: null, reason: ["ui.no_such_table", {}], clause: null });
    socket().end(4404);
    expect([table.fault, table.view, table.outdated]).toEqual(["ui.no_such_table", null, false]);
  });

  test("of a newer server asks for the page to be loaded again", () => {
    open();
    socket().end(4426);
    expect(table.outdated).toBe(true);
  });

  test("tells its result, and where it goes on", () => {
    open();
    const result = { sources: [{ rugs: 5 }, { rugs: 3 }], dice: dicePromise({ seed: "s1" }), draws: [] };
    socket().say({ is: "result", ...result }, { is: "rematch_ready", table: "U" });
    expect([table.pointSources?.[0], table.dice.seed, table.rematchTable]).toEqual([{ rugs: 5 }, "s1", "U"]);
  });
});

describe("a table that has not begun", () => {
  const share = (seat: number, commitment: string, now: Partial<ShareNow> = {}): ShareNow => ({
    ...{ seat, commitment, opened: false, missing: false, share: "" },
    ...now,
  });
  const waiting = (dice: Partial<DicePromise>): Partial<TableNow> => ({ view: null, box: null, seq: -1, dice: dicePromise(dice) });
  const told = () => socket().told("reveal_share")[0];

  beforeEach(() => localStorage.clear());

  test("shows no game, until it begins", () => {
    open(waiting({ closed: false, shares: [share(0, "given")] }));
    expect([table.waiting, table.view, table.game]).toEqual([true, null, "suleika"]);
    socket().say(tableNow());
    expect([table.waiting, table.view?.moves]).toEqual([false, ["a", "b"]]);
  });

  test("is given a share where none of ours is in it yet, once", async () => {
    open(waiting({ closed: false, shares: [share(1, "given"), share(0, "")] }));
    await vi.waitFor(() => expect(socket().told("commit_share")).toHaveLength(1));
    const { seat, commitment, id } = socket().told("commit_share")[0]!;
    expect([seat, commitment.length, shareOf(commitment).length]).toEqual([0, 64, 64]);
    socket().say({ is: "dice", dice: dicePromise({ closed: false, shares: [share(1, "given"), share(0, commitment)] }) });
    socket().say({ is: "done", id, seq: -1 });
    await pass(10);
    expect(socket().told("commit_share")).toHaveLength(1);
  });

  test("is told our share when it is its turn, and what we were shown is kept", async () => {
    const commitment = await newShare();
    const shares = [share(1, "given", { opened: true }), share(0, commitment)];
    open(waiting({ turn: 1, shares }));
    await pass(1);
    expect(told()).toBeUndefined();
    socket().say({ is: "dice", dice: dicePromise({ turn: 0, shares }) });
    await pass(1);
    expect(told()).toMatchObject({ seat: 0, share: shareOf(commitment) });
    const listed = [
      [1, "given"],
      [0, commitment],
    ];
    expect(promiseOf("T", dicePromise())).toEqual({ digest: "d1", listed, mine: commitment, told: false });
    socket().say({ is: "done", id: told()!.id, seq: -1 });
    await pass(1);
    expect(promiseOf("T", dicePromise()).told).toBe(true);
  });

  test("is told our share again where the line broke", async () => {
    const shares = [share(0, await newShare())];
    open(waiting({ turn: 0, shares }));
    await pass(1);
    await breakAndReturn(waiting({ turn: 0, shares }));
    await pass(1);
    expect(told()).toMatchObject({ seat: 0, share: shareOf(shares[0]!.commitment) });
  });

  test("is told nothing by a device that has not drawn the share", async () => {
    open(waiting({ turn: 0, shares: [share(0, "drawn elsewhere")] }));
    await pass(1);
    expect(told()).toBeUndefined();
    expect(noted()).toEqual([]);
  });

  test("is told nothing where the server has changed its digest, and that is said", async () => {
    const shares = [share(0, await newShare())];
    open(waiting({ closed: false, shares }));
    socket().say({ is: "dice", dice: dicePromise({ digest: "d2", turn: 0, shares }) });
    await pass(1);
    expect(told()).toBeUndefined();
    expect(noted()).toEqual(["fair.broken"]);
  });

  test("says who is missing in its dice when it begins", () => {
    open(waiting({ turn: 1, shares: [share(1, "given")] }));
    socket().say(tableNow({ dice: dicePromise({ shares: [share(1, "given", { missing: true })] }) }));
    expect(noted()).toEqual(["fair.without"]);
  });
});

function line(seq: number, seat: number) {
  return { seq, seat, told: [] };
}

describe("a table that has not begun", () => {
  const dice = dicePromise({ closed: false, shares: [{ seat: 0, commitment: "c", opened: false, missing: false, share: "" }] });
  const free = { name: "", kind: "free", open: true };

  test("says who has come and who has left, and how many seats are open", () => {
    const host = { name: "Amina", kind: "person" };
    open({ view: null, dice, seats: [host, free, free] });
    expect([table.isHost, table.openSeats, noted()]).toEqual([true, 2, []]);
    socket().say({ is: "seats", seats: [host, { name: "Yusuf", kind: "person" }, free], mine: [0] });
    expect([table.openSeats, noted()]).toEqual([1, ["join.came"]]);
    socket().say({ is: "seats", seats: [host, free, free], mine: [0] });
    expect(noted()).toEqual(["join.came", "join.went"]);
  });

  test("is gone for good once it is cancelled", async () => {
    open({ view: null, dice, mine: [1], seat: 1 });
    expect(table.isHost).toBe(false);
    socket().say({ is: "refused", id: null, reason: ["table.refused.cancelled", {}], clause: null });
    // texts are loaded first
    await vi.waitFor(() => expect([table.fault, noted()]).toEqual(["table.refused.cancelled", []]));
  });

  test("is left once, also where the line breaks meanwhile", async () => {
    open({ view: null, dice, mine: [1], seat: 1 });
    const left = table.leave();
    await breakAndReturn({ view: null, dice, mine: [], seat: NOBODY });
    expect([await left, socket().told("leave_table")]).toEqual([true, []]);
  });
});
