"""Measures our websocket layer (souk/server/net/websocket.py) beside uvicorn's.

    python -m bench.server.websocket [--tables N] [--every S] [--seconds S] [--rounds N]

Both serve the same tables, in alternating rounds. uvicorn's `websockets-sansio` runs behind a
Starlette route with a reading and a writing task per connection. Measures CPU time per move,
latency, and memory per table with its two sockets.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.server.load import Crowd, Server
from bench.support.provenance import figures_parser, write_figures
from souk.cli.main import main as souk_command
from souk.server.common.client import Client
from souk.server.net.connection import CloseSocket, SocketClient
from souk.server.net.table_socket import SocketServer, TableSocket

# ---------------------------------------------------------------- uvicorn's layer


class StockConnection:
    """A Starlette connection: messages wait in a queue for the writing task."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes] = asyncio.Queue()

    def post(self, message: bytes) -> None:
        self.queue.put_nowait(message)

    lag = 0.0

    def measure_lag(self) -> None:
        pass

    def ping(self) -> None:
        """uvicorn sends its own pings."""


async def _write(websocket: Any, connection: StockConnection) -> None:
    while True:
        await websocket.send_text((await connection.queue.get()).decode())


def _endpoint(sockets: SocketServer) -> Any:
    async def talk(websocket: Any) -> None:
        from starlette.websockets import WebSocketDisconnect

        client, connection = Client(websocket.scope, sockets.config.proxies), StockConnection()
        await websocket.accept()
        socket = TableSocket(sockets.services, connection, SocketClient(client.player or b""))
        writing = asyncio.create_task(_write(websocket, connection))
        try:
            await socket.open(websocket.path_params["table"])
            while True:
                await socket.handle(await websocket.receive_text())
        except (WebSocketDisconnect, CloseSocket):
            pass
        finally:
            writing.cancel()
            socket.leave()

    return talk


def serve_stock() -> None:
    """`souk serve` with uvicorn's websocket layer, configured by the environment."""
    import uvicorn
    from starlette.routing import WebSocketRoute

    ours = uvicorn.Config

    def stock(app: Any, **settings: Any) -> uvicorn.Config:
        app.inner.router.routes.insert(
            0, WebSocketRoute("/api/tables/{table}/socket", _endpoint(app.sockets))
        )
        return ours(app, **settings | {"ws": "websockets-sansio"})

    uvicorn.Config = stock  # type: ignore[misc,assignment]
    sys.argv = ["souk", "serve"]
    souk_command()


class StockServer(Server):
    """The same in a process of its own."""

    program = ("-m", "bench.server.websocket", "--serve-stock")


# ---------------------------------------------------------------- measuring


def measure(kind: type[Server], tables: int, every: float, seconds: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        server = kind(Path(folder))
        try:
            time.sleep(1)
            Crowd(server.address, 4, 1).play(0.1, 1)  # load everything before measuring memory
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
    parser = figures_parser(__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--every", type=float, default=2.5, help="seconds between moves at a table")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    rows = []
    for _ in range(args.rounds):
        for name, kind in (("ours", Server), ("stock", StockServer)):
            rows.append({"layer": name} | measure(kind, args.tables, args.every, args.seconds))
            print(json.dumps(rows[-1]), flush=True)
    if args.json:
        figures = {"tables": args.tables, "rows": rows}
        write_figures(args.json, figures, n=args.rounds, of="rounds", cores=os.cpu_count() or 1)


if __name__ == "__main__":
    main()
