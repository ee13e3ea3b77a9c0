"""Two stores writing to one database at once: no duplicates, no lost updates, correct counts."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from souk.server.accounts.one_time_codes import OneTimeCodes, consume
from souk.server.accounts.passkeys import MAX_PASSKEYS, PasskeyRow, insert_passkey
from souk.server.accounts.sessions import MAX_SESSIONS, insert_session
from souk.server.ratings.ratings import RATED, CountedGame, CountedSeat, RatingBook, store_result
from souk.server.storage import maintenance
from souk.server.storage.errors import WriteFailed
from souk.server.storage.rows import DiceStep, Statement, TransactionStep
from souk.server.storage.store import Store
from souk.server.tables.timing.uptime_clock import save_uptime, stored_uptime
from tests.server.storage.test_store import SEATS, STANDING, event, row
from tests.server.support.databases import in_both, look_into, store_at

ANN = b"ann" * 8
Pair = tuple[Store, Store]


def with_two(folder: Path, work: Callable[[Pair], Awaitable[None]]) -> None:
    async def run() -> None:
        stores = store_at(folder), store_at(folder)
        try:
            await work(stores)
        finally:
            for store in stores:
                await store.close()

    asyncio.run(run())


async def outcomes_of(work: list[Awaitable[Any]]) -> list[str]:
    """Outcome of each write: "" if it was committed, or the name of the error."""
    errors = await asyncio.gather(*work, return_exceptions=True)
    assert all(error is None or isinstance(error, WriteFailed) for error in errors), errors
    return ["" if error is None else type(error).__name__ for error in errors]


def query(folder: Path, sql: str, *values: Any) -> list[Any]:
    with look_into(folder) as connection:
        return connection.execute(sql, values).fetchall()


@in_both
def test_a_number_is_written_by_one_of_them(tmp_path: Path) -> None:
    async def work(stores: Pair) -> None:
        await stores[0].add_table(row("a"), SEATS, [])
        for seq in range(30):
            outcomes = await outcomes_of(
                [
                    store.add_events("a", [event(seq, str(k))], STANDING)
                    for k, store in enumerate(stores)
                ]
            )
            assert sorted(outcomes) == ["", "WriteConflict"]
            [stored] = await stores[0].events("a", seq - 1)
            assert stored.text == str(outcomes.index(""))

    with_two(tmp_path, work)


@in_both
def test_a_seat_is_taken_by_one_of_them(tmp_path: Path) -> None:
    async def work(stores: Pair) -> None:
        for name in "abcdefgh":
            await stores[0].add_table(row(name), SEATS, [])
            free = SEATS[1]
            taken = [
                free._replace(kind="person", name=who, player=who.encode())
                for who in ("Ben", "Cat")
            ]
            outcomes = await outcomes_of(
                [
                    store.change_seats(name, [(free, seat)])
                    for store, seat in zip(stores, taken, strict=True)
                ]
            )
            assert sorted(outcomes) == ["", "WriteConflict"]
            stored = await stores[1].table(name)
            assert stored is not None
            assert stored[1][1] == taken[outcomes.index("")]

    with_two(tmp_path, work)


@in_both
def test_ratings_follow_from_the_results_whichever_store_wrote_them(tmp_path: Path) -> None:
    """Games of the same people end on both servers at once without lost rating updates."""
    people = [bytes([number]) * 32 for number in range(20)]

    def ended(number: int) -> TransactionStep:
        order = [people[(number // 2 + k) % 20] for k in range(3)]
        seats = [
            CountedSeat(seat, who, who.hex()[:4], seat + 1, 0, not seat)
            for seat, who in enumerate(order)
        ]
        game = CountedGame(f"table-{number:03}", "suleika", 3, RATED, "", float(number), seats)
        return TransactionStep(lambda connection: store_result(connection, game))

    async def work(stores: Pair) -> None:
        games = 40
        for number in range(games):
            await stores[0].add_table(row(f"table-{number:03}"), SEATS, [])

        def end(number: int) -> Awaitable[None]:
            return stores[number % 2].add_events(
                f"table-{number:03}", [event(0)], STANDING, also=[ended(number)]
            )

        # One per store at a time, then all the rest at once.
        for number in range(0, games // 2, 2):
            assert await outcomes_of([end(number), end(number + 1)]) == ["", ""]
        assert await outcomes_of([end(number) for number in range(games // 2, games)]) == [""] * (
            games // 2
        )
        with look_into(tmp_path) as connection:
            book = RatingBook().follow(connection)
            assert book.games == games
            assert book.differing(connection) == 0

    with_two(tmp_path, work)


@in_both
def test_no_notice_is_overlooked(tmp_path: Path) -> None:
    """Polling from the last notice sees every notice: none appears later with a lower number."""
    people = [bytes([number]) * 32 for number in range(60)]

    async def work(stores: Pair) -> None:
        last, seen, polling = 0, set[bytes](), True

        async def poll() -> None:
            nonlocal last
            while polling:
                notices = await stores[0].query(maintenance.host_notices, last)
                last = notices.last
                seen.update(notices.people)

        poller = asyncio.create_task(poll())
        sessions = [
            stores[k % 2].write(insert_session(who, who, None, "")) for k, who in enumerate(people)
        ]
        assert await outcomes_of(sessions) == [""] * len(people)
        polling = False
        await poller
        seen.update((await stores[0].query(maintenance.host_notices, last)).people)
        assert seen == set(people)

    with_two(tmp_path, work)


@in_both
def test_sessions_and_passkeys_stay_within_their_limits(tmp_path: Path) -> None:
    def passkey(number: int) -> Statement:
        return insert_passkey(
            PasskeyRow(
                bytes([number]), ANN, "localhost", b"h", b"k", 0, "", time.time(), time.time()
            )
        )

    async def work(stores: Pair) -> None:
        keys = [stores[number % 2].write([passkey(number)]) for number in range(2 * MAX_PASSKEYS)]
        assert (await outcomes_of(keys)).count("") == MAX_PASSKEYS
        sessions = [
            stores[k % 2].write(insert_session(bytes([k]) * 8, ANN, None, ""))
            for k in range(2 * MAX_SESSIONS)
        ]
        assert await outcomes_of(sessions) == [""] * len(sessions)
        assert query(tmp_path, "SELECT count(*) FROM passkeys") == [(MAX_PASSKEYS,)]
        assert query(tmp_path, "SELECT count(*) FROM sessions WHERE player = ?", ANN) == [
            (MAX_SESSIONS,)
        ]

    with_two(tmp_path, work)


@in_both
def test_a_code_works_once(tmp_path: Path) -> None:
    async def work(stores: Pair) -> None:
        codes = OneTimeCodes(stores[0], 10)
        for _ in range(20):
            secret = await codes.make("device", ANN, b"cookie")
            code = await codes.find("device", secret)
            assert code is not None
            outcomes = await outcomes_of(
                [store.write([consume("device", secret, code)]) for store in stores]
            )
            assert sorted(outcomes) == ["", "WriteConflict"]

    with_two(tmp_path, work)


@in_both
def test_a_table_is_cancelled_or_begins(tmp_path: Path) -> None:
    """A cancelled table leaves no rows behind, even if the other store is adding to it."""

    async def work(stores: Pair) -> None:
        names = [f"table-{number:02}" for number in range(20)]
        for name in names:
            await stores[0].add_table(row(name), SEATS, [])
            begins, ends = (
                stores[0].add_steps(name, [DiceStep(0, "closes")]),
                stores[1].write(maintenance.cancel_table(name)),
            )
            begun, cancelled = await outcomes_of([begins, ends])
            assert (begun, cancelled) in [("", "WriteConflict"), ("WriteConflict", "")]
            assert (await stores[0].table(name) is None) == (cancelled == "")
        remaining = {name for (name,) in query(tmp_path, "SELECT id FROM tables")}
        for part in ("seats", "dice"):
            assert {name for (name,) in query(tmp_path, f'SELECT "table" FROM {part}')} == remaining

    with_two(tmp_path, work)


@in_both
def test_uptime_never_goes_back(tmp_path: Path) -> None:
    async def work(stores: Pair) -> None:
        outcomes = await outcomes_of(
            [
                stores[k % 2].write([save_uptime(float(now))])
                for k, now in enumerate([5, 9, 3, 8, 9, 1])
            ]
        )
        assert outcomes == [""] * 6
        assert await stores[1].query(stored_uptime) == 9.0

    with_two(tmp_path, work)


@in_both
def test_writes_in_opposite_orders_do_not_deadlock(tmp_path: Path) -> None:
    """All writes succeed, sooner than a database would detect a deadlock."""

    async def work(stores: Pair) -> None:
        names = [f"table-{number}" for number in range(8)]
        for name in names:
            await stores[0].add_table(row(name), SEATS, [])
        begin = time.monotonic()
        for _ in range(10):
            orders = [(stores[0], name) for name in names] + [
                (stores[1], name) for name in reversed(names)
            ]
            assert await outcomes_of([store.mark_seen(name) for store, name in orders]) == [""] * 16
        assert time.monotonic() - begin < 10

    with_two(tmp_path, work)
