"""What is kept of time and agreement at a table: its clocks, and what is asked there. One row for each table that has any of it."""

from typing import NamedTuple

import msgspec

from souk.table.clocks import Clocks
from souk.table.database import Line
from souk.table.house_time import keeping
from souk.table.proposals import Asking
from souk.table.protocol import ClockTerms
from souk.table.store import SeatRow, Statement, Store


class Life(NamedTuple):
    """Time and agreement at one table, as they are kept. `version`: how often they have been written; 0 for not at all."""

    version: int = 0
    clocks: Clocks | None = None
    asking: Asking = Asking()


class _Written(msgspec.Struct):
    """The same as it stands in the file."""

    left: tuple[float, ...] = ()
    since: dict[int, float] = {}
    fresh: frozenset[int] = frozenset()
    asking: Asking = Asking()


_encode = msgspec.json.Encoder().encode
_read_terms = msgspec.json.Decoder(ClockTerms).decode
_read = msgspec.json.Decoder(_Written).decode


def statements(table: str, known: Life, life: Life, now: float) -> list[Statement]:
    """What is to be written so that it is kept; nothing where it is as it was. Overtaken where another server was first."""
    if life is known:
        return []
    clocks = life.clocks
    terms = _encode(clocks.terms).decode() if clocks else ""
    own = (clocks.left, dict(clocks.since), clocks.fresh) if clocks else ((), {}, frozenset[int]())
    values = (life.version, terms, _encode(_Written(*own, life.asking)).decode(), clocks.due if clocks else None)
    if not known.version:
        change = "INSERT INTO life SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"
        return [Statement(change, (table, *values, table), certain=True), keeping(now)]
    change = 'UPDATE life SET version = ?, terms = ?, state = ?, due = ? WHERE "table" = ? AND version = ?'
    return [Statement(change, (*values, table, known.version), certain=True), keeping(now)]


async def kept_life(store: Store, table: str) -> Life:
    """What is kept of a table."""
    return await store.ask(life_of, table)


def life_of(connection: Line, table: str) -> Life:
    row = connection.execute('SELECT version, terms, state FROM life WHERE "table" = ?', (table,)).fetchone()
    if row is None:
        return Life()
    found = _read(row[2])
    clocks = Clocks(_read_terms(row[1]), found.left, found.since, found.fresh) if row[1] else None
    return Life(row[0], clocks, found.asking)


def next_due(connection: Line) -> float | None:
    """When the first clock of all tables falls; None where none runs."""
    [(found,)] = connection.execute("SELECT min(due) FROM life WHERE due IS NOT NULL")
    return None if found is None else float(found)


def due_tables(connection: Line, now: float, most: int) -> list[str]:
    """Tables at which somebody's time is up."""
    asked = 'SELECT "table" FROM life WHERE due IS NOT NULL AND due <= ? ORDER BY due LIMIT ?'
    return [row[0] for row in connection.execute(asked, (now, most))]


def standing_still(table: str) -> Statement:
    """Nobody waits for a table's clocks any more."""
    return Statement('UPDATE life SET due = NULL WHERE "table" = ?', (table,))


def seat_statement(table: str, known: SeatRow, seat: SeatRow) -> Statement:
    """A seat is changed, where it is still as it was known."""
    fields = SeatRow._fields[1:]
    new, old = (
        f"{joint}".join(f"{field} {sign} ?" for field in fields) for joint, sign in ((", ", "="), (" AND ", "IS"))
    )
    change = f'UPDATE seats SET {new} WHERE "table" = ? AND seat = ? AND {old}'
    return Statement(change, (*seat[1:], table, seat.seat, *known[1:]), certain=True)
