"""Shares votes about absent players between processes, so that each counts all of them."""

import asyncio
import contextlib

from souk.server.bus.bus import BusMessage, ProcessBus
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import AwayChoice
from souk.server.tables.registry import TableRegistry
from souk.server.tables.table import Table
from souk.server.tables.votes.absence import AbsentPlayers


class VoteCast(BusMessage, tag="voted"):
    """A vote on what to do about an absent seat."""

    table: str
    about: int
    voice: int
    choice: AwayChoice
    level: str


class VoteOpened(BusMessage, tag="waited"):
    """Absent seats with their times (uptime) and votes so far, for processes that open the table
    later.
    """

    table: str
    since: dict[int, float]
    votes: dict[int, dict[int, AwayChoice]]


class VoteSync:
    """Exchanges votes. If two processes reach the same decision, the first write wins."""

    def __init__(
        self, bus: ProcessBus, tables: TableRegistry, absent_players: AbsentPlayers
    ) -> None:
        self._bus, self._tables, self._absent_players = bus, tables, absent_players
        self._tasks: set[asyncio.Task[None]] = set()
        absent_players.voted = lambda table, *vote: bus.say(VoteCast(table.id, *vote))
        bus.hear(VoteCast, lambda _sender, message: self._vote_cast(message))
        bus.hear(VoteOpened, lambda _sender, message: self._vote_opened(message))

    def announce(self, table: Table) -> None:
        """Announce a table's votes: another process may have opened it just now."""
        if table.timing.since:
            self._bus.say(VoteOpened(table.id, dict(table.timing.since), table.timing.votes))

    def _vote_cast(self, message: VoteCast) -> None:
        if (table := self._tables.open.get(message.table)) is not None:
            task = asyncio.create_task(self._count(table, message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _count(self, table: Table, message: VoteCast) -> None:
        # RequestRefused: decided already, or the player is back
        with self._tables.pinned(table), contextlib.suppress(RequestRefused):
            await self._absent_players.count_vote(
                table, message.about, message.voice, message.choice, message.level
            )

    def _vote_opened(self, message: VoteOpened) -> None:
        table = self._tables.open.get(message.table)
        if table is None:
            return
        for seat in message.since:
            if table.seats[seat].player not in table.people:
                table.note_long_absence(seat)
        table.update_away()
        table.timing_now()
        table.timing.waited_since(message.since, message.votes)
        table.broadcast_timing()
