"""Two stores at one database write at the same time: what must be once is once, and what is counted is counted right."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from souk.table import chores
from souk.table.codes import Codes, using_up
from souk.table.doors import MOST_DOORS, opening
from souk.table.house_time import keeping, kept_time
from souk.table.passkeys import MOST_PASSKEYS, PasskeyRow, adding
from souk.table.ratings import RATED, Book, CountedGame, CountedSeat, keep_result
from souk.table.sql_store import SqlStore
from souk.table.store import Deed, DiceStep, NotKept, Statement
from tests.table.places import in_both, look_into, store_at
from tests.table.test_store import SEATS, STANDING, event, row

ANN = b"ann" * 8
Pair = tuple[SqlStore, SqlStore]


def with_two(folder: Path, work: Callable[[Pair], Awaitable[None]]) -> None:
    async def run() -> None:
        stores = store_at(folder), store_at(folder)
        try:
            await work(stores)
        finally:
            for store in stores:
                await store.close()

    asyncio.run(run())


async def all_of(work: list[Awaitable[Any]]) -> list[str]:
    """What came of each: "" for what was kept, or the name of the refusal."""
    found = await asyncio.gather(*work, return_exceptions=True)
    assert all(each is None or isinstance(each, NotKept) for each in found), found
    return ["" if each is None else type(each).__name__ for each in found]


def asked(folder: Path, question: str, *values: Any) -> list[Any]:
    with look_into(folder) as connection:
        return connection.execute(question, values).fetchall()


@in_both
def test_a_number_is_written_by_one_of_them(tmp_path: Path) -> None:
    async def work(stores: Pair) -> None:
        await stores[0].add_table(row("a"), SEATS, [])
        for seq in range(30):
            found = await all_of(
                [store.add_events("a", [event(seq, str(k))], STANDING) for k, store in enumerate(stores)]
            )
            assert sorted(found) == ["", "Overtaken"]
            [kept] = await stores[0].events("a", seq - 1)
            assert kept.text == str(found.index(""))

    with_two(tmp_path, work)


@in_both
def test_a_seat_is_taken_by_one_of_them(tmp_path: Path) -> None:
    async def work(stores: Pair) -> None:
        for name in "abcdefgh":
            await stores[0].add_table(row(name), SEATS, [])
            free = SEATS[1]
            taken = [free._replace(kind="person", name=who, player=who.encode()) for who in ("Ben", "Cat")]
            found = await all_of(
                [store.change_seats(name, [(free, seat)]) for store, seat in zip(stores, taken, strict=True)]
            )
            assert sorted(found) == ["", "Overtaken"]
            kept = await stores[1].table(name)
            assert kept is not None
            assert kept[1][1] == taken[found.index("")]

    with_two(tmp_path, work)


@in_both
def test_ratings_are_what_the_results_give_whoever_wrote_them(tmp_path: Path) -> None:
    """Games of the same people end at both servers at once: no rating is worked out from one that is just being changed."""
    people = [bytes([number]) * 32 for number in range(4)]

    def ended(number: int) -> Deed:
        order = [people[(number // 2 + k) % 4] for k in range(3)]
        seats = [CountedSeat(seat, who, who.hex()[:4], seat + 1, 0, not seat) for seat, who in enumerate(order)]
        game = CountedGame(f"table-{number:03}", "suleika", 3, RATED, "", float(number), seats)
        return Deed(lambda connection: keep_result(connection, game))

    async def work(stores: Pair) -> None:
        games = 40
        for number in range(games):
            await stores[0].add_table(row(f"table-{number:03}"), SEATS, [])

        def end(number: int) -> Awaitable[None]:
            return stores[number % 2].add_events(f"table-{number:03}", [event(0)], STANDING, also=[ended(number)])

        for number in range(0, games // 2, 2):  # one of each at a time, then all that are left
            assert await all_of([end(number), end(number + 1)]) == ["", ""]
        assert await all_of([end(number) for number in range(games // 2, games)]) == [""] * (games // 2)
        with look_into(tmp_path) as connection:
            book = Book().follow(connection)
            assert book.games == games
            assert book.differing(connection) == 0

    with_two(tmp_path, work)


@in_both
def test_no_notice_is_overlooked(tmp_path: Path) -> None:
    """Whoever looks again and again, from the last notice on, sees every one: none appears with a smaller number afterwards."""
    people = [bytes([number]) * 32 for number in range(60)]

    async def work(stores: Pair) -> None:
        last, seen, looking = 0, set[bytes](), True

        async def look() -> None:
            nonlocal last
            while looking:
                news = await stores[0].ask(chores.news, last)
                last = news.last
                seen.update(news.people)

        eyes = asyncio.create_task(look())
        doors = [stores[k % 2].carry_out(opening(who, who, None, "")) for k, who in enumerate(people)]
        assert await all_of(doors) == [""] * len(people)
        looking = False
        await eyes
        seen.update((await stores[0].ask(chores.news, last)).people)
        assert seen == set(people)

    with_two(tmp_path, work)


@in_both
def test_nobody_has_more_doors_or_passkeys_than_may_be(tmp_path: Path) -> None:
    def passkey(number: int) -> Statement:
        return adding(PasskeyRow(bytes([number]), ANN, "localhost", b"h", b"k", 0, "", time.time(), time.time()))

    async def work(stores: Pair) -> None:
        keys = [stores[number % 2].carry_out([passkey(number)]) for number in range(2 * MOST_PASSKEYS)]
        assert (await all_of(keys)).count("") == MOST_PASSKEYS
        doors = [stores[k % 2].carry_out(opening(bytes([k]) * 8, ANN, None, "")) for k in range(2 * MOST_DOORS)]
        assert await all_of(doors) == [""] * len(doors)
        assert asked(tmp_path, "SELECT count(*) FROM passkeys") == [(MOST_PASSKEYS,)]
        assert asked(tmp_path, "SELECT count(*) FROM doors WHERE player = ?", ANN) == [(MOST_DOORS,)]

    with_two(tmp_path, work)


@in_both
def test_a_code_works_once(tmp_path: Path) -> None:
    async def work(stores: Pair) -> None:
        codes = Codes(stores[0], 10)
        for _ in range(20):
            secret = await codes.make("door", ANN, b"cookie")
            code = await codes.find("door", secret)
            assert code is not None
            found = await all_of([store.carry_out([using_up("door", secret, code)]) for store in stores])
            assert sorted(found) == ["", "Overtaken"]

    with_two(tmp_path, work)


@in_both
def test_a_table_is_cancelled_or_begins(tmp_path: Path) -> None:
    """And nothing is left of one that is deleted, whoever adds to it at the same moment."""

    async def work(stores: Pair) -> None:
        names = [f"table-{number:02}" for number in range(20)]
        for name in names:
            await stores[0].add_table(row(name), SEATS, [])
            begins, ends = (
                stores[0].add_steps(name, [DiceStep(0, "closes")]),
                stores[1].carry_out(chores.cancelling(name)),
            )
            begun, cancelled = await all_of([begins, ends])
            assert (begun, cancelled) in [("", "Overtaken"), ("Overtaken", "")]
            assert (await stores[0].table(name) is None) == (cancelled == "")
        there = {name for (name,) in asked(tmp_path, "SELECT id FROM tables")}
        for part in ("seats", "dice"):
            assert {name for (name,) in asked(tmp_path, f'SELECT "table" FROM {part}')} == there

    with_two(tmp_path, work)


@in_both
def test_the_time_of_the_house_never_goes_back(tmp_path: Path) -> None:
    async def work(stores: Pair) -> None:
        found = await all_of(
            [stores[k % 2].carry_out([keeping(float(now))]) for k, now in enumerate([5, 9, 3, 8, 9, 1])]
        )
        assert found == [""] * 6
        assert await stores[1].ask(kept_time) == 9.0

    with_two(tmp_path, work)


@in_both
def test_two_who_write_the_same_tables_in_another_order_do_not_stop_each_other(tmp_path: Path) -> None:
    """All is kept, in less time than a database takes to notice that two wait for each other."""

    async def work(stores: Pair) -> None:
        names = [f"table-{number}" for number in range(8)]
        for name in names:
            await stores[0].add_table(row(name), SEATS, [])
        begin = time.monotonic()
        for _ in range(10):
            orders = [(stores[0], name) for name in names] + [(stores[1], name) for name in reversed(names)]
            assert await all_of([store.saw(name) for store, name in orders]) == [""] * 16
        assert time.monotonic() - begin < 10

    with_two(tmp_path, work)
