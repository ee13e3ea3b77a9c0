"""Runs whatever is due after a change of a table: its start, bot moves, its result, unloading."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_error
from souk.server.common.metrics import Metrics
from souk.server.compute.scheduler import BotRequest, BotScheduler
from souk.server.protocol.errors import RequestRefused, StaleTable
from souk.server.tables.bot_owner import BotOwner
from souk.server.tables.record_reader import RecordReader
from souk.server.tables.registry import TableRegistry
from souk.server.tables.setup.start import GameStart
from souk.server.tables.table import Table


class DueWork:
    """Runs due work in tasks that keep their table in memory."""

    def __init__(
        self,
        config: ServerConfig,
        tables: TableRegistry,
        bot_scheduler: BotScheduler,
        metrics: Metrics,
        bot_owner: BotOwner,
        game_start: GameStart,
        records: RecordReader,
    ) -> None:
        self._config, self._tables, self._bot_scheduler = config, tables, bot_scheduler
        self._metrics, self._bot_owner = metrics, bot_owner
        self._game_start, self._records = game_start, records
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        # called after every change of a table
        self.on_change: Callable[[Table], None] = lambda _table: None

    async def close(self) -> None:
        """Wait for writes in progress, then cancel all tasks."""
        self._closing = True
        for table in list(self._tables.open.values()):
            async with table.lock:
                pass
        for task in self._tasks:
            task.cancel()

    def run(self, table: Table) -> None:
        """Start whatever is due after a change: the game's start, bot moves, the result."""
        if self._closing:
            return
        self._drop_unwanted_requests(table)
        self.on_change(table)
        if not table.begun:
            waits = table.is_complete() and not (table.is_starting or table.deleted or table.old)
            if waits and self._bot_owner.is_this_process(table):
                table.is_starting = True
                self._spawn(table, self._start_game, table)
        elif table.state.over:
            if table.over and not table.result_sent:
                table.result_sent = True
                self._spawn(table, self._send_result, table)
        elif not (table.deleted or table.old or table.state.is_full or table.state.status.paused):
            for seat in (
                table.state.actors
                if table.bots_active and self._bot_owner.is_this_process(table)
                else ()
            ):
                if table.is_bot_to_move(seat) and seat not in table.bot_requests:
                    level, position = table.bot_of(seat), table.position.copy()
                    revealed = table.state.revealed.chosen
                    request = BotRequest(
                        table.bot_client_address(),
                        table.id,
                        position,
                        seat,
                        level,
                        revealed,
                        table.state.seq,
                    )
                    table.bot_requests[seat] = table.state.seq, request
                    self._spawn(table, self._play_bot_move, table, table.state.seq, request)
        self._tables.unload_if_idle(table)

    async def _start_game(self, table: Table) -> None:
        try:
            await self._game_start.start(table)
        except StaleTable:
            pass  # another server is starting it too
        except RequestRefused:
            await asyncio.sleep(1.0)  # the database cannot be written; try again
        finally:
            table.is_starting = False
        self.run(table)

    async def _play_bot_move(self, table: Table, seq: int, request: BotRequest) -> None:
        try:
            move = table.state.scripted_move(request.seat) or await self._bot_scheduler.choose(
                request
            )
            await asyncio.sleep(
                max(
                    0.0, table.last_event_at + table.bot_pause(self._config.pace) - time.monotonic()
                )
            )
            if move and not self._closing and table.is_wanted(seq, request):
                table.note_hurry(request.seat, request.hurried)
                await table.play(request.seat, move, seq)
                count_move(self._metrics, table, "bot")
        except RequestRefused as refused:
            if refused.status == 503 and not isinstance(refused, StaleTable):
                await asyncio.sleep(1.0)  # the database cannot be written; try again
        finally:
            del table.bot_requests[request.seat]
        self.run(table)

    def _drop_unwanted_requests(self, table: Table) -> None:
        """Drop bot requests that are outdated or that nobody waits for."""
        for seq, request in table.bot_requests.values():
            if not table.is_wanted(seq, request):
                self._bot_scheduler.drop(request)
        if not table.bots_active:
            self._bot_scheduler.forget(table.id)

    async def _send_result(self, table: Table) -> None:
        if table.viewers:
            table.broadcast(await self._records.result(table))

    def _spawn(
        self, table: Table, work: Callable[..., Coroutine[Any, Any, None]], *arguments: Any
    ) -> None:
        """Run in a task; errors are logged."""
        task = asyncio.create_task(self._logged(table, work, *arguments))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(
        self, table: Table, work: Callable[..., Coroutine[Any, Any, None]], *arguments: Any
    ) -> None:
        with self._tables.pinned(table):
            try:
                await work(*arguments)
            except Exception as error:
                log_error("table failed", error, table=table.id)


def count_move(metrics: Metrics, table: Table, who: str) -> None:
    """Count a move in the metrics, lessons and branches excepted."""
    if table.state.lesson is None and table.opening is None:
        metrics.move_made(table.position.game.name, who)
