"""The bus between processes: over PostgreSQL, in few notifications, surviving a lost connection."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from souk.server.bus.bus import BusMessage, HostNoticeLeft, ProcessBus, TablesChanged
from souk.server.bus.postgres_bus import MAX_PAYLOAD, PostgresBus, announce, payloads_of
from souk.server.cluster.shared_limits import SharedLimits
from souk.server.common.rate_limits import PerClientLimits
from souk.server.storage.postgres_connection import PostgresConnection
from souk.server.storage.postgres_schema import open_database
from souk.server.storage.postgres_store import PostgresStore
from souk.server.storage.rows import NOTICES, EventRow, PublicEvent, Statement
from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.timing.uptime_clock import UptimeClock
from tests.server.storage.test_store import SEATS, STANDING, event, row
from tests.support.postgres import Cluster


class SomeMessage(BusMessage, tag="rumour"):
    """Some message."""

    text: str = ""


class Listener:
    """Records what a process receives."""

    def __init__(self, bus: ProcessBus) -> None:
        self.tables: list[str] = []
        self.others: list[object] = []
        self.missed = 0
        self._stirred = asyncio.Event()
        bus.hear(TablesChanged, lambda _sender, word: self._note(self.tables, *word.names))
        for kind in (HostNoticeLeft, SomeMessage):
            bus.hear(kind, lambda _sender, word: self._note(self.others, word))
        bus.missed.append(self._count)

    def _note(self, into: list[object], *found: object) -> None:
        into.extend(found)
        self._stirred.set()

    def _count(self) -> None:
        self.missed += 1
        self._stirred.set()

    async def until(self, seen: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not seen():
                self._stirred.clear()
                await self._stirred.wait()


def with_two(address: str, work: Callable[[PostgresBus, PostgresBus], Awaitable[None]]) -> None:
    async def run() -> None:
        one, other = PostgresBus(address), PostgresBus(address)
        await asyncio.gather(one.start(), other.start())
        try:
            await work(one, other)
        finally:
            await asyncio.gather(one.close(), other.close())

    asyncio.run(run())


@pytest.fixture
def database_url(cluster: Cluster, tmp_path: Path) -> str:
    address = cluster.address(cluster.new_name())
    open_database(address, tmp_path / "key")
    return address


def test_tables_not_open_elsewhere_are_announced_by_name_and_rarely(database_url: str) -> None:
    async def work(one: PostgresBus, other: PostgresBus) -> None:
        words: list[TablesChanged] = []
        other.hear(TablesChanged, lambda _sender, word: words.append(word))
        ears = Listener(other)
        one.is_elsewhere = lambda table: table == "there"
        happened = [PublicEvent(3, "move", 0, "left", msgspec.Raw(b"{}"))]
        begin = time.monotonic()
        for number in range(50):
            one.changed(["there", f"here {number % 2}"], {"there": happened, "here 0": happened})
            await asyncio.sleep(0.005)
        await ears.until(lambda: {"there", "here 0", "here 1"} <= set(ears.tables))
        assert {name for word in words for name in word.events} == {"there"}
        assert ears.tables.count("here 0") <= 2 + (time.monotonic() - begin) / 0.25

    with_two(database_url, work)


def test_messages_reach_others_but_not_the_sender(database_url: str) -> None:
    async def work(one: PostgresBus, other: PostgresBus) -> None:
        mine, theirs = Listener(one), Listener(other)
        one.changed(["a", "b", NOTICES])
        other.say(SomeMessage("bots"))
        await theirs.until(
            lambda: theirs.tables == ["a", "b"] and theirs.others == [HostNoticeLeft()]
        )
        await mine.until(lambda: mine.others == [SomeMessage("bots")])
        assert mine.tables == []

    with_two(database_url, work)


def test_after_a_lost_connection_everything_is_checked_and_messages_are_sent(
    database_url: str,
) -> None:
    async def work(one: PostgresBus, other: PostgresBus) -> None:
        mine, theirs = Listener(one), Listener(other)
        one.changed(["before"])
        await theirs.until(lambda: theirs.tables == ["before"])
        with closing(PostgresConnection(database_url)) as line:
            line.raw.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE query LIKE 'LISTEN%' OR query LIKE '%pg_notify%' AND pid != pg_backend_pid()"
            )
        await mine.until(lambda: mine.missed > 0)
        await theirs.until(lambda: theirs.missed > 0)
        one.changed(["after"])
        await theirs.until(lambda: "after" in theirs.tables)

    with_two(database_url, work)


def test_host_tools_can_send_messages(database_url: str) -> None:
    async def work(one: PostgresBus, _other: PostgresBus) -> None:
        mine = Listener(one)
        with closing(PostgresConnection(database_url)) as line:
            announce(line, HostNoticeLeft())
        await mine.until(lambda: mine.others == [HostNoticeLeft()])

    with_two(database_url, work)


def test_messages_are_batched_within_the_size_limit() -> None:
    names = [f"{number:016}" for number in range(2000)]
    pages = payloads_of("me", [TablesChanged([name]) for name in names for _ in range(3)])
    assert all(len(page.encode()) <= MAX_PAYLOAD for page in pages)
    assert [
        name for page in pages for _, told, _events in json.loads(page)[1] for name in told
    ] == names
    assert len(pages) <= 6
    assert payloads_of("me", [SomeMessage("x" * MAX_PAYLOAD), HostNoticeLeft()]) == [
        '["me",[["notices"]]]'
    ]


def told_events(pages: list[str]) -> dict[str, list[int]]:
    """By table: the numbers of the events announced in full."""
    words = [word for page in pages for word in json.loads(page)[1]]
    return {
        name: [row[0] for row in events.get(name, [])]
        for _, names, events in words
        for name in names
    }


def test_short_events_are_announced_in_full_if_nothing_else_changed() -> None:
    def added(table: str, seq: int, text: str = "left") -> TablesChanged:
        return TablesChanged(
            [table], {table: [PublicEvent(seq, "move", 0, text, msgspec.Raw(b"[]"))]}
        )

    words = [
        added("a", 4),
        added("b", 7),
        added("a", 5),
        TablesChanged(["c"]),
        added("c", 1),
        added("d", 1, "x" * MAX_PAYLOAD),
    ]
    pages = payloads_of("me", [*words, added("b", 8), TablesChanged(["b"])])
    assert told_events(pages) == {"a": [4, 5], "b": [], "c": [], "d": []}
    many = payloads_of("me", [added(f"{number:016}", 1, "x" * 300) for number in range(100)])
    assert all(len(page.encode()) <= MAX_PAYLOAD for page in many)
    assert told_events(many) == {f"{number:016}": [1] for number in range(100)}
    assert len(many) <= 7


def test_announced_moves_contain_nothing_secret(database_url: str, tmp_path: Path) -> None:
    told: list[tuple[list[str], list[EventRow]]] = []

    def changed(names: Sequence[str], events: Mapping[str, list[PublicEvent]]) -> None:
        told.append(([*names], [each.row() for rows in events.values() for each in rows]))

    async def run() -> None:
        store = PostgresStore(database_url, tmp_path / "key", on_changed=changed)
        await store.add_table(row("a"), SEATS, [event(0)])
        await store.add_events("a", [event(1), event(2)], STANDING)
        await store.add_events("a", [event(3)._replace(secret=True)], STANDING)
        await store.add_events("a", [event(4)], STANDING, also=[Statement("DELETE FROM bans")])
        await store.mark_seen("a")
        await store.close()

    asyncio.run(run())
    assert told == [(["a"], rows) for rows in ([], [event(1), event(2)], [], [], [])]


def test_tokens_taken_at_one_process_count_at_the_other(database_url: str) -> None:
    async def work(one: PostgresBus, other: PostgresBus) -> None:
        mine, theirs = PerClientLimits(0.0, 20), PerClientLimits(0.0, 20)
        limits = SharedLimits(one), SharedLimits(other)
        limits[0].share(requests=mine)
        limits[1].share(requests=theirs)
        assert [mine.take("a") for _ in range(25)] == [True] * 20 + [False] * 5
        assert theirs.take("b")
        assert mine.take("c")  # too little to announce
        limits[0].announce()
        async with asyncio.timeout(10):
            while theirs.full("a"):
                await asyncio.sleep(0.01)
        assert not theirs.take("a")
        assert theirs.full("c")

    with_two(database_url, work)


def test_processes_know_each_other_share_one_clock_and_forget_ended_ones(database_url: str) -> None:
    async def work(one: PostgresBus, other: PostgresBus) -> None:
        times = UptimeClock(), UptimeClock()
        times[1].reckon_from(1000.0)
        found = PeerProcesses(one, times[0], lambda: 2), PeerProcesses(other, times[1], lambda: 3)
        beating = [asyncio.create_task(each.run()) for each in found]
        async with asyncio.timeout(10):
            while (found[0].people, found[1].people) != (3, 2):
                await asyncio.sleep(0.01)
        assert abs(times[0].now() - times[1].now()) < 0.5
        assert times[0].now() >= 1000.0
        async with asyncio.timeout(10):
            while not (one.first or other.first):
                await asyncio.sleep(0.01)
        assert (one.first, other.first) in ((True, False), (False, True))
        beating[1].cancel()
        found[1].leave()
        async with asyncio.timeout(10):
            while found[0].others:
                await asyncio.sleep(0.01)
        assert found[0].people == 0
        beating[0].cancel()

    with_two(database_url, work)
