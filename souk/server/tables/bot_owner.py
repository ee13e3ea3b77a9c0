"""Picks one process per table to run its bots and start its game (rendezvous hashing).

Not a lock: processes may disagree for about a second while presence spreads
(`souk.server.tables.peer_processes`). Two may then think about the same move; the event number lets
only one append it. A process that died is forgotten within seconds and another takes over.
"""

from hashlib import blake2b

from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.table import Table


class BotOwner:
    """Tells whether this process runs a table's bots."""

    def __init__(self, peers: PeerProcesses) -> None:
        self._peers = peers

    def is_this_process(self, table: Table) -> bool:
        """Whether this process runs the bots. If nobody has the table open, the asking one does."""
        others = list(table.remote_viewers)
        if not others:
            return True
        if not table.viewers:
            return False
        own = self._peers.bus.name
        return own == max((own, *others), key=lambda process: _weight(process, table.id))


def _weight(process: str, table: str) -> bytes:
    """The same pseudo-random rank on every process, so that tables spread evenly."""
    return blake2b(f"{process} {table}".encode(), digest_size=8).digest()
