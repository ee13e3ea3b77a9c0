"""People in the public lobby, for bench/load.py: pages that are told what comes and goes, in processes of their own."""

import asyncio
import json
import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from typing import Any

import uvloop
from asking import asked, cookie_of
from websockets.sync.client import connect

from souk.table.protocol import VERSION


class LobbyWire(asyncio.Protocol):
    """A page in the lobby, as thin as can be: counts what it is told, and answers pings."""

    def __init__(self, address: str, cookie: str, found: dict[str, int]) -> None:
        self._found, self._data = found, b""
        self._head = (
            f"GET /api/lobby/socket HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: souk={cookie}\r\n\r\n"
        )

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._head.encode())

    def data_received(self, data: bytes) -> None:
        self._found["bytes"] += len(data)
        self._found["told"] += data.count(b'"is":"board"')
        if b"\x89\x04souk" in data:  # a ping
            self._transport.write(b"\x8a\x84" + bytes(4) + b"souk")

    def connection_lost(self, _error: Exception | None) -> None:
        self._found["lost"] += 1


def lobby_people(address: str, count: int, pipe: Connection) -> None:
    """A process of people in the lobby. Some of them open public tables and leave again, so that there is something to tell. Truly they would be
    elsewhere: so that they take nothing from the server and from the players' watches, they come last on this machine."""
    os.nice(19)

    async def work() -> None:
        loop, found = asyncio.get_running_loop(), dict.fromkeys(("bytes", "told", "lost"), 0)
        host, _, port = address.partition(":")
        for number in range(count):
            cookie = f"{number:032d}"
            await loop.create_connection(lambda cookie=cookie: LobbyWire(address, cookie, found), host, int(port))  # type: ignore[misc]
        cookie = cookie_of(address)
        pipe.send("ready")
        while not pipe.poll():
            await asyncio.to_thread(_come_and_go, address, cookie)
            await asyncio.sleep(0.5)
        pipe.send(found)

    uvloop.run(work())


def _come_and_go(address: str, cookie: str) -> None:
    """Somebody opens a public table, looks at it for a moment, and cancels it."""
    wish = {"game": "suleika", "seats": [{"who": "me"}, {"who": "open"}], "public": True}
    table = asked(address, "/api/tables", cookie, wish)["table"]
    url = f"ws://{address}/api/tables/{table}/socket"
    with connect(url, additional_headers={"cookie": f"souk={cookie}"}, compression=None) as socket:
        socket.send(json.dumps({"do": "watch", "version": VERSION}))
        time.sleep(1.2)  # the board is looked at every second
        socket.send(json.dumps({"do": "cancel", "id": 1}))
        while json.loads(socket.recv()).get("id") != 1:
            pass


class FullLobby:
    """So many people in the lobby."""

    def __init__(self, address: str, people: int, processes: int = 2) -> None:
        self.people, self._pipes = people, []
        for _ in range(processes):
            here, there = multiprocessing.Pipe()
            multiprocessing.Process(
                target=lobby_people, args=(address, people // processes, there), daemon=True
            ).start()
            self._pipes.append(here)
        for pipe in self._pipes:
            assert pipe.recv() == "ready"

    def leave(self) -> dict[str, int]:
        """How often a page was told something, how many bytes all of them, and how many were cut off."""
        for pipe in self._pipes:
            pipe.send(None)
        found = [pipe.recv() for pipe in self._pipes]
        return {name: sum(each[name] for each in found) for name in found[0]}
