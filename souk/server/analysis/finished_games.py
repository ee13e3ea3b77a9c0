"""Finished games: those of tables, and records uploaded as files."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass

from souk.bots.names import gender
from souk.core.record import BadRecord, Record
from souk.server.common.request_pool import RequestPool
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import SeatNow
from souk.server.storage.rows import SeatRow
from souk.server.storage.store import Store
from souk.server.tables.coach.fair_play import FairPlay
from souk.server.tables.game.old_games import is_old
from souk.server.tables.record_reader import RecordReader
from souk.server.tables.registry import TableRegistry
from souk.server.tables.seats import new_table_id
from souk.server.tables.setup.lessons import is_class
from souk.server.tables.table import Table

MAX_FILE_BYTES = 200_000  # bytes of an uploaded record
SECONDS_KEPT = 3600.0  # seconds an uploaded file is kept
_MAX_FILES = 200
_MAX_RECORDS = 32  # records of tables
_FILE_PREFIX = "file-"  # prefix of the id of an uploaded file


class BadFile(RequestRefused):
    """An uploaded file that cannot be analysed; reported as a result rather than as a refusal."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game, from a table or from an uploaded file."""

    id: str
    record: Record
    seats: list[SeatNow]
    mine: list[int]
    is_file: bool

    @property
    def text(self) -> str:
        """The record without names, dice seeds and hints: the cache key of its analysis."""
        anonymous = copy(self.record)
        anonymous.names, anonymous.dice, anonymous.shares, anonymous.coached, anonymous.resigned = (
            [],
            None,
            None,
            (),
            {},
        )
        return str(anonymous)


class FinishedGames:
    """Finds finished games by id and keeps uploaded files for a while."""

    def __init__(
        self,
        store: Store,
        tables: TableRegistry,
        records: RecordReader,
        pool: RequestPool,
        fair_play: FairPlay,
    ) -> None:
        self._fair_play = fair_play
        self._store, self._tables, self._reader, self._pool = store, tables, records, pool
        self._files: OrderedDict[str, tuple[float, Record]] = OrderedDict()
        self._records: OrderedDict[str, Record] = OrderedDict()
        self.file_expired: Callable[[str], None] = lambda _id: (
            None
        )  # called when an uploaded file expires

    async def find(self, name: str, player: bytes | None, address: str) -> FinishedGame:
        """Return a finished game; refuse unknown tables and games still running."""
        if is_file(name):
            return self._file(name)
        table = await self._store.table(name)
        if table is None:
            raise RequestRefused("table_unknown", 404)
        row, seats = table
        if is_class(seats):
            raise RequestRefused("study_lesson", 409)
        if is_old(row):
            raise RequestRefused("study_old", 409)
        if not row.standing.over:
            raise RequestRefused("study_running", 409)
        mine = [seat.seat for seat in seats if player is not None and seat.player == player]
        return FinishedGame(name, await self._record(name, address), _seats_now(seats), mine, False)

    async def _record(self, name: str, address: str) -> Record:
        """Read a record once: a finished game never changes."""
        if name not in self._records:
            async with self._tables.at(name) as table:
                _check_over(table)
                self._records[name] = await self._reader.record(table, address)
        self._records.move_to_end(name)
        while len(self._records) > _MAX_RECORDS:
            self._records.popitem(last=False)
        return self._records[name]

    # ------------------------------------------------------------ files

    async def take_file(self, text: str, player: bytes | None, address: str) -> str:
        """Keep an uploaded record for an hour.

        Refuses invalid records, and positions the player is currently facing in another game.
        """
        if len(text.encode(errors="replace")) > MAX_FILE_BYTES:
            raise RequestRefused("too_large", 413)
        record = await self._pool.run(address, _parse, text)
        if not record.position.over:
            raise BadFile("study_unfinished")
        await self._fair_play.check(
            player, address, record.game.name, lambda: list(record.positions())
        )
        name = _FILE_PREFIX + new_table_id()
        self._files[name] = time.monotonic() + SECONDS_KEPT, record
        self._drop_expired()
        return name

    def _file(self, file_id: str) -> FinishedGame:
        self._drop_expired()
        if file_id not in self._files:
            raise RequestRefused("file_gone", 404)
        _, record = self._files[file_id]
        names = record.names or [""] * record.start.players
        return FinishedGame(file_id, record, [SeatNow(name, "person") for name in names], [], True)

    def _drop_expired(self) -> None:
        now = time.monotonic()
        while self._files and (
            len(self._files) > _MAX_FILES or next(iter(self._files.values()))[0] < now
        ):
            file_id, _ = self._files.popitem(last=False)
            self.file_expired(file_id)


def is_file(name: str) -> bool:
    """Whether an id names an uploaded file rather than a table."""
    return name.startswith(_FILE_PREFIX)


def _check_over(table: Table) -> None:
    if not table.over:
        raise RequestRefused("study_running", 409)
    if table.state.status.ended:
        raise RequestRefused("study_ended", 409)


def _seats_now(seats: Sequence[SeatRow]) -> list[SeatNow]:
    return [
        SeatNow(
            row.name,
            row.kind,
            row.level,
            gender=gender(row.name) if row.kind == "bot" else "",
            figure=row.figure,
            colour=row.colour,
        )
        for row in seats
    ]


def _parse(text: str) -> Record:
    try:
        return Record.parse(text)
    except BadRecord as error:
        raise BadFile("bad_record", line=error.line, what=error.message) from None
