"""What is asked of a connection to a database, whichever it is: SQLite's own in a file, or one to PostgreSQL in the same clothes.

All SQL of the house is written once, so that both understand it. Values stand behind `?`, `?1` or `:name`; `IS ?` is "the same, or nothing in both".
What only one of them has (PRAGMAs, locks) stands in the modules about that one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Values = Sequence[Any] | Mapping[str, Any]


class Answers(Protocol):
    """What came of a statement: rows, and how many it has changed."""

    @property
    def rowcount(self) -> int: ...

    @property
    def description(self) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Line(Protocol):
    """A line to the database. Each statement is for itself, unless it is within a transaction."""

    def execute(self, text: str, values: Values = (), /) -> Answers: ...

    def executemany(self, text: str, rows: Iterable[Sequence[Any]], /) -> object: ...

    def transaction(self) -> AbstractContextManager[None]:
        """All that is done within, or none of it."""
        ...

    def take_turn(self, name: str) -> None:
        """Within a transaction: wait until others who have taken a turn by this name have finished, also at other servers."""
        ...

    def close(self) -> None: ...


def marks(count: int) -> str:
    """Places for so many values."""
    return ", ".join("?" * count)
