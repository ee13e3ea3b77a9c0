"""What only PostgreSQL can do to a house: be away, come back, and break the line at the worst moment."""

import asyncio
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from souk.table.postgres import PostgresStore
from souk.table.postgres_line import PostgresLine, shown, translated
from souk.table.postgres_schema import POSTGRES_VERSION, open_house
from souk.table.postgres_writing import _MARK, _outcome, _Transaction
from souk.table.settings import Settings
from souk.table.store import NotKept, Unanswered, Unreachable
from souk.table.stores import check_installed, open_store
from tests.postgres import Cluster
from tests.table.cutting import COMMIT, Relay, hang_up
from tests.table.test_store import SEATS, STANDING, event, row

LONG = 30.0  # seconds that writes wait where a test brings the database back
Cut = Callable[[bytes, socket.socket, socket.socket], bytes | None]


@pytest.fixture
def house(cluster: Cluster) -> str:
    return cluster.address(cluster.new_name())


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    """One that may be stopped and killed, as nobody else is there."""
    with tempfile.TemporaryDirectory() as folder:
        found = Cluster(Path(folder) / "postgres")
        yield found
        found.close()


def with_store(
    address: str, key: Path, work: Callable[[PostgresStore], Awaitable[None]], patience: float = LONG
) -> None:
    async def run() -> None:
        store = PostgresStore(address, key, patience=patience)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def kept(address: str) -> list[int]:
    line = PostgresLine(address)
    try:
        return [seq for (seq,) in line.execute("SELECT seq FROM events ORDER BY seq")]
    finally:
        line.close()


# ---------------------------------------------------------------- one SQL for both


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
        ("""a = '?' AND "what?" = ? AND b = ':me'""", """a = '?' AND "what?" = $1 AND b = ':me'""", ()),
        ("x = ?::text::xid8", "x = $1::text::xid8", ()),
    ],
)
def test_marks_are_read_as_sqlite_reads_them(text: str, wanted: str, names: tuple[str, ...]) -> None:
    assert translated(text) == (wanted, names)


# ---------------------------------------------------------------- who may come in


def test_a_password_is_told_to_nobody() -> None:
    assert shown("postgresql://ann:secret@example.org:99/souk") == "postgresql://ann@example.org:99/souk"
    with pytest.raises(RuntimeError, match=r"postgresql://ann@127\.0\.0\.1:1/souk cannot be reached: ") as refused:
        PostgresStore("postgresql://ann:secret@127.0.0.1:1/souk", Path("key"))
    assert "secret" not in str(refused.value)
    with pytest.raises(RuntimeError, match="the address cannot be read") as unreadable:
        PostgresStore("postgresql://ann:secret@[::1/souk", Path("key"))
    assert "secret" not in str(unreadable.value)
    with pytest.raises(ValueError, match="store: must be an address such as postgresql://") as wrong:
        Settings(store="mysql://ann:secret@example.org")
    assert "secret" not in str(wrong.value)


def test_a_newer_house_is_refused_and_so_is_another_key_or_somebody_elses(house: str, tmp_path: Path) -> None:
    async def nothing(_store: PostgresStore) -> None:
        pass

    with_store(house, tmp_path / "key", nothing)
    (tmp_path / "other").write_text("a" * 64)
    with pytest.raises(RuntimeError, match="is not the key of these tables"):
        PostgresStore(house, tmp_path / "other")
    with pytest.raises(RuntimeError, match="cannot be read"):
        PostgresStore(house, tmp_path / "missing")
    line = PostgresLine(house)
    line.execute("UPDATE layout SET version = 99")
    with pytest.raises(
        RuntimeError, match=rf"written by a newer version of souk \(layout 99, here {POSTGRES_VERSION}\)"
    ):
        PostgresStore(house, tmp_path / "key")
    line.execute("DROP TABLE layout")
    with pytest.raises(RuntimeError, match="has tables of something else"):
        PostgresStore(house, tmp_path / "key")
    line.close()


def test_a_house_of_the_first_layout_is_brought_forward(house: str, tmp_path: Path) -> None:
    async def nothing(_store: PostgresStore) -> None:
        pass

    layout = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname"
    with_store(house, tmp_path / "key", nothing)
    line = PostgresLine(house)
    new = line.execute(layout).fetchall()
    line.execute("DROP INDEX tables_by_age")
    line.execute("DROP TABLE lookbacks")
    line.execute("ALTER TABLE thinkers DROP COLUMN studies")
    line.execute("UPDATE layout SET version = 1")
    with_store(house, tmp_path / "key", nothing)
    assert line.execute(layout).fetchall() == new
    assert line.execute("SELECT version FROM layout").fetchall() == [(POSTGRES_VERSION,)]
    line.close()


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(RuntimeError, match=r"pip install 'souk\[postgres\]'"):
        check_installed()


def test_many_that_start_at_once_lay_it_out_once(house: str, tmp_path: Path) -> None:
    async def run() -> None:
        settings = Settings(store=house, data=tmp_path)
        found = await asyncio.gather(
            *(asyncio.to_thread(open_store, settings, lambda _seconds, _kept: None) for _ in range(6))
        )
        await found[0].add_table(row("a"), SEATS, [event(0)])
        for each in found:
            assert [one.text for one in await each.events("a")] == ["left"]
            await each.close()

    asyncio.run(run())


# ---------------------------------------------------------------- a database that is away


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_who_writes_and_asks_waits_for_a_database_that_comes_back(
    own_cluster: Cluster, tmp_path: Path, how: str
) -> None:
    address = own_cluster.address(own_cluster.new_name())

    async def work(store: PostgresStore) -> None:
        await store.add_table(row("a"), SEATS, [event(0)])
        await asyncio.gather(*(store.events("a") for _ in range(8)))  # several lines are open
        await asyncio.to_thread(getattr(own_cluster, how))
        waiting = [asyncio.create_task(store.add_events("a", [event(seq)], STANDING)) for seq in (1, 2, 3)]
        asking = asyncio.create_task(store.table("a"))
        await asyncio.sleep(0.3)
        assert not any(each.done() for each in (*waiting, asking))
        await asyncio.to_thread(own_cluster.start)
        await asyncio.gather(*waiting)
        assert (await asking) is not None
        assert [each.seq for each in await store.events("a")] == [0, 1, 2, 3]

    with_store(address, tmp_path / "key", work)


def test_who_waits_too_long_is_refused_and_it_goes_on_by_itself(own_cluster: Cluster, tmp_path: Path) -> None:
    address = own_cluster.address(own_cluster.new_name())

    async def work(store: PostgresStore) -> None:
        await store.add_table(row("a"), SEATS, [event(0)])
        await asyncio.to_thread(own_cluster.stop)
        begin = time.monotonic()
        many = [store.add_events("a", [event(seq)], STANDING) for seq in range(1, 20)]
        for found in await asyncio.gather(*many, store.table("a"), return_exceptions=True):
            assert isinstance(found, Unreachable | Unanswered), found
        with pytest.raises(NotKept):
            await store.try_out()
        assert time.monotonic() - begin < 10 * 0.5
        await asyncio.to_thread(own_cluster.start)
        await store.add_events("a", [event(1)], STANDING)
        await store.try_out()
        assert [each.seq for each in await store.events("a")] == [0, 1]  # nothing that was refused is there

    with_store(address, tmp_path / "key", work, patience=0.5)


# ---------------------------------------------------------------- a line that breaks at the worst moment


def cut_once(relay: Relay, cut: Cut) -> list[str]:
    """At the next COMMIT."""
    done: list[str] = []

    def before(said: bytes, house: socket.socket, database: socket.socket) -> bytes | None:
        if done or COMMIT not in said:
            return said
        done.append("cut")
        return cut(said, house, database)

    relay.before = before
    return done


@pytest.mark.parametrize("how", ["the answer is lost", "the commit is lost", "nobody notices"])
def test_what_was_in_doubt_is_found_out_and_happens_once(cluster: Cluster, tmp_path: Path, how: str) -> None:
    with Relay(cluster.folder) as relay:
        name = cluster.new_name()
        direct = cluster.address(name)

        def cut(said: bytes, house: socket.socket, database: socket.socket) -> bytes | None:
            if how == "the answer is lost":
                hang_up(house)
                database.sendall(said)
                while 1 not in kept(direct):  # what comes after it may be there by then
                    time.sleep(0.01)
            elif how == "nobody notices":
                relay.stuck.append(database)
            return None

        async def work(store: PostgresStore) -> None:
            await store.add_table(row("a"), SEATS, [event(0)])
            done = cut_once(relay, cut)
            await store.add_events("a", [event(1)], STANDING)  # neither refused, nor written a second time
            assert done
            await store.add_events("a", [event(2)], STANDING)
            assert kept(direct) == [0, 1, 2]

        with_store(cluster.address(name, relay.folder), tmp_path / "key", work)


def test_a_line_that_breaks_before_the_end_is_tried_again(cluster: Cluster, tmp_path: Path) -> None:
    """In the middle of what is sent."""
    with Relay(cluster.folder) as relay:
        name = cluster.new_name()

        async def work(store: PostgresStore) -> None:
            await store.add_table(row("a"), SEATS, [event(0)])
            broken: list[int] = []

            def before(said: bytes, _house: socket.socket, database: socket.socket) -> bytes | None:
                if not broken and b"INSERT INTO events" in said:
                    broken.append(len(said))
                    database.sendall(said[: len(said) // 2])
                    return None
                return said

            relay.before = before
            await store.add_events("a", [event(1)], STANDING)
            assert broken
            assert [each.seq for each in await store.events("a")] == [0, 1]

        with_store(cluster.address(name, relay.folder), tmp_path / "key", work)


def test_a_number_that_is_given_out_again_after_a_crash_says_nothing(own_cluster: Cluster, tmp_path: Path) -> None:
    """PostgreSQL gives out the number of a transaction again that a crash has taken from its memory: that somebody else's has been kept is not told to us."""
    address = own_cluster.address(own_cluster.new_name())
    open_house(address, tmp_path / "key")
    lost = _Transaction(PostgresLine(address), "me")
    lost.line.execute("BEGIN")
    lost.line.execute("INSERT INTO bans VALUES ('somebody', NULL)")
    lost.line.execute(_MARK, (lost.writer, lost.mark))
    [(lost.number,)] = lost.line.execute("SELECT pg_current_xact_id()::text")
    own_cluster.kill()
    lost.line.close()
    own_cluster.start()
    line = PostgresLine(address)
    while (given := int(line.execute("SELECT pg_current_xact_id()::text").fetchone()[0])) < int(lost.number):
        pass
    assert line.execute("SELECT pg_xact_status(?::text::xid8)", (str(given),)).fetchone() == ("committed",)
    lost.number = str(given)  # as a rule it is the same by then
    assert _outcome(line, lost) == "aborted"
    assert line.execute("SELECT count(*) FROM bans").fetchone() == (0,)
    line.close()
