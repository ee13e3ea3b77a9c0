// boardgame.io's own server with a simple turn-based game: two players mark fields of a 7 by 7 board in turn. State is kept in memory.
const { Server, Origins } = require("boardgame.io/server");

const fields = {
  name: "fields",
  setup: () => ({ fields: Array(49).fill(null), money: [30, 30] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, field) => {
      G.fields[field] = playerID;
      G.money[Number(playerID)] += 1;
    },
  },
};

const server = Server({ games: [fields], origins: [Origins.LOCALHOST] });
const port = Number(process.argv[2]);
server.run({ port, lobbyConfig: { apiPort: port + 1 } }, () => console.log("ready"));
