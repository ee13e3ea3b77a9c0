// Drives either server: so many tables of two seats, a socket for each seat, the next move as soon as the last is acknowledged.
// node drive.cjs (souk|boardgame) PORT TABLES SECONDS   prints one line of JSON: acknowledged moves, seconds, milliseconds a move,
// and the microseconds of a core that a move takes of this driver: whatever is served, no more moves can be acknowledged than it can make.
const WebSocket = require("ws");
const { io } = require("socket.io-client");

const [which, port, tables, seconds] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const address = `http://127.0.0.1:${port}`;
const MOVES_OF_A_GAME = 96; // boardgame.io's game has no end of its own; Souk's ends after as many
const waits = []; // milliseconds from a move to its acknowledgement
let measuring = false;

async function post(path, body, at = port) {
  const answer = await fetch(`http://127.0.0.1:${at}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: address },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return { json: await answer.json(), cookie: (answer.headers.get("set-cookie") || "").split(";")[0] };
}

function acknowledged(begun) {
  if (measuring) waits.push(performance.now() - begun);
}

// ---------------------------------------------------------------- Souk: any legal move

let version; // of the protocol, as the server has it

async function playSouk() {
  version ??= (await (await fetch(`${address}/api/lobby`)).json()).version;
  const seats = [{ who: "me", name: "One" }, { who: "here", name: "Two" }];
  const made = await post("/api/tables", { game: "fields", seats, options: {} });
  const sockets = await Promise.all([0, 1].map((seat) => watchSouk(made, seat)));
  await Promise.race(sockets.map((each) => each.over));
  sockets.forEach((each) => each.socket.close());
}

function watchSouk(made, seat) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/tables/${made.json.table}/socket`, {
    origin: address,
    headers: { cookie: made.cookie },
    perMessageDeflate: false,
  });
  let id = 0;
  let begun = 0;
  let seq = -1;
  let end;
  const over = new Promise((resolve) => (end = resolve));
  const act = (view) => {
    if (view.over) return end();
    if (!view.actors.includes(seat) || !view.moves.length) return;
    const move = view.moves[Math.floor(Math.random() * view.moves.length)];
    begun = performance.now();
    socket.send(JSON.stringify({ do: "move", id: ++id, after: seq, seat, move }));
  };
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    if (message.is === "table" || message.is === "event") {
      seq = message.seq;
      act(message.view);
    } else if (message.is === "done") acknowledged(begun);
    else if (message.is === "refused" && message.reason[0] !== "table.refused.stale") throw new Error(data);
  });
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => {
      socket.send(JSON.stringify({ do: "watch", version, seat }));
      resolve({ socket, over });
    });
  });
}

// ---------------------------------------------------------------- boardgame.io: its socket messages, without its client's own copy of the game

async function playBoardgame() {
  const { json } = await post("/games/fields/create", { numPlayers: 2 }, port + 1);
  const seats = await Promise.all(
    ["0", "1"].map(async (playerID) => {
      const seat = await post(`/games/fields/${json.matchID}/join`, { playerID, playerName: playerID }, port + 1);
      return { playerID, credentials: seat.json.playerCredentials };
    }),
  );
  await new Promise((resolve) => {
    const sockets = seats.map((seat) => watchBoardgame(json.matchID, seat, () => {
      sockets.forEach((each) => each.close());
      resolve();
    }));
  });
}

function watchBoardgame(match, { playerID, credentials }, end) {
  const socket = io(`${address}/fields`, { transports: ["websocket"], forceNew: true });
  let begun = 0;
  let sent = -1;
  const act = (state) => {
    if (state._stateID >= MOVES_OF_A_GAME) return end();
    if (state.ctx.currentPlayer !== playerID) return;
    sent = state._stateID;
    begun = performance.now();
    const payload = { type: "mark", args: [Math.floor(Math.random() * 49)], playerID, credentials };
    socket.emit("update", { type: "MAKE_MOVE", payload }, sent, match, playerID);
  };
  socket.on("connect", () => socket.emit("sync", match, playerID, credentials, 2));
  socket.on("sync", (_match, info) => act(info.state));
  socket.on("update", (_match, state) => {
    if (sent >= 0 && state._stateID > sent) {
      acknowledged(begun);
      sent = -1;
    }
    act(state);
  });
  return socket;
}

// ---------------------------------------------------------------- so many tables at once, and the count

async function main() {
  const play = which === "souk" ? playSouk : playBoardgame;
  let going = true;
  const table = async () => {
    while (going) await play();
  };
  for (let i = 0; i < tables; i++) table().catch((error) => { console.error(error); process.exit(1); });
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const begun = performance.now();
  const before = process.cpuUsage();
  measuring = true;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  measuring = false;
  const taken = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(before);
  waits.sort((a, b) => a - b);
  const at = (share) => waits[Math.floor(share * (waits.length - 1))];
  console.log(JSON.stringify({ moves: waits.length, seconds: taken, p50: at(0.5), p99: at(0.99), driver_us: (user + system) / waits.length }));
  going = false;
  process.exit(0);
}

main();
