"""People in the public lobby, in processes of their own, for bench/server/load.py."""

import asyncio
import json
import multiprocessing
import os
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import uvloop
from websockets.sync.client import connect

from bench.support.http import new_cookie, request
from souk.server.protocol.table import VERSION


def handshake(address: str, path: str, cookie: str) -> bytes:
    """The HTTP request that opens a websocket."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {address}", "Connection: Upgrade"]
    lines += ["Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", f"Cookie: souk={cookie}", "", ""]
    return "\r\n".join(lines).encode()


class LobbySocket(asyncio.Protocol):
    """A minimal lobby page: counts what it receives and answers pings."""

    def __init__(self, address: str, cookie: str, counts: dict[str, int]) -> None:
        self._counts = counts
        self._handshake = handshake(address, "/api/lobby/socket", cookie)

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._handshake)

    def data_received(self, data: bytes) -> None:
        self._counts["bytes"] += len(data)
        self._counts["told"] += data.count(b'"is":"board"')
        if b"\x89\x04souk" in data:  # ping
            self._transport.write(b"\x8a\x84" + bytes(4) + b"souk")

    def connection_lost(self, _error: Exception | None) -> None:
        self._counts["lost"] += 1


def lobby_people(address: str, count: int, pipe: Connection) -> None:
    """A process of people in the lobby, while public tables come and go.

    It runs at low priority: in reality these people use other machines.
    """
    os.nice(19)

    async def work() -> None:
        loop, counts = asyncio.get_running_loop(), dict.fromkeys(("bytes", "told", "lost"), 0)
        host, _, port = address.partition(":")
        for number in range(count):
            page = partial(LobbySocket, address, f"{number:032d}", counts)
            await loop.create_connection(page, host, int(port))
        cookie = new_cookie(address)
        pipe.send("ready")
        while not pipe.poll():
            await asyncio.to_thread(_open_and_cancel, address, cookie)
            await asyncio.sleep(0.5)
        pipe.send(counts)

    uvloop.run(work())


def _open_and_cancel(address: str, cookie: str) -> None:
    """Open a public table, watch it for a moment, and cancel it."""
    table = {"game": "suleika", "seats": [{"who": "me"}, {"who": "open"}], "public": True}
    name = request(address, "/api/tables", cookie, table)["table"]
    url = f"ws://{address}/api/tables/{name}/socket"
    with connect(url, additional_headers={"cookie": f"souk={cookie}"}, compression=None) as socket:
        socket.send(json.dumps({"do": "watch", "version": VERSION}))
        time.sleep(1.2)  # the lobby is refreshed every second
        socket.send(json.dumps({"do": "cancel_table", "id": 1}))
        while json.loads(socket.recv()).get("id") != 1:
            pass


def start_processes(work: Callable[..., None], arguments: list[tuple[Any, ...]]) -> list[Any]:
    """Start a process per tuple of arguments; returns their pipes once all are ready."""
    pipes = []
    for each in arguments:
        here, there = multiprocessing.Pipe()
        multiprocessing.Process(target=work, args=(*each, there), daemon=True).start()
        pipes.append(here)
    for pipe in pipes:
        assert pipe.recv() == "ready"
    return pipes


class FullLobby:
    """People in the lobby."""

    def __init__(self, address: str, people: int, processes: int = 2) -> None:
        self._pipes = start_processes(lobby_people, [(address, people // processes)] * processes)

    def leave(self) -> dict[str, int]:
        """Board updates, bytes, and lost connections of all pages."""
        for pipe in self._pipes:
            pipe.send(None)
        counts = [pipe.recv() for pipe in self._pipes]
        return {name: sum(part[name] for part in counts) for name in counts[0]}
