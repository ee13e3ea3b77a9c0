"""Several processes at one port: who asks for a table's socket is led to the process where that table is at home, whichever of them was at the door.

Nothing depends on it, since any process serves any table. It saves work: a table whose pages are all at one process has nobody else who would have to follow what
happens there. The connection itself is handed on, with what was asked, over a Unix socket that each process has in a folder of the house's own; whoever takes its
place takes over the socket too. Where it is not taken, because the other is about to start, about to end or has too much to do, it is served where it came in.
"""

import asyncio
import socket
from array import array
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

_LARGEST = 65_536  # bytes of what is asked: more than souk.table.requests lets in


class Usher:
    """Leads to their tables' processes who came to this one, and takes in those who came to others."""

    def __init__(self, folder: Path, number: int, count: int) -> None:
        self._folder, self._number, self._count = folder, number, count
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._answer: Callable[[], asyncio.Protocol] = asyncio.Protocol  # to whoever is led here
        self._tasks = set[asyncio.Task[None]]()

    def home_of(self, table: str) -> int:
        """The number of the process where a table is at home, alike for all."""
        return int.from_bytes(blake2b(table.encode(), digest_size=8).digest()) % self._count

    def lead_on(self, table: str, connection: asyncio.BaseTransport, asked: bytes) -> bool:
        """Hand a connection to the process where a table is at home; whether it has taken it."""
        home = self.home_of(table)
        if home == self._number or len(asked) > _LARGEST:
            return False
        try:
            # (`socket.send_fds` knows of no address before Python 3.13. Once sent, the connection stays open though we let go of it.)
            file = array("i", [connection.get_extra_info("socket").fileno()])
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, file)]
            self._socket.sendmsg([asked], rights, 0, str(self._folder / str(home)))
        except OSError:
            return False
        return True

    def take_in(self, answer: Callable[[], asyncio.Protocol]) -> None:
        """From now on, until `close`: those who are led here are answered as if they had come here."""
        self._answer = answer
        path = self._folder / str(self._number)
        path.unlink(missing_ok=True)
        self._socket.bind(str(path))
        asyncio.get_running_loop().add_reader(self._socket, self._take)

    async def close(self) -> None:
        """Nobody else is taken in; those who are on their way still are, so that they are told like all others that it ends."""
        asyncio.get_running_loop().remove_reader(self._socket)
        while self._take():
            pass
        self._socket.close()
        await asyncio.gather(*self._tasks)

    def _take(self) -> bool:
        """Take in the next; whether there was one."""
        try:
            asked, files, *_ = socket.recv_fds(self._socket, _LARGEST, 1)
        except OSError:
            return False
        for file in files:
            task = asyncio.get_running_loop().create_task(self._welcome(socket.socket(fileno=file), asked))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return True

    async def _welcome(self, connection: socket.socket, asked: bytes) -> None:
        connection.setblocking(False)
        try:
            _, protocol = await asyncio.get_running_loop().connect_accepted_socket(self._answer, connection)
            protocol.data_received(asked)
        except OSError:  # they have left again
            connection.close()
