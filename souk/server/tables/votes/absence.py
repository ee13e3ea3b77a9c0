"""Gives the seat of an absent player to a bot, on request or by a vote, and back again.

A single player decides alone (`stand_in`), several vote (`vote`). Returning to the table takes the
seat back (`souk.server.tables.presence`). A clock that runs out is handled in
`souk.server.tables.timing.clock_watcher`.
"""

from collections.abc import Callable

from souk.server.common.config import ServerConfig
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.tables.due_work import DueWork
from souk.server.tables.game.rated_rules import check_unaided
from souk.server.tables.seats import checked_level
from souk.server.tables.table import Table
from souk.server.tables.votes.voters import majority, voting_seat


class AbsentPlayers:
    """Seats of absent players: stand-ins and votes."""

    def __init__(self, config: ServerConfig, due_work: DueWork) -> None:
        self._config, self._due_work = config, due_work
        # called for each vote, so that other processes count it too
        self.voted: Callable[[Table, int, int, protocol.AwayChoice, str], None] = lambda *_vote: (
            None
        )

    async def stand_in(self, table: Table, player: bytes, command: protocol.StandIn) -> int:
        """Let a bot play for an absent player."""
        if not table.seats_of(player):
            raise RequestRefused("not_your_table", 403)
        check_unaided(table)
        checked_level(command.level, self._config.levels)
        if not 0 <= command.seat < len(table.seats):
            raise RequestRefused("seat_unknown", what=str(command.seat)[:20])
        async with table.lock:
            row = table.seats[command.seat]
            table.update_away()
            if row.is_open:
                raise RequestRefused("open_seat", 409)
            if (
                table.state.lesson
                or row.kind == "bot"
                or (row.kind == "person" and command.seat not in table.away)
            ):
                raise RequestRefused("not_away", 409)
            if table.begun and row.kind == "person" and len(table.present()) > 1:
                raise RequestRefused("decide_together", 409)
            left = [("leaves", command.seat, "")] if table.shares.is_due(command.seat) else []
            await table.change_seat(row._replace(stand_in=command.level), *left)
        table.broadcast_seats()
        self._due_work.run(table)
        return table.state.seq

    async def replace_bot(self, table: Table, player: bytes, command: protocol.ReplaceBot) -> int:
        """Take the seat back from the bot."""
        table.check_owner(player, command.seat)
        async with table.lock:
            table.check_begun()
            if command.seat in table.state.status.out:
                raise RequestRefused("seat_out", 409)
            row = table.seats[command.seat]
            if row.stand_in:
                await table.change_seat(row._replace(stand_in=""))
        table.bot_scheduler.release_program(table.id, command.seat)
        table.broadcast_seats()
        self._due_work.run(table)
        return table.state.seq

    async def vote(self, table: Table, player: bytes, command: protocol.VoteOnAbsence) -> int:
        """Vote on an absent player once the waiting time is over."""
        table.check_owner(player, command.seat)
        if table.rated:
            raise RequestRefused("rated_clock_decides", 409)
        if command.choice == "stand_in" and command.level not in self._config.levels:
            raise RequestRefused("level_unknown", level=command.level[:20])
        voter = voting_seat(table, player)
        await self.count_vote(
            table, command.about, voter, command.choice, command.level, self.voted
        )
        return table.state.seq

    async def count_vote(
        self,
        table: Table,
        about: int,
        voter: int,
        choice: protocol.AwayChoice,
        level: str,
        counted: Callable[[Table, int, int, protocol.AwayChoice, str], None] = lambda *_vote: None,
    ) -> None:
        """Count a vote, made here or on another process, and act on a majority. `counted` is called
        before that.
        """
        async with table.lock:
            table.update_away()
            table.timing_now()
            wait = table.timing.decide_in(about)
            if wait is None or voter not in table.present():
                raise RequestRefused("not_away", 409)
            if wait > 0:
                raise RequestRefused("away_not_yet", 409)
            votes = table.timing.votes.setdefault(about, {})
            votes[voter] = choice
            counted(table, about, voter, choice, level)
            await self._apply_choice(table, about, majority(dict(votes), table.present()), level)
        table.broadcast_seats()
        self._due_work.run(table)

    async def _apply_choice(self, table: Table, about: int, choice: str, level: str) -> None:
        row = table.seats[about]
        if choice == "stand_in":
            await table.change_seat(row._replace(stand_in=level or self._config.levels[0]))
        elif choice == "wait":
            table.timing.wait_again(about)
        elif choice == "end":
            await table.apply_status_event("no_result")
