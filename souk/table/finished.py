"""Games that are over, to be looked back at: those of tables, and those that somebody has as a file."""

import asyncio
import json
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from souk.bots.nameplates import gender
from souk.core.datafile import is_text
from souk.core.record import BadRecord, Record
from souk.table.classes import is_class
from souk.table.croupier import Croupier
from souk.table.protocol import SeatNow
from souk.table.refusals import Refuse
from souk.table.relics import is_old
from souk.table.seating import new_table_id
from souk.table.store import SeatRow, Store
from souk.table.table import Table
from souk.table.tables import Tables

LARGEST_FILE = 200_000  # bytes of a record that somebody sends
KEPT_FOR = 3600.0  # seconds
_MOST_FILES = 200
_MOST_IN_MIND = 32  # records of tables
_FILE = "file-"  # how the id of one begins
_OPTION = re.compile(r"option (\S+): (.*\S)\s+#[0-9a-f]{4}")
_NAME = re.compile(r"\w{1,20}")  # of what is in the box; never the path of a file


class BadFile(Refuse):
    """A file that cannot be looked back at: that is said as an answer, and not as a refusal, since it is what was asked."""


@dataclass(frozen=True)
class Finished:
    """A game that is over."""

    id: str
    record: Record
    seats: list[SeatNow]
    mine: list[int]
    is_file: bool

    @property
    def text(self) -> str:
        """The game without anybody's name: what is found out about it is kept."""
        bare = copy(self.record)
        bare.names, bare.dice, bare.shares, bare.coached, bare.resigned = [], None, None, (), {}
        return str(bare)


class FinishedGames:
    """Finds them by their ids."""

    def __init__(self, store: Store, tables: Tables, croupier: Croupier) -> None:
        self._store, self._tables, self._croupier = store, tables, croupier
        self._files: OrderedDict[str, tuple[float, Record]] = OrderedDict()
        self._records: OrderedDict[str, Record] = OrderedDict()
        self.gone: Callable[[str], None] = lambda _id: None  # a file is no longer kept

    async def find(self, name: str, player: bytes | None) -> Finished:
        """A game to be looked back at; refused where there is none, or where it is not over."""
        if is_file(name):
            return self._file(name)
        found = await self._store.table(name)
        if found is None:
            raise Refuse("table_unknown", 404)
        row, seats = found
        if is_class(seats):
            raise Refuse("study_lesson", 409)
        if is_old(row):
            raise Refuse("study_old", 409)
        if not row.standing.over:
            raise Refuse("study_running", 409)
        mine = [seat.seat for seat in seats if player is not None and seat.player == player]
        return Finished(name, await self._record(name), _seats_now(seats), mine, False)

    async def _record(self, name: str) -> Record:
        """What is over never changes, so it is read once."""
        if name not in self._records:
            async with self._tables.at(name) as table:
                _check_over(table)
                self._records[name] = await self._croupier.record(table)
        self._records.move_to_end(name)
        while len(self._records) > _MOST_IN_MIND:
            self._records.popitem(last=False)
        return self._records[name]

    # ------------------------------------------------------------ files

    async def take_file(self, text: str) -> str:
        """Keep a game that somebody has as a file, for an hour; refused where something is wrong with it."""
        if len(text.encode(errors="replace")) > LARGEST_FILE:
            raise Refuse("too_large", 413)
        record = await asyncio.to_thread(_read, text)
        if not record.position.over:
            raise BadFile("study_unfinished")
        name = _FILE + new_table_id()
        self._files[name] = time.monotonic() + KEPT_FOR, record
        self._clear()
        return name

    def _file(self, name: str) -> Finished:
        self._clear()
        if name not in self._files:
            raise Refuse("file_gone", 404)
        _, record = self._files[name]
        names = record.names or [""] * record.start.players
        return Finished(name, record, [SeatNow(each, "person") for each in names], [], True)

    def _clear(self) -> None:
        now = time.monotonic()
        while self._files and (len(self._files) > _MOST_FILES or next(iter(self._files.values()))[0] < now):
            name, _ = self._files.popitem(last=False)
            self.gone(name)


def is_file(name: str) -> bool:
    """Whether an id is that of a file, and not of a table."""
    return name.startswith(_FILE)


def _check_over(table: Table) -> None:
    if not table.over:
        raise Refuse("study_running", 409)
    if table.course.fate.ended:
        raise Refuse("study_ended", 409)


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


def _read(text: str) -> Record:
    try:
        _check_options(text)
        return Record.parse(text)
    except BadRecord as bad:
        raise BadFile("bad_record", line=bad.line, what=str(bad).partition(": ")[2]) from None


def _check_options(text: str) -> None:
    """Texts in options are names, or whole boxes; the path of a file on this machine is nobody's business."""
    for number, line in enumerate(text.splitlines(), 1):
        if (found := _OPTION.fullmatch(line.rstrip())) and not all(map(_is_plain, _texts_in(found[2]))):
            raise BadRecord(number, f"option {found[1]}: a file cannot be named here; it must be in the record itself")


def _texts_in(value: str) -> list[str]:
    try:
        found: Any = json.loads(value)
    except (ValueError, RecursionError):  # which whoever reads the record will say
        return []
    return [each for each in (found if isinstance(found, list) else [found]) if isinstance(each, str)]


def _is_plain(text: str) -> bool:
    return is_text(text) or bool(_NAME.fullmatch(text))
