"""What the processes of a house tell each other: over PostgreSQL, in few announcements, and again after the line was broken."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from souk.table.house_time import HouseTime
from souk.table.limits import Buckets
from souk.table.neighbours import Neighbours
from souk.table.news import NOTICES, News, NoticeLeft, OpenEvent, TablesChanged, Word
from souk.table.news_line import LONGEST, NewsLine, announce, pages_of
from souk.table.postgres import PostgresStore
from souk.table.postgres_line import PostgresLine
from souk.table.postgres_schema import open_house
from souk.table.shared_limits import SharedLimits
from souk.table.store import EventRow, Statement
from tests.postgres import Cluster
from tests.table.test_store import SEATS, STANDING, event, row


class Rumour(Word, tag="rumour"):
    """Any word."""

    text: str = ""


class Ears:
    """Writes down what a process hears."""

    def __init__(self, news: News) -> None:
        self.tables: list[str] = []
        self.others: list[object] = []
        self.missed = 0
        self._stirred = asyncio.Event()
        news.hear(TablesChanged, lambda _sender, word: self._note(self.tables, *word.names))
        for kind in (NoticeLeft, Rumour):
            news.hear(kind, lambda _sender, word: self._note(self.others, word))
        news.missed.append(self._count)

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


def with_two(address: str, work: Callable[[NewsLine, NewsLine], Awaitable[None]]) -> None:
    async def run() -> None:
        one, other = NewsLine(address), NewsLine(address)
        await asyncio.gather(one.start(), other.start())
        try:
            await work(one, other)
        finally:
            await asyncio.gather(one.close(), other.close())

    asyncio.run(run())


@pytest.fixture
def house(cluster: Cluster, tmp_path: Path) -> str:
    address = cluster.address(cluster.new_name())
    open_house(address, tmp_path / "key")
    return address


def test_of_tables_that_nobody_else_has_open_only_the_names_are_told_and_seldom(house: str) -> None:
    async def work(one: NewsLine, other: NewsLine) -> None:
        words: list[TablesChanged] = []
        other.hear(TablesChanged, lambda _sender, word: words.append(word))
        ears = Ears(other)
        one.is_elsewhere = lambda table: table == "there"
        happened = [OpenEvent(3, "move", 0, "left", msgspec.Raw(b"{}"))]
        begin = time.monotonic()
        for number in range(50):
            one.changed(["there", f"here {number % 2}"], {"there": happened, "here 0": happened})
            await asyncio.sleep(0.005)
        await ears.until(lambda: {"there", "here 0", "here 1"} <= set(ears.tables))
        assert {name for word in words for name in word.events} == {"there"}
        assert ears.tables.count("here 0") <= 2 + (time.monotonic() - begin) / 0.25

    with_two(house, work)


def test_what_one_says_the_other_hears_and_nobody_hears_themselves(house: str) -> None:
    async def work(one: NewsLine, other: NewsLine) -> None:
        mine, theirs = Ears(one), Ears(other)
        one.changed(["a", "b", NOTICES])
        other.say(Rumour("bots"))
        await theirs.until(lambda: theirs.tables == ["a", "b"] and theirs.others == [NoticeLeft()])
        await mine.until(lambda: mine.others == [Rumour("bots")])
        assert mine.tables == []

    with_two(house, work)


def test_after_a_broken_line_all_is_looked_at_again_and_what_was_said_meanwhile_is_told(house: str) -> None:
    async def work(one: NewsLine, other: NewsLine) -> None:
        mine, theirs = Ears(one), Ears(other)
        one.changed(["before"])
        await theirs.until(lambda: theirs.tables == ["before"])
        with closing(PostgresLine(house)) as line:
            line.raw.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE '%pg_notify%' AND pid != pg_backend_pid()"
            )
        await mine.until(lambda: mine.missed > 0)
        await theirs.until(lambda: theirs.missed > 0)
        one.changed(["after"])
        await theirs.until(lambda: "after" in theirs.tables)

    with_two(house, work)


def test_somebody_who_is_no_process_can_say_something(house: str) -> None:
    async def work(one: NewsLine, _other: NewsLine) -> None:
        mine = Ears(one)
        with closing(PostgresLine(house)) as line:
            announce(line, NoticeLeft())
        await mine.until(lambda: mine.others == [NoticeLeft()])

    with_two(house, work)


def test_much_goes_into_few_announcements_that_are_short_enough() -> None:
    names = [f"{number:016}" for number in range(2000)]
    pages = pages_of("me", [TablesChanged([name]) for name in names for _ in range(3)])
    assert all(len(page.encode()) <= LONGEST for page in pages)
    assert [name for page in pages for _, told, _events in json.loads(page)[1] for name in told] == names
    assert len(pages) <= 6
    assert pages_of("me", [Rumour("x" * LONGEST), NoticeLeft()]) == ['["me",[["notices"]]]']


def told_events(pages: list[str]) -> dict[str, list[int]]:
    """By table: the numbers of the events that are told along."""
    words = [word for page in pages for word in json.loads(page)[1]]
    return {name: [row[0] for row in events.get(name, [])] for _, names, events in words for name in names}


def test_events_are_told_along_where_they_are_all_that_has_changed_and_short() -> None:
    def added(table: str, seq: int, text: str = "left") -> TablesChanged:
        return TablesChanged([table], {table: [OpenEvent(seq, "move", 0, text, msgspec.Raw(b"[]"))]})

    words = [
        added("a", 4),
        added("b", 7),
        added("a", 5),
        TablesChanged(["c"]),
        added("c", 1),
        added("d", 1, "x" * LONGEST),
    ]
    pages = pages_of("me", [*words, added("b", 8), TablesChanged(["b"])])
    assert told_events(pages) == {"a": [4, 5], "b": [], "c": [], "d": []}
    many = pages_of("me", [added(f"{number:016}", 1, "x" * 300) for number in range(100)])
    assert all(len(page.encode()) <= LONGEST for page in many)
    assert told_events(many) == {f"{number:016}": [1] for number in range(100)}
    assert len(many) <= 7


def test_a_store_tells_of_moves_what_everybody_may_know(house: str, tmp_path: Path) -> None:
    told: list[tuple[list[str], list[EventRow]]] = []

    def changed(names: Sequence[str], events: Mapping[str, list[OpenEvent]]) -> None:
        told.append(([*names], [each.row() for rows in events.values() for each in rows]))

    async def run() -> None:
        store = PostgresStore(house, tmp_path / "key", changed=changed)
        await store.add_table(row("a"), SEATS, [event(0)])
        await store.add_events("a", [event(1), event(2)], STANDING)
        await store.add_events("a", [event(3)._replace(secret=True)], STANDING)
        await store.add_events("a", [event(4)], STANDING, also=[Statement("DELETE FROM bans")])
        await store.saw("a")
        await store.close()

    asyncio.run(run())
    assert told == [(["a"], rows) for rows in ([], [event(1), event(2)], [], [], [])]


def test_what_an_address_took_at_one_process_is_taken_off_at_the_other(house: str) -> None:
    async def work(one: NewsLine, other: NewsLine) -> None:
        mine, theirs = Buckets(0.0, 20), Buckets(0.0, 20)
        limits = SharedLimits(one), SharedLimits(other)
        limits[0].share(requests=mine)
        limits[1].share(requests=theirs)
        assert [mine.take("a") for _ in range(25)] == [True] * 20 + [False] * 5
        assert theirs.take("b")
        assert mine.take("c")  # too little to be told
        limits[0].tell()
        async with asyncio.timeout(10):
            while theirs.full("a"):
                await asyncio.sleep(0.01)
        assert not theirs.take("a")
        assert theirs.full("c")

    with_two(house, work)


def test_processes_know_each_other_have_one_time_and_forget_whoever_ends(house: str) -> None:
    async def work(one: NewsLine, other: NewsLine) -> None:
        times = HouseTime(), HouseTime()
        times[1].reckon_from(1000.0)
        found = Neighbours(one, times[0], lambda: 2), Neighbours(other, times[1], lambda: 3)
        beating = [asyncio.create_task(each.keep_in_touch()) for each in found]
        async with asyncio.timeout(10):
            while (found[0].people, found[1].people) != (3, 2):
                await asyncio.sleep(0.01)
        assert abs(times[0].now() - times[1].now()) < 0.5
        assert times[0].now() >= 1000.0
        assert (one.first, other.first) in ((True, False), (False, True))
        beating[1].cancel()
        found[1].leave()
        async with asyncio.timeout(10):
            while found[0].others:
                await asyncio.sleep(0.01)
        assert found[0].people == 0
        beating[0].cancel()

    with_two(house, work)
