"""A PostgreSQL connection with the interface of a SQLite one, so that all SQL is written once."""

import contextlib
import functools
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.numeric import Int8Dumper

from souk.server.storage.connection import Values

# Lost connections are logged by their users.
logging.getLogger("psycopg").setLevel(logging.ERROR)
_CONNECT_TIMEOUT = 3
# Both ends notice a dead connection within the seconds that people wait for a move.
_DEFAULTS: dict[str, str | int | None] = {
    "application_name": "souk",
    "client_encoding": "UTF8",
    "connect_timeout": _CONNECT_TIMEOUT,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 5000,
}
_SESSION = """SET synchronous_commit = on;
    SET default_transaction_isolation = 'read committed';
    SET idle_in_transaction_session_timeout = '10s';
    SET lock_timeout = '5s'"""
_MAX_PREPARED = 300  # statements
_PARAMETER = re.compile(r"""('[^']*'|"[^"]*")|\bIS \?(\d*)|\?(\d*)|(?<!:):([a-z_]+)""")


class PostgresConnection:
    """A connection in autocommit mode."""

    def __init__(self, address: str) -> None:
        parameters = make_conninfo("", **(_DEFAULTS | conninfo_to_dict(address)))
        self.raw = psycopg.connect(parameters, autocommit=True, cursor_factory=psycopg.RawCursor)
        # One type for all integers, so that a statement is prepared once.
        self.raw.adapters.register_dumper(int, Int8Dumper)
        self.raw.prepared_max = _MAX_PREPARED
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

    def take_lock(self, name: str) -> None:
        """Take an advisory lock until the transaction ends; each schema has locks of its own."""
        self.raw.execute(
            "SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext($1))", (name,)
        )

    def close(self) -> None:
        self.raw.close()

    @property
    def is_lost(self) -> bool:
        return self.raw.closed


@functools.lru_cache(maxsize=1000)
def translated(text: str) -> tuple[str, tuple[str, ...]]:
    """A statement with PostgreSQL's parameters, and their names if they have any."""
    names: list[str] = []
    count = 0

    def parameter(match: "re.Match[str]") -> str:
        nonlocal count
        quoted, is_number, number, name = match.groups()
        if quoted:
            return quoted
        if name:
            if name not in names:
                names.append(name)
            return f"${names.index(name) + 1}"
        given = is_number if is_number is not None else number
        count += 0 if given else 1
        return f"{'IS NOT DISTINCT FROM ' if is_number is not None else ''}${given or count}"

    return _PARAMETER.sub(parameter, text), tuple(names)


def _in_order(values: Values, names: tuple[str, ...]) -> Sequence[Any] | None:
    if isinstance(values, Mapping):
        return [values[name] for name in names]
    return values or None


def is_valid_address(address: str) -> bool:
    try:
        conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        return False
    return True


def without_password(address: str) -> str:
    """An address that may be shown to everybody."""
    parts = conninfo_to_dict(address)
    host, port, name = (parts.get(key) or "" for key in ("host", "port", "dbname"))
    user = f"{parts['user']}@" if parts.get("user") else ""
    return f"postgresql://{user}{host}{f':{port}' if port else ''}/{name}"


def reason(error: psycopg.Error) -> str:
    """The cause of an error in one line, without the values of the statement."""
    return error.diag.message_primary or " ".join(str(error).split()) or type(error).__name__
