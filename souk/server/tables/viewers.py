"""Who looks on at a table, as tables know them."""

from typing import Protocol

from souk.table import protocol


class Onlooker(Protocol):
    """A page at a table, at whichever server."""

    player: bytes  # the digest by which the person is known
    address: str  # under which limits count it
    seat: int  # through whose eyes it looks; NOBODY for a spectator's
    pace: protocol.Pace
    in_sight: bool  # whether the page is visible


class Watcher(Onlooker, Protocol):
    """A socket at a table."""

    here: bool  # until its connection ends

    @property
    def lag(self) -> float:
        """Seconds that a word takes to this page and back."""
        ...

    def measure_lag(self) -> None: ...

    def post(self, message: bytes) -> None: ...
