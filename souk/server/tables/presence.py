"""Who has a table open, and who is away."""

import asyncio

from souk.server.tables.full_state_message import seats_now
from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.table import Table
from souk.server.tables.viewers import LocalViewer

_MARGIN = 0.01  # seconds, so that timer jitter never cuts the grace period short


class Presence:
    """Handles pages opening and leaving tables."""

    def __init__(self, peers: PeerProcesses) -> None:
        self._peers = peers

    async def enter(self, table: Table, viewer: LocalViewer, after: int) -> None:
        """A page opens a table or switches seats; bots standing in for its player step back."""
        await _returned(table, viewer.player)
        await table.watch(viewer, after)
        self._peers.announce(table)
        update_presence(table)
        update_presence_later(table)

    def leave(self, table: Table, viewer: LocalViewer) -> None:
        table.remove_viewer(viewer)
        self._peers.announce(table)
        if table.viewers:  # the others are told unless the page is back within the grace period
            update_presence_later(table)

    def visibility_changed(self, table: Table) -> None:
        """A page became visible or hidden."""
        self._peers.announce(table)


def update_presence_later(table: Table) -> None:
    """Update presence once the grace period is over."""
    asyncio.get_running_loop().call_later(table.grace + _MARGIN, update_presence, table)


def update_presence(table: Table) -> None:
    """Recompute who is away and tell viewers if it changed."""
    table.update_away()
    if table.sent_seats != seats_now(table):
        table.broadcast_seats()


async def _returned(table: Table, player: bytes) -> None:
    for seat in table.seats_of(player):
        if table.seats[seat].stand_in and seat not in table.state.status.out:
            async with table.lock:
                await table.change_seat(table.seats[seat]._replace(stand_in=""))
            table.bot_scheduler.release_program(table.id, seat)
            table.broadcast_seats()
