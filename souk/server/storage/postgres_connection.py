"""A line to PostgreSQL that looks as one to a file of SQLite does, so that all SQL of the house is written once."""

import contextlib
import functools
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.numeric import Int8Dumper

from souk.table.database import Values

logging.getLogger("psycopg").setLevel(logging.ERROR)  # that a line is lost is told by whoever needs it
_SECONDS_TO_CONNECT = 3
# A line that broke without a word is noticed within about as many seconds as people wait, on either side.
_USUAL: dict[str, str | int | None] = {
    "application_name": "souk",
    "client_encoding": "UTF8",
    "connect_timeout": _SECONDS_TO_CONNECT,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 5000,
}
_SESSION = """SET synchronous_commit = on; SET default_transaction_isolation = 'read committed';
    SET idle_in_transaction_session_timeout = '10s'; SET lock_timeout = '5s'"""
_MOST_PREPARED = 300  # statements
_MARK = re.compile(r"""('[^']*'|"[^"]*")|\bIS \?(\d*)|\?(\d*)|(?<!:):([a-z_]+)""")


class PostgresLine:
    """A connection. Each statement is for itself, unless it is within a transaction."""

    def __init__(self, address: str) -> None:
        known = conninfo_to_dict(address)
        whole = make_conninfo("", **(_USUAL | known))
        self.raw = psycopg.connect(whole, autocommit=True, cursor_factory=psycopg.RawCursor)
        self.raw.adapters.register_dumper(
            int, Int8Dumper
        )  # so that a statement is prepared once, for numbers of any size
        self.raw.prepared_max = _MOST_PREPARED
        self.raw.execute(_SESSION)

    def execute(self, text: str, values: Values = ()) -> psycopg.Cursor[Any]:
        query, names = translated(text)
        cursor = self.raw.cursor()
        cursor.execute(query, _in_order(values, names))
        return cursor

    def executemany(self, text: str, rows: Iterable[Sequence[Any]]) -> None:
        self.raw.cursor().executemany(translated(text)[0], rows)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        with self.raw.transaction():
            yield

    def take_turn(self, name: str) -> None:
        """By a lock that ends with the transaction. It is known by the schema too: two houses in one database do not wait for each other."""
        self.raw.execute("SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext($1))", (name,))

    def close(self) -> None:
        self.raw.close()

    @property
    def is_lost(self) -> bool:
        return self.raw.closed


@functools.lru_cache(maxsize=1000)
def translated(text: str) -> tuple[str, tuple[str, ...]]:
    """A statement as PostgreSQL reads it, and the names of its values where they have some."""
    names: list[str] = []
    counted = 0

    def mark(found: "re.Match[str]") -> str:
        nonlocal counted
        quoted, same, number, name = found.groups()
        if quoted:
            return quoted
        if name:
            if name not in names:
                names.append(name)
            return f"${names.index(name) + 1}"
        given = same if same is not None else number
        counted += 0 if given else 1
        return f"{'IS NOT DISTINCT FROM ' if same is not None else ''}${given or counted}"

    return _MARK.sub(mark, text), tuple(names)


def _in_order(values: Values, names: tuple[str, ...]) -> Sequence[Any] | None:
    if isinstance(values, Mapping):
        return [values[name] for name in names]
    return values or None


def is_readable(address: str) -> bool:
    try:
        conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        return False
    return True


def shown(address: str) -> str:
    """An address as it may be told to everybody: without the password."""
    known = conninfo_to_dict(address)
    host, port, name = (known.get(each) or "" for each in ("host", "port", "dbname"))
    user = f"{known['user']}@" if known.get("user") else ""
    return f"postgresql://{user}{host}{f':{port}' if port else ''}/{name}"


def reason(error: psycopg.Error) -> str:
    """What went wrong, in one line, without the values that it went wrong with."""
    return error.diag.message_primary or " ".join(str(error).split()) or type(error).__name__
