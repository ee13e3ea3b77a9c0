"""Carries out players' commands in a game: play, take back, resign, rematch."""

from collections.abc import Awaitable, Callable

from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_info
from souk.server.common.metrics import Metrics
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.tables.due_work import DueWork, count_move
from souk.server.tables.game.rated_rules import check_unaided
from souk.server.tables.seats import default_bot_level
from souk.server.tables.setup.create import TableFactory
from souk.server.tables.setup.waiting import become_spectator
from souk.server.tables.table import OnStored, Table


class TableCommands:
    """Carries out commands, then runs whatever is due at the table."""

    def __init__(
        self, config: ServerConfig, table_factory: TableFactory, metrics: Metrics, due_work: DueWork
    ) -> None:
        self._table_factory, self._metrics, self._due_work = table_factory, metrics, due_work
        self._resigned_level = default_bot_level(config.levels)  # plays on for those who resign
        # called with the old table, the id of its rematch and the player who asked for it
        self.on_rematch: Callable[[Table, str, bytes], Awaitable[None]] | None = None

    async def play(
        self,
        table: Table,
        player: bytes,
        command: protocol.Move,
        at: float,
        lag: float,
        on_stored: OnStored,
    ) -> None:
        """Play a person's move.

        Args:
            at: when it arrived, in server uptime.
            lag: round-trip time of the connection in seconds.
            on_stored: called with the event's number once the move is on disk.
        """
        table.check_owner(player, command.seat)
        if command.seat in table.state.status.out:
            raise RequestRefused("seat_out", 409)
        await table.play(command.seat, command.move, command.after, at, lag, on_stored)
        count_move(self._metrics, table, "person")
        self._due_work.run(table)

    async def take_back(self, table: Table, player: bytes, command: protocol.TakeBack) -> int:
        """Take a move back without asking: among bots, or while the choice is still secret."""
        table.check_owner(player, command.seat)
        check_unaided(table)
        if not table.state.secret and table.voters() != [table.voting_seat(player)]:
            raise RequestRefused("ask_first", 409)
        if table.event_id and not table.state.secret:
            raise RequestRefused("cannot_take_back", 409)
        seq = await table.take_back(command.seat, command.after)
        self._due_work.run(table)
        return seq

    async def resign(self, table: Table, player: bytes) -> None:
        """Resign a player's seats. Bots play on, unless only one seat can still win."""
        async with table.lock:
            mine = table.seats_of(player)
            if not mine:
                raise RequestRefused("not_your_table", 403)
            table.check_begun()
            if table.position.over or table.state.lesson:
                raise RequestRefused("nothing_to_resign", 409)
            status, texts = table.state.status, [f"resigned {seat}" for seat in mine]
            for text in texts:
                status = status.after(text)
            last_one = ["left"] if status.has_one_contender(len(table.seats)) else []
            seats = [
                table.seats[seat]._replace(stand_in=self._resigned_level, resigned=table.state.seq)
                for seat in mine
            ]
            await table.apply_status_event(*texts, *last_one, seats=seats)
            become_spectator(table, player)
        log_info("resigned", table=table.id)
        table.broadcast_seats()
        self._due_work.run(table)

    async def rematch(self, table: Table, player: bytes, address: str, commitment: str = "") -> int:
        """Create a table for another game with the same players."""
        if not table.seats_of(player):
            raise RequestRefused("not_your_table", 403)
        async with table.lock:
            if not table.over:
                raise RequestRefused("not_over", 409)
            first = not table.rematch
            table.rematch = table.rematch or await self._table_factory.rematch(
                table, player, address, commitment
            )
        table.broadcast(protocol.RematchReady(table.rematch))
        if first and self.on_rematch:
            await self.on_rematch(table, table.rematch, player)
        return table.state.seq
