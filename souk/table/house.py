"""All tables of a server: those in play are in memory, all others in the store."""

import asyncio
import hmac
import re
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from souk.core.furniture import Sources
from souk.core.record import Record
from souk.games import game as find_game
from souk.games import names as game_names
from souk.table import protocol, views
from souk.table.bots import Bots
from souk.table.course import Course
from souk.table.fairness import digest_of, new_seed
from souk.table.lobby import game_cards, table_card
from souk.table.logs import note, trouble
from souk.table.records import record_of
from souk.table.refusals import Refuse, reason_of
from souk.table.seating import checked_name, digest, new_table_id, seat_rows
from souk.table.settings import Settings
from souk.table.store import NotKept, SeatRow, Store, TableRow
from souk.table.table import Table, Watcher

_MOST_LISTED = 60  # tables in a lobby
_TABLE_ID = re.compile(r"[\w-]{16}")
_OPTION_TEXT = re.compile(r"\w{1,20}")  # names of what is in the box; never the path of a file


class House:
    """All tables."""

    def __init__(self, settings: Settings, store: Store, bots: Bots) -> None:
        self.settings, self.store, self.bots = settings, store, bots
        self.tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    def start(self) -> None:
        self.bots.start(self._bots_awake)

    async def close(self) -> None:
        """Finish what is being written, and stop."""
        self._closing = True
        for table in list(self.tables.values()):
            async with table.lock:
                pass
        for task in self._tasks:
            task.cancel()
        await self.bots.close()
        await self.store.close()

    # ------------------------------------------------------------ the lobby

    async def lobby(self, player: bytes | None) -> protocol.Lobby:
        tables = await self.store.tables_of(player, _MOST_LISTED) if player else []
        cards = [table_card(row, seats, player) for row, seats in tables]
        return protocol.Lobby(protocol.VERSION, game_cards(), list(self.settings.levels), cards)

    async def new_table(self, wish: protocol.NewTable, player: bytes) -> protocol.TableMade:
        """Lay out a new table."""
        if wish.game not in game_names():
            raise Refuse("game_unknown")
        rows, invitations = seat_rows(wish.seats, player, self.settings.levels)
        _check_options(wish.options)
        row = await self._lay_out(wish.game, wish.options, rows)
        return protocol.TableMade(row.id, invitations)

    async def _lay_out(self, game: str, options: dict[str, Any], seats: Sequence[SeatRow]) -> TableRow:
        seed = new_seed()
        try:
            course = Course(find_game(game).start(len(seats), **options), seed)
        except ValueError as error:
            refused = Refuse("options")
            refused.reason = reason_of(error)
            raise refused from None
        happenings = course.begin()
        position, now = course.position, time.time()
        row = TableRow(
            new_table_id(),
            game,
            position.game.version,
            position.players,
            position.options,
            seed,
            digest_of(seed),
            now,
            now,
            course.standing(),
        )
        try:
            await self.store.add_table(row, seats, [each.row() for each in happenings])
        except NotKept:
            raise Refuse("not_kept", 503) from None
        self.bots.wanted(game)
        note("new table", table=row.id, game=game, players=len(seats))
        return row

    async def sit_down(self, name: str, wish: protocol.SitDown, player: bytes) -> protocol.Seated:
        """Take a seat that was offered by link."""
        async with self.at(name) as table:
            async with table.lock:
                row = _invited(table, wish.secret)
                if row.kind != "free":
                    if row.player == player:
                        return protocol.Seated(table.id, row.seat)
                    raise Refuse("seat_taken", 409)
                plain = checked_name(wish.name) or row.name or f"Guest {row.seat + 1}"
                await table.change_seat(row._replace(kind="person", name=plain, player=player, stand_in=""))
            note("sat down", table=table.id, seat=row.seat)
            self._note_presence(table)
            return protocol.Seated(table.id, row.seat)

    # ------------------------------------------------------------ tables in memory

    @asynccontextmanager
    async def at(self, name: str) -> AsyncIterator[Table]:
        """A table by its id, for a question."""
        table = await self.take(name)
        try:
            yield table
        finally:
            self.put_back(table)

    async def take(self, name: str) -> Table:
        """A table by its id, loaded where need be. It stays in memory until it is put back."""
        if not _TABLE_ID.fullmatch(name):
            raise Refuse("table_unknown", 404)
        while (table := self.tables.get(name)) is None:
            if name not in self._loading:
                task = self._loading[name] = asyncio.create_task(self._load(name))
                task.add_done_callback(lambda _: self._loading.pop(name))
            await asyncio.shield(self._loading[name])
        table.guests += 1
        return table

    def put_back(self, table: Table) -> None:
        table.guests -= 1
        self._let_go(table)

    async def _load(self, name: str) -> None:
        found = await self.store.table(name)
        if found is None:
            raise Refuse("table_unknown", 404)
        row, seats = found
        if row.rules != find_game(row.game).version:
            raise Refuse("other_rules", 409)
        table = Table(row, seats, self.store, self.bots)
        events = await self.store.events(name)
        if not all(event.told for event in events):
            await self.store.retell(name, list(table.course.retell(events)))
        table.load(events)
        table.note_who_is_here()
        self.tables[name] = table

    def _let_go(self, table: Table) -> None:
        """Forget a table where nobody looks on and no bot is to move."""
        if not table.guests and not table.thinking:
            self.tables.pop(table.id, None)

    # ------------------------------------------------------------ those who watch

    async def enter(self, table: Table, watcher: Watcher, after: int) -> None:
        """Somebody opens a table, or looks through another seat."""
        await self._returned(table, watcher.player)
        await table.watch(watcher, after)
        self._note_presence(table)
        if table.position.over:
            watcher.post(views.encode(await self._result(table)))
        self._see_to(table)

    def leave(self, table: Table, watcher: Watcher) -> None:
        if watcher in table.watchers:
            table.watchers.remove(watcher)
        if table.watchers:  # those who are left are told, unless it was only a moment
            asyncio.get_running_loop().call_later(self.settings.grace, self._note_presence, table)

    async def _returned(self, table: Table, player: bytes) -> None:
        """A person's seats are theirs again."""
        for seat in table.seats_of(player):
            if table.seats[seat].stand_in:
                async with table.lock:
                    await table.change_seat(table.seats[seat]._replace(stand_in=""))
                table.tell_seats()

    def _note_presence(self, table: Table) -> None:
        """Tell who is there and who is away, where that has changed."""
        table.note_who_is_here()
        if table.told_seats != table.seats_now():
            table.tell_seats()

    # ------------------------------------------------------------ commands

    async def play(self, table: Table, player: bytes, command: protocol.Move) -> int:
        table.check_owner(player, command.seat)
        seq = await table.play(command.seat, command.move, command.after)
        self._see_to(table)
        return seq

    async def take_back(self, table: Table, player: bytes, command: protocol.TakeBack) -> int:
        table.check_owner(player, command.seat)
        seq = await table.take_back(command.seat, command.after)
        self._see_to(table)
        return seq

    async def stand_in(self, table: Table, player: bytes, command: protocol.StandIn) -> int:
        """Let a bot play for somebody who is away."""
        if not table.seats_of(player):
            raise Refuse("not_your_table", 403)
        if command.level not in self.settings.levels:
            raise Refuse("level_unknown", level=command.level[:20])
        if not 0 <= command.seat < len(table.seats):
            raise Refuse("seat_unknown", what=str(command.seat)[:20])
        async with table.lock:
            row = table.seats[command.seat]
            if row.kind == "bot" or (row.kind == "person" and command.seat not in table.away):
                raise Refuse("not_away", 409)
            await table.change_seat(row._replace(stand_in=command.level))
        table.tell_seats()
        self._see_to(table)
        return table.course.seq

    async def rematch(self, table: Table, player: bytes) -> int:
        """The same people, a new game."""
        if not table.seats_of(player):
            raise Refuse("not_your_table", 403)
        async with table.lock:
            if not table.position.over:
                raise Refuse("not_over", 409)
            if not table.rematch:
                seats = [seat._replace(stand_in="") for seat in table.seats]
                row = await self._lay_out(table.position.game.name, table.options, seats)
                try:
                    await self.store.continue_at(table.id, row.id)
                except NotKept:
                    raise Refuse("not_kept", 503) from None
                table.rematch = row.id
        table.tell_all(protocol.NextTable(table.rematch))
        return table.course.seq

    # ------------------------------------------------------------ what follows

    def _see_to(self, table: Table) -> None:
        """Whatever is due after something has happened: bots move, a result is told, a table is let go."""
        if self._closing:
            return
        if table.position.over:
            if not table.result_told:
                table.result_told = True
                self._do(self._tell_result(table), table)
        else:
            for seat in table.position.actors:
                if table.bot_of(seat) and seat not in table.thinking:
                    table.thinking.add(seat)
                    self._do(self._bot_moves(table, seat), table)
        self._let_go(table)

    async def _bot_moves(self, table: Table, seat: int) -> None:
        try:
            seq, level = table.course.seq, table.bot_of(seat)
            move = await self.bots.choose(table.position.copy(), seat, level)
            await asyncio.sleep(max(0.0, table.moved + self.settings.pace - time.monotonic()))
            if not self._closing and table.bot_of(seat):
                await table.play(seat, move, seq)
        except Refuse as refused:
            if refused.status == 503:
                await asyncio.sleep(1.0)  # nothing can be written; then again
        finally:
            table.thinking.discard(seat)
        self._see_to(table)

    async def _tell_result(self, table: Table) -> None:
        if table.watchers:
            table.tell_all(await self._result(table))

    async def _result(self, table: Table) -> protocol.Result:
        record = await self.record(table)
        return protocol.Result(await asyncio.to_thread(_sources, record), table.dice())

    async def record(self, table: Table) -> Record:
        """The game as a record, as far as it may be known."""
        return record_of(table, await self.store.events(table.id))

    def _bots_awake(self, game: str) -> None:
        for table in self.tables.values():
            if table.position.game.name == game:
                table.tell_seats()

    def _do(self, work: Coroutine[Any, Any, None], table: Table) -> None:
        """In a task of its own; what goes wrong there is in the log."""
        task = asyncio.create_task(_logged(work, table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _sources(record: Record) -> Sources:
    """Where everybody's points came from."""
    return record.game.facts.sources(record.start, [fact for facts in record.facts() for fact in facts])


async def _logged(work: Coroutine[Any, Any, None], table: Table) -> None:
    try:
        await work
    except Exception as error:
        trouble("table failed", error, table=table.id)


def _invited(table: Table, secret: str) -> SeatRow:
    for row in table.seats:
        if row.invitation and hmac.compare_digest(row.invitation, digest(secret)):
            return row
    raise Refuse("invitation_unknown", 404)


def _check_options(options: dict[str, Any]) -> None:
    """Texts in options are names; the path of a file on this machine is nobody's business."""
    for name, value in options.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and not _OPTION_TEXT.fullmatch(each):
                raise Refuse("option_text", option=name[:20])
