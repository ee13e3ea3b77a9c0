"""When devices were last used: kept in memory, and by the database when the limit signs out."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from souk.server.accounts.sessions import Sessions, insert_session
from souk.server.storage.errors import WriteFailed
from souk.server.storage.store import Store
from tests.server.support.databases import in_both, look_into, store_at

ANN, PHONE = b"a" * 32, b"p" * 32


async def with_session(store: Store) -> Sessions:
    """Sessions with one of Ann's, last used long ago."""
    await store.write(insert_session(PHONE, ANN, None, "Firefox"))
    sessions = Sessions(store)
    await sessions.load()
    return sessions


def seen(folder: Path) -> float:
    with look_into(folder) as connection:
        [(at,)] = connection.execute("SELECT seen FROM sessions").fetchall()
    return float(at)


def change(folder: Path, *statements: str) -> None:
    with look_into(folder) as connection, connection.transaction():
        for statement in statements:
            connection.execute(statement)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make writes to sessions fail."""
    change(folder, "ALTER TABLE sessions RENAME TO away")
    yield
    change(folder, "ALTER TABLE away RENAME TO sessions")


@in_both
def test_a_failed_write_loses_no_time_of_use(tmp_path: Path) -> None:
    async def run() -> None:
        store = store_at(tmp_path)
        sessions = await with_session(store)
        change(tmp_path, "UPDATE sessions SET seen = 1")
        assert sessions.player_of(PHONE) == ANN
        with read_only(tmp_path), pytest.raises(WriteFailed):
            await sessions.save_last_used()
        assert seen(tmp_path) == 1
        await sessions.close()
        assert seen(tmp_path) > 1
        await store.close()

    asyncio.run(run())


@in_both
def test_a_time_of_use_never_goes_back(tmp_path: Path) -> None:
    """Another server may have recorded a later use."""

    async def run() -> None:
        store = store_at(tmp_path)
        sessions = await with_session(store)
        assert sessions.player_of(PHONE) == ANN
        change(tmp_path, "UPDATE sessions SET seen = 1e12")
        await sessions.save_last_used()
        assert seen(tmp_path) == 1e12
        await store.close()

    asyncio.run(run())
