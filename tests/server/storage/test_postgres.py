"""PostgreSQL only: outages, recovery, and connections lost during COMMIT."""

import asyncio
import json
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from souk.server.common.config import ServerConfig
from souk.server.open_store import check_installed, open_store
from souk.server.storage.errors import ReadFailed, Unreachable, WriteFailed
from souk.server.storage.postgres_connection import PostgresConnection, translated, without_password
from souk.server.storage.postgres_schema import POSTGRES_VERSION, open_database
from souk.server.storage.postgres_store import PostgresStore
from souk.server.storage.postgres_writer import _MARK, _outcome, _Transaction
from tests.server.storage.test_store import SEATS, STANDING, event, row
from tests.server.support.clients import Person, Server
from tests.server.support.cut_connection import COMMIT, Relay, hang_up
from tests.support.postgres import Cluster

# Seconds that writes wait in tests that bring the database back.
LONG = 30.0
Cut = Callable[[bytes, socket.socket, socket.socket], bytes | None]


@pytest.fixture
def database_url(cluster: Cluster) -> str:
    return cluster.address(cluster.new_name())


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    """A cluster of this module alone, which tests may stop and kill."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder) / "postgres")
        yield cluster
        cluster.close()


def with_store(
    address: str, key: Path, work: Callable[[PostgresStore], Awaitable[None]], timeout: float = LONG
) -> None:
    async def run() -> None:
        store = PostgresStore(address, key, timeout=timeout)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def kept(address: str) -> list[int]:
    connection = PostgresConnection(address)
    try:
        return [seq for (seq,) in connection.execute("SELECT seq FROM events ORDER BY seq")]
    finally:
        connection.close()


# ---------------------------------------------------------------- SQL translation


@pytest.mark.parametrize(
    ("text", "wanted", "names"),
    [
        ("SELECT a FROM b WHERE c = ? AND d = ?", "SELECT a FROM b WHERE c = $1 AND d = $2", ()),
        ("x = ?2 AND y < ?1 OR z = ?2", "x = $2 AND y < $1 OR z = $2", ()),
        (
            "x IS ? AND y IS NULL AND z IS ?1",
            "x IS NOT DISTINCT FROM $1 AND y IS NULL AND z IS NOT DISTINCT FROM $1",
            (),
        ),
        ("a = :me AND b = :at OR c = :me", "a = $1 AND b = $2 OR c = $1", ("me", "at")),
        (
            """a = '?' AND "what?" = ? AND b = ':me'""",
            """a = '?' AND "what?" = $1 AND b = ':me'""",
            (),
        ),
        ("x = ?::text::xid8", "x = $1::text::xid8", ()),
    ],
)
def test_marks_are_read_as_sqlite_reads_them(
    text: str, wanted: str, names: tuple[str, ...]
) -> None:
    assert translated(text) == (wanted, names)


# ---------------------------------------------------------------- opening


def test_passwords_never_appear_in_messages() -> None:
    assert (
        without_password("postgresql://ann:secret@example.org:99/souk")
        == "postgresql://ann@example.org:99/souk"
    )
    with pytest.raises(
        RuntimeError, match=r"postgresql://ann@127\.0\.0\.1:1/souk cannot be reached: "
    ) as refused:
        PostgresStore("postgresql://ann:secret@127.0.0.1:1/souk", Path("key"))
    assert "secret" not in str(refused.value)
    with pytest.raises(RuntimeError, match="unreadable address") as unreadable:
        PostgresStore("postgresql://ann:secret@[::1/souk", Path("key"))
    assert "secret" not in str(unreadable.value)
    with pytest.raises(
        ValueError, match="store: must be an address such as postgresql://"
    ) as wrong:
        ServerConfig(store="mysql://ann:secret@example.org")
    assert "secret" not in str(wrong.value)


def test_wrong_keys_newer_layouts_and_foreign_tables_are_refused(
    database_url: str, tmp_path: Path
) -> None:
    async def nothing(_store: PostgresStore) -> None:
        pass

    with_store(database_url, tmp_path / "key", nothing)
    (tmp_path / "other").write_text("a" * 64)
    with pytest.raises(RuntimeError, match="is not the key of these tables"):
        PostgresStore(database_url, tmp_path / "other")
    with pytest.raises(RuntimeError, match="cannot be read"):
        PostgresStore(database_url, tmp_path / "missing")
    connection = PostgresConnection(database_url)
    connection.execute("UPDATE layout SET version = 99")
    with pytest.raises(
        RuntimeError,
        match=rf"written by a newer version of souk \(layout 99, here {POSTGRES_VERSION}\)",
    ):
        PostgresStore(database_url, tmp_path / "key")
    connection.execute("DROP TABLE layout")
    with pytest.raises(RuntimeError, match="has tables of something else"):
        PostgresStore(database_url, tmp_path / "key")
    connection.close()


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(RuntimeError, match=r"pip install 'souk-games\[postgres\]'"):
        check_installed()


def test_many_that_start_at_once_lay_it_out_once(database_url: str, tmp_path: Path) -> None:
    async def run() -> None:
        settings = ServerConfig(store=database_url, data=tmp_path)
        stores = await asyncio.gather(
            *(
                asyncio.to_thread(open_store, settings, lambda _seconds, _kept: None)
                for _ in range(6)
            )
        )
        await stores[0].add_table(row("a"), SEATS, [event(0)])
        for store in stores:
            assert [stored.text for stored in await store.events("a")] == ["left"]
            await store.close()

    asyncio.run(run())


# ---------------------------------------------------------------- outages


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_writes_and_queries_wait_for_a_database_that_comes_back(
    own_cluster: Cluster, tmp_path: Path, how: str
) -> None:
    address = own_cluster.address(own_cluster.new_name())

    async def work(store: PostgresStore) -> None:
        await store.add_table(row("a"), SEATS, [event(0)])
        # Opens several connections.
        await asyncio.gather(*(store.events("a") for _ in range(8)))
        await asyncio.to_thread(getattr(own_cluster, how))
        writes = [
            asyncio.create_task(store.add_events("a", [event(seq)], STANDING)) for seq in (1, 2, 3)
        ]
        query = asyncio.create_task(store.table("a"))
        await asyncio.sleep(0.3)
        assert not any(task.done() for task in (*writes, query))
        await asyncio.to_thread(own_cluster.start)
        await asyncio.gather(*writes)
        assert (await query) is not None
        assert [stored.seq for stored in await store.events("a")] == [0, 1, 2, 3]

    with_store(address, tmp_path / "key", work)


def test_requests_that_wait_too_long_are_refused_and_the_store_recovers(
    own_cluster: Cluster, tmp_path: Path
) -> None:
    address = own_cluster.address(own_cluster.new_name())

    async def work(store: PostgresStore) -> None:
        await store.add_table(row("a"), SEATS, [event(0)])
        await asyncio.to_thread(own_cluster.stop)
        begin = time.monotonic()
        writes = [store.add_events("a", [event(seq)], STANDING) for seq in range(1, 100)]
        for error in await asyncio.gather(*writes, store.table("a"), return_exceptions=True):
            assert isinstance(error, Unreachable | ReadFailed), error
        with pytest.raises(WriteFailed):
            await store.check_health()
        # All at once; one after the other they would take 50 seconds.
        assert time.monotonic() - begin < 30
        await asyncio.to_thread(own_cluster.start)
        await store.add_events("a", [event(1)], STANDING)
        await store.check_health()
        # No refused write was stored.
        assert [stored.seq for stored in await store.events("a")] == [0, 1]

    with_store(address, tmp_path / "key", work, timeout=0.5)


def test_readyz_reports_the_outage_without_the_address(
    own_cluster: Cluster, tmp_path: Path
) -> None:
    """The log has one line for each kind of failure, and no traceback."""
    address = own_cluster.address(own_cluster.new_name())
    with Server(tmp_path, store=address, store_wait=0.5) as server:

        async def play() -> None:
            async with (
                Person(server) as person,
                person.page_at_new_table("suleika", "me", "here") as page,
            ):
                await page.watch(page.view["actors"][0], page.seq)
                await asyncio.to_thread(own_cluster.stop)
                for _ in range(5):
                    answer = await page.move(page.view["actors"][0], page.view["moves"][0])
                    assert answer["is"] == "refused"
                response = await person.http.get("/readyz")
                assert (response.status_code, response.text) == (
                    503,
                    "not ready: the database does not answer\n",
                )
                assert (await person.http.get("/api/lobby")).status_code == 503

        try:
            asyncio.run(play())
            while '"housekeeping failed"' not in "".join(server.lines):
                time.sleep(0.05)
        finally:
            own_cluster.start()
        server.kill()
        assert "Traceback" not in "".join(server.lines)
        events = {json.loads(line)["event"] for line in server.troubles}
        assert {"write rejected", "housekeeping failed"} <= events


# ---------------------------------------------------------------- connections lost during COMMIT


def cut_once(relay: Relay, cut: Cut) -> list[str]:
    """Call `cut` at the next COMMIT; the returned list is non-empty once that has happened."""
    done: list[str] = []

    def before(data: bytes, server: socket.socket, database: socket.socket) -> bytes | None:
        if done or COMMIT not in data:
            return data
        done.append("cut")
        return cut(data, server, database)

    relay.before = before
    return done


@pytest.mark.parametrize("how", ["the answer is lost", "the commit is lost", "nobody notices"])
def test_what_was_in_doubt_is_found_out_and_happens_once(
    cluster: Cluster, tmp_path: Path, how: str
) -> None:
    with Relay(cluster.folder) as relay:
        name = cluster.new_name()
        direct = cluster.address(name)

        def cut(data: bytes, server: socket.socket, database: socket.socket) -> bytes | None:
            if how == "the answer is lost":
                hang_up(server)
                database.sendall(data)
                # Later events may have been stored by then too.
                while 1 not in kept(direct):
                    time.sleep(0.01)
            elif how == "nobody notices":
                relay.stuck.append(database)
            return None

        async def work(store: PostgresStore) -> None:
            await store.add_table(row("a"), SEATS, [event(0)])
            done = cut_once(relay, cut)
            # Neither refused nor written twice.
            await store.add_events("a", [event(1)], STANDING)
            assert done
            await store.add_events("a", [event(2)], STANDING)
            assert kept(direct) == [0, 1, 2]

        with_store(cluster.address(name, relay.folder), tmp_path / "key", work)


def test_a_write_is_retried_if_the_connection_breaks_before_commit(
    cluster: Cluster, tmp_path: Path
) -> None:
    """The connection stalls in the middle of a statement."""
    with Relay(cluster.folder) as relay:
        name = cluster.new_name()

        async def work(store: PostgresStore) -> None:
            await store.add_table(row("a"), SEATS, [event(0)])
            broken: list[int] = []

            def before(
                data: bytes, _server: socket.socket, database: socket.socket
            ) -> bytes | None:
                if not broken and b"INSERT INTO events" in data:
                    broken.append(len(data))
                    database.sendall(data[: len(data) // 2])
                    return None
                return data

            relay.before = before
            await store.add_events("a", [event(1)], STANDING)
            assert broken
            assert [stored.seq for stored in await store.events("a")] == [0, 1]

        with_store(cluster.address(name, relay.folder), tmp_path / "key", work)


def test_a_transaction_id_reused_after_a_crash_proves_nothing(
    own_cluster: Cluster, tmp_path: Path
) -> None:
    """After a crash PostgreSQL may reuse the id of a lost transaction.

    The commit of the other transaction must not be mistaken for ours.
    """
    address = own_cluster.address(own_cluster.new_name())
    open_database(address, tmp_path / "key")
    lost = _Transaction(PostgresConnection(address), "me")
    lost.connection.execute("BEGIN")
    lost.connection.execute("INSERT INTO bans VALUES ('somebody', NULL)")
    lost.connection.execute(_MARK, (lost.writer, lost.mark))
    [(lost.number,)] = lost.connection.execute("SELECT pg_current_xact_id()::text")
    own_cluster.kill()
    lost.connection.close()
    own_cluster.start()
    connection = PostgresConnection(address)
    reused = 0
    while reused < int(lost.number):
        reused = int(connection.execute("SELECT pg_current_xact_id()::text").fetchone()[0])
    status = connection.execute("SELECT pg_xact_status(?::text::xid8)", (str(reused),)).fetchone()
    assert status == ("committed",)
    # Usually it is the same number anyway.
    lost.number = str(reused)
    assert _outcome(connection, lost) == "aborted"
    assert connection.execute("SELECT count(*) FROM bans").fetchone() == (0,)
    connection.close()
