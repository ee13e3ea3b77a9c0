"""What those at a table ask for, and what follows from it: bots move, a result is told, a table is let go."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from souk.core.facts import Fact
from souk.core.furniture import Sources
from souk.core.record import Record
from souk.table import protocol
from souk.table.beginnings import Beginnings
from souk.table.gauges import Gauges
from souk.table.logs import trouble
from souk.table.rated import check_unaided
from souk.table.reception import Reception
from souk.table.records import Drawn, OnDisk, draws_of, record_of
from souk.table.refusals import Behind, Refuse
from souk.table.relics import Relic, Unreadable
from souk.table.seating import checked_level
from souk.table.settings import Settings
from souk.table.store import Store
from souk.table.table import Kept, Table
from souk.table.tables import Tables
from souk.table.thinkers import Thinkers, Turn
from souk.table.turns import Turns


class Croupier:
    """Carries out commands, and sees to whatever is due then."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        tables: Tables,
        thinkers: Thinkers,
        reception: Reception,
        gauges: Gauges,
        turns: Turns,
    ) -> None:
        self._settings, self._store, self._tables = settings, store, tables
        self._thinkers, self._reception, self._gauges, self._turns = thinkers, reception, gauges, turns
        self.beginnings = Beginnings(settings.dice_time)
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.happened: Callable[[Table], None] = lambda _table: None  # told of a table where something has
        self.asked_again: Callable[[Table, str, bytes], Awaitable[None]] | None = None  # to a rematch, by whom

    async def close(self) -> None:
        """Let what is being written be finished, and stop."""
        self._closing = True
        for table in list(self._tables.open.values()):
            async with table.lock:
                pass
        for task in self._tasks:
            task.cancel()

    # ------------------------------------------------------------ commands

    async def play(
        self, table: Table, player: bytes, command: protocol.Move, at: float, lag: float, kept: Kept
    ) -> None:
        """A person's move, which came at this moment over a line with such a lag; `kept` is told the number of its event."""
        table.check_owner(player, command.seat)
        if command.seat in table.course.fate.out:
            raise Refuse("seat_out", 409)
        await table.play(command.seat, command.move, command.after, at, lag, kept)
        self._count_move(table, "person")
        self.see_to(table)

    async def take_back(self, table: Table, player: bytes, command: protocol.TakeBack) -> int:
        """Alone, where nobody else is to be asked: among bots, or while one's choice is not revealed."""
        table.check_owner(player, command.seat)
        check_unaided(table)
        if not table.course.secret and table.voices() != [table.voice_of(player)]:
            raise Refuse("ask_first", 409)
        if table.evening and not table.course.secret:
            raise Refuse("cannot_take_back", 409)
        seq = await table.take_back(command.seat, command.after)
        self.see_to(table)
        return seq

    async def stand_in(self, table: Table, player: bytes, command: protocol.StandIn) -> int:
        """Let a bot play for somebody who is away."""
        if not table.seats_of(player):
            raise Refuse("not_your_table", 403)
        check_unaided(table)
        checked_level(command.level, self._settings.levels)
        if not 0 <= command.seat < len(table.seats):
            raise Refuse("seat_unknown", what=str(command.seat)[:20])
        async with table.lock:
            row = table.seats[command.seat]
            table.note_who_is_here()
            if row.is_open:
                raise Refuse("open_seat", 409)
            if table.course.lesson or row.kind == "bot" or (row.kind == "person" and command.seat not in table.away):
                raise Refuse("not_away", 409)
            if table.begun and row.kind == "person" and len(table.present()) > 1:
                raise Refuse("decide_together", 409)
            left = [("leaves", command.seat, "")] if table.shares.is_due(command.seat) else []
            await table.change_seat(row._replace(stand_in=command.level), *left)
        table.tell_seats()
        self.see_to(table)
        return table.course.seq

    async def rematch(self, table: Table, player: bytes, address: str, commitment: str = "") -> int:
        """Another game of the same people."""
        if not table.seats_of(player):
            raise Refuse("not_your_table", 403)
        async with table.lock:
            if not table.over:
                raise Refuse("not_over", 409)
            first = not table.rematch
            table.rematch = table.rematch or await self._reception.rematch(table, player, address, commitment)
        table.tell_all(protocol.NextTable(table.rematch))
        if first and self.asked_again:
            await self.asked_again(table, table.rematch, player)
        return table.course.seq

    async def record(self, table: Table) -> Record:
        """The game as a record, as far as it may be known."""
        return await asyncio.to_thread(record_of, await self._on_disk(table))

    async def record_text(self, name: str) -> tuple[str, str]:
        """The game of a table, and its record as text. One that was played by other rules is written as it was kept."""
        try:
            async with self._tables.at(name) as table:
                if not table.old:
                    return table.position.game.name, str(await self.record(table))
                return table.position.game.name, (await self._relic(table)).record(table.course.hidden)
        except Unreadable as found:
            return found.relic.row.game, await asyncio.to_thread(found.relic.record)

    async def _relic(self, table: Table) -> Relic:
        """A table as it is kept."""
        found = await self._store.table(table.id)
        if found is None:
            raise Refuse("table_unknown", 404)
        kept = await self._store.events(table.id), await self._store.steps(table.id), await self._store.notes(table.id)
        row, seats = found
        return Relic(row, seats, *kept)

    async def result(self, table: Table) -> protocol.Result:
        return await asyncio.to_thread(_result, await self._on_disk(table))

    async def _on_disk(self, table: Table) -> OnDisk:
        """Under the table's lock, so that what is read and what is known agree."""
        async with table.lock:
            return OnDisk.of(table, await self._store.events(table.id))

    # ------------------------------------------------------------ what follows

    def see_to(self, table: Table) -> None:
        """Whatever is due after something has happened."""
        if self._closing:
            return
        self._drop_what_nobody_waits_for(table)
        self.happened(table)
        if not table.begun:
            waits = table.is_complete() and not (table.beginning or table.gone or table.old)
            if waits and self._turns.is_ours(table):
                table.beginning = True
                self._do(table, self._begin, table)
        elif table.course.over:
            if table.over and not table.result_told:
                table.result_told = True
                self._do(table, self._tell_result, table)
        elif not (table.gone or table.old or table.course.is_full or table.course.fate.paused):
            for seat in table.course.actors if table.attended and self._turns.is_ours(table) else ():
                if table.is_bots_turn(seat) and seat not in table.thinking:
                    level, position = table.bot_of(seat), table.position.copy()
                    noticed = table.course.noticed.chosen
                    turn = Turn(table.asked_from(), table.id, position, seat, level, noticed, table.course.seq)
                    table.thinking[seat] = table.course.seq, turn
                    self._do(table, self._bot_moves, table, table.course.seq, turn)
        self._tables.let_go(table)

    async def _begin(self, table: Table) -> None:
        try:
            await self.beginnings.see_to(table)
        except Behind:
            pass  # another server sees to it as well
        except Refuse:
            await asyncio.sleep(1.0)  # nothing can be written; then again
        finally:
            table.beginning = False
        self.see_to(table)

    async def _bot_moves(self, table: Table, seq: int, turn: Turn) -> None:
        try:
            move = table.course.written(turn.seat) or await self._thinkers.choose(turn)
            await asyncio.sleep(max(0.0, table.moved + table.pause(self._settings.pace) - time.monotonic()))
            if move and not self._closing and table.waits_for(seq, turn):
                table.note_hurry(turn.seat, turn.hurried)
                await table.play(turn.seat, move, seq)
                self._count_move(table, "bot")
        except Refuse as refused:
            if refused.status == 503 and not isinstance(refused, Behind):
                await asyncio.sleep(1.0)  # nothing can be written; then again
        finally:
            del table.thinking[turn.seat]
        self.see_to(table)

    def _count_move(self, table: Table, who: str) -> None:
        """A lesson is no game that was played, and neither is what is tried out from elsewhere."""
        if table.course.lesson is None and table.opening is None:
            self._gauges.moved(table.position.game.name, who)

    def _drop_what_nobody_waits_for(self, table: Table) -> None:
        """Nobody thinks on where nobody waits, or about what is past."""
        for seq, turn in table.thinking.values():
            if not table.waits_for(seq, turn):
                self._thinkers.drop(turn)
        if not table.attended:
            self._thinkers.forget(table.id)

    async def _tell_result(self, table: Table) -> None:
        if table.watchers:
            table.tell_all(await self.result(table))

    def _do(self, table: Table, work: Callable[..., Coroutine[Any, Any, None]], *arguments: Any) -> None:
        """In a task of its own; what goes wrong there is in the log."""
        task = asyncio.create_task(self._logged(table, work, *arguments))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, table: Table, work: Callable[..., Coroutine[Any, Any, None]], *arguments: Any) -> None:
        with self._tables.kept(table):
            try:
                await work(*arguments)
            except Exception as error:
                trouble("table failed", error, table=table.id)


def _result(found: OnDisk) -> protocol.Result:
    facts: list[Fact] = []
    drawn: list[Drawn] = []
    record = record_of(found, facts.append, drawn.append)
    return protocol.Result(_sources(record, facts), found.dice, draws_of(found, drawn))


def _sources(record: Record, facts: Sequence[Fact]) -> Sources:
    """Where everybody's points came from; of a game that began elsewhere also those that were there already."""
    found = record.game.facts.sources(record.start, facts)
    before = [score - sum(own.values()) for own, score in zip(found, record.position.scores, strict=True)]
    if not record.begins_elsewhere or not any(before):
        return found
    return [{"before": points} | own for own, points in zip(found, before, strict=True)]
