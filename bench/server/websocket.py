"""Our own websocket layer (souk/table/wires.py) beside uvicorn's stock one, in one run.

    python bench/wires.py [--json FILE]  500 tables with 1,000 sockets, rounds in turn: ours, stock, ours, stock

Both serve the same tables with the same code behind the socket; the stock one goes through uvicorn's `websockets-sansio` and a Starlette
route, with a task that reads and one that writes for every connection. Measured: the server's processor time for a move, how long players
wait for an acknowledgement, and the memory of a table with its two sockets.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from load import Crowd, Server
from pedigree import settings, write_figures

from souk.cli import main as souk_command
from souk.table.socket_ends import Closed
from souk.table.sockets import Socket, Sockets
from souk.table.visitors import Visitor

# ---------------------------------------------------------------- the stock layer


class StockLine:
    """A connection of Starlette's: what is posted waits in a queue for the task that writes."""

    def __init__(self) -> None:
        self.waiting: asyncio.Queue[bytes] = asyncio.Queue()

    def post(self, message: bytes) -> None:
        self.waiting.put_nowait(message)

    lag = 0.0

    def measure_lag(self) -> None:
        pass

    def ask_whether_alive(self) -> None:
        """uvicorn sends its own pings."""


async def _write(websocket: Any, line: StockLine) -> None:
    while True:
        await websocket.send_text((await line.waiting.get()).decode())


def _endpoint(sockets: Sockets) -> Any:
    async def talk(websocket: Any) -> None:
        from starlette.websockets import WebSocketDisconnect

        visitor, line = Visitor(websocket.scope, sockets.settings.proxies), StockLine()
        await websocket.accept()
        socket = Socket(sockets.house, line, visitor.player or b"")
        writing = asyncio.create_task(_write(websocket, line))
        try:
            await socket.open(websocket.path_params["table"])
            while True:
                await socket.hear(await websocket.receive_text())
        except (WebSocketDisconnect, Closed):
            pass
        finally:
            writing.cancel()
            socket.leave()

    return talk


def serve_stock() -> None:
    """`souk serve` with the stock layer in the place of ours: its settings come from the environment."""
    import uvicorn
    from starlette.routing import WebSocketRoute

    ours = uvicorn.Config

    def stock(app: Any, **settings: Any) -> uvicorn.Config:
        app.inner.router.routes.insert(0, WebSocketRoute("/api/tables/{table}/socket", _endpoint(app.sockets)))
        return ours(app, **settings | {"ws": "websockets-sansio"})

    uvicorn.Config = stock  # type: ignore[misc,assignment]
    sys.argv = ["souk", "serve"]
    souk_command()


class StockServer(Server):
    """That server in a process of its own."""

    program = (str(Path(__file__).resolve()), "--serve-stock")


# ---------------------------------------------------------------- measuring


def measure(kind: type[Server], tables: int, every: float, seconds: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        server = kind(Path(folder))
        try:
            time.sleep(1)
            Crowd(server.address, 4, 1).play(0.1, 1)  # so that everything is loaded before memory is measured
            before = server.memory()
            crowd = Crowd(server.address, tables, 1)
            start = server.cpu()
            found = crowd.play(every, seconds)
            return {
                "cpu_ms_per_move": round(1000 * (server.cpu() - start) / found["moves"], 3),
                "p50_ms": found["p50_ms"],
                "p99_ms": found["p99_ms"],
                "kb_per_table": round((server.memory() - before) / tables / 1000, 1),
            }
        finally:
            server.stop()


def main() -> None:
    if sys.argv[1:2] == ["--serve-stock"]:
        serve_stock()
        return
    parser = settings(__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--every", type=float, default=2.5, help="seconds between moves at a table")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rounds", type=int, default=2)
    chosen = parser.parse_args()
    rows = []
    for _ in range(chosen.rounds):
        for name, kind in (("ours", Server), ("stock", StockServer)):
            rows.append({"layer": name} | measure(kind, chosen.tables, chosen.every, chosen.seconds))
            print(json.dumps(rows[-1]), flush=True)
    if chosen.json:
        figures = {"tables": chosen.tables, "rows": rows}
        write_figures(chosen.json, figures, n=chosen.rounds, of="rounds", cores=os.cpu_count() or 1)


if __name__ == "__main__":
    main()
