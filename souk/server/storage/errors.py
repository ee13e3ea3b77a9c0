"""Errors of the store."""

from collections.abc import Iterator
from contextlib import contextmanager

from souk.server.common.logs import OperationalFailure
from souk.server.protocol.errors import RequestRefused


class StoreFailure(OperationalFailure):
    """The database is full or unreachable, or another server changed the data first."""


class WriteFailed(StoreFailure):
    """A write failed and was rolled back."""


class WriteConflict(WriteFailed):
    """Another server changed the data first (optimistic concurrency)."""


class Unreachable(WriteFailed):
    """The database does not answer; nothing was written."""


class NotReady(Unreachable):
    """Nothing can be written at present. The reason may be shown to everybody."""


class FilesReplaced(NotReady):
    """The database files on disk are no longer the open ones."""

    def __init__(self) -> None:
        super().__init__(
            "files of the database were deleted or replaced while the server was running: "
            "nothing is saved until it is restarted"
        )


class ReadFailed(StoreFailure):
    """The database did not answer a query."""


@contextmanager
def refuse_failed_writes(conflict: str = "not_kept", status: int = 503) -> Iterator[None]:
    """Turn a failed write into a refusal; `conflict` is the key for a WriteConflict."""
    try:
        yield
    except WriteConflict:
        raise RequestRefused(conflict, status) from None
    except WriteFailed:
        raise RequestRefused("not_kept", 503) from None
