"""Protocols for pages that view a table."""

from typing import Protocol

from souk.server.protocol import table as protocol


class Viewer(Protocol):
    """A page at a table, connected to any process."""

    player: bytes  # digest of the cookie
    address: str  # client address for rate limits
    seat: int  # seat it sees the table from; NOBODY for spectators
    pace: protocol.Pace
    visible: bool  # whether the page is visible


class LocalViewer(Viewer, Protocol):
    """A socket at a table."""

    connected: bool  # False once its connection has ended

    @property
    def lag(self) -> float:
        """Round-trip time to the page in seconds."""
        ...

    def measure_lag(self) -> None: ...

    def post(self, message: bytes) -> None: ...
