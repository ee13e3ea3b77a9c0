"""Which of the processes that have a table open lets its bots think and sees to its beginning: one of them, so that nothing is thought about twice.

It is no lock. All processes know who has pages at a table (`souk.table.neighbours`) and work out the same answer from that; for the second in which they
know different things two may think about one move, and the number of the event sees to it that one of them is made. A process that has died is forgotten
within seconds, and then it is another's turn.
"""

from hashlib import blake2b

from souk.table.neighbours import Neighbours
from souk.table.table import Table


class Turns:
    """Says whose turn it is."""

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours

    def is_ours(self, table: Table) -> bool:
        """Whether this process sees to a table. Where nobody has it open, whoever asks does: something has just happened there."""
        others = list(table.elsewhere)
        if not others:
            return True
        if not table.watchers:
            return False
        own = self._neighbours.news.name
        return own == max((own, *others), key=lambda process: _draw(process, table.id))


def _draw(process: str, table: str) -> bytes:
    """Drawn by lot, alike everywhere: so that tables are spread over the processes that have them open."""
    return blake2b(f"{process} {table}".encode(), digest_size=8).digest()
