"""The interface of a database connection, SQLite's own or PostgreSQL's in the same shape.

All SQL is written once, in a dialect that both understand: parameters are `?`, `?1` or `:name`, and
`IS ?` compares including NULL. PRAGMAs, locks and the like stay in the modules of their database.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Values = Sequence[Any] | Mapping[str, Any]


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...

    @property
    def description(self) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A database connection in autocommit mode."""

    def execute(self, text: str, values: Values = (), /) -> Cursor: ...

    def executemany(self, text: str, rows: Iterable[Sequence[Any]], /) -> object: ...

    def transaction(self) -> AbstractContextManager[None]:
        """Commit everything in the block, or nothing."""
        ...

    def take_lock(self, name: str) -> None:
        """Take a lock until the end of the transaction, shared by all servers."""
        ...

    def close(self) -> None: ...


def placeholders(count: int) -> str:
    """`?` marks for so many values."""
    return ", ".join("?" * count)
