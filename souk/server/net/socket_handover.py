"""Hands a table's socket over to the table's home process when several processes share a port.

An optimisation only, as any process can serve any table: if all pages of a table are at one
process, no other has to follow it. The connection is passed with the request over a Unix socket in
a private folder. If the home process does not take it (starting, stopping, overloaded), it is
served where it came in.
"""

import asyncio
import socket
from array import array
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

_LARGEST = 65_536  # bytes of a request: more than souk.server.net.http_connection accepts


class ConnectionRouter:
    """Sends connections to the home process of their table, and receives those sent here."""

    def __init__(self, folder: Path, number: int, count: int) -> None:
        self._folder, self._number, self._count = folder, number, count
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        # makes the protocol of a received connection
        self._make_protocol: Callable[[], asyncio.Protocol] = asyncio.Protocol
        self._tasks = set[asyncio.Task[None]]()

    def home_of(self, table: str) -> int:
        """The number of a table's home process, the same on every process."""
        return int.from_bytes(blake2b(table.encode(), digest_size=8).digest()) % self._count

    def hand_over(self, table: str, connection: asyncio.BaseTransport, request: bytes) -> bool:
        """Pass a connection to its table's home process; returns whether that took it."""
        home = self.home_of(table)
        if home == self._number or len(request) > _LARGEST:
            return False
        try:
            # `socket.send_fds` takes no address before Python 3.13. Once sent, the connection stays
            # open though this process closes its descriptor.
            file = array("i", [connection.get_extra_info("socket").fileno()])
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, file)]
            self._socket.sendmsg([request], rights, 0, str(self._folder / str(home)))
        except OSError:
            return False
        return True

    def receive(self, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        """Serve connections sent here, until `close`."""
        self._make_protocol = make_protocol
        path = self._folder / str(self._number)
        path.unlink(missing_ok=True)
        self._socket.bind(str(path))
        asyncio.get_running_loop().add_reader(self._socket, self._receive)

    async def close(self) -> None:
        """Stop receiving. Connections already on their way are still served, so that they hear of
        the shutdown.
        """
        asyncio.get_running_loop().remove_reader(self._socket)
        while self._receive():
            pass
        self._socket.close()
        await asyncio.gather(*self._tasks)

    def _receive(self) -> bool:
        """Receive one connection; returns whether there was one."""
        try:
            request, files, *_ = socket.recv_fds(self._socket, _LARGEST, 1)
        except OSError:
            return False
        for file in files:
            task = asyncio.get_running_loop().create_task(
                self._serve(socket.socket(fileno=file), request)
            )
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return True

    async def _serve(self, connection: socket.socket, request: bytes) -> None:
        connection.setblocking(False)
        try:
            _, protocol = await asyncio.get_running_loop().connect_accepted_socket(
                self._make_protocol, connection
            )
            protocol.data_received(request)
        except OSError:  # disconnected meanwhile
            connection.close()
