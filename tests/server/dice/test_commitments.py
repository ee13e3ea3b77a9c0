"""Commit-reveal dice: every person at the table contributes a share of the seed.

No party can choose the seed, and nothing is drawn before all shares are fixed.
"""

import asyncio
import json
import random
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from souk.core.record import MISSING, Record
from souk.games import game as find_game
from souk.server.dice.commitments import SeedShares, first_steps
from souk.server.dice.fair_dice import FairDice, digest_of, new_share, number_of, seed_of, verify
from souk.server.storage.encryption import read_key
from souk.server.storage.rows import DiceStep
from tests.server.storage.test_durability import writes_failing
from tests.server.support.clients import Page, Person, Server
from tests.server.tables.test_tables import reason

SHARED = json.loads((Path(__file__).parents[2] / "dice.json").read_text())
MINE, YOURS = bytes(range(32)), bytes(range(100, 132))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that waits only half a second for a share."""
    with Server(tmp_path / "tables", dice_time=0.5) as server:
        yield server


async def open_share(page: Page, seat: int, share: bytes) -> dict[str, Any]:
    return await page.ask("reveal_share", seat=seat, share=share.hex())


async def share_of(page: Page, seat: int) -> dict[str, Any]:
    return next(share for share in page.dice["shares"] if share["seat"] == seat)


@asynccontextmanager
async def two_at_a_table(
    server: Server, game: str = "bazaar"
) -> AsyncIterator[tuple[str, Person, Page, Person, Page]]:
    """Host and guest at a table, both committed, neither share revealed yet."""
    async with Person(server) as host, Person(server) as guest:
        table, invitations = await host.new_table(game, "me", "link", commitment=digest_of(MINE))
        async with host.page(table) as mine:
            sat = await guest.sit(table, invitations["1"], "Faruk", commitment=digest_of(YOURS))
            assert sat.json() == {"table": table, "seat": 1}
            async with guest.page(table) as yours:
                while mine.dice["turn"] != 0:
                    await mine.hear()
                yield table, host, mine, guest, yours


# ---------------------------------------------------------------- how shares make a seed


@pytest.mark.parametrize("case", SHARED["digests"])
def test_digests(case: dict[str, str]) -> None:
    assert digest_of(bytes.fromhex(case["share"])) == case["digest"]


@pytest.mark.parametrize("case", SHARED["seeds"])
def test_seeds(case: dict[str, Any]) -> None:
    persons = [(seat, bytes.fromhex(share) if share else None) for seat, share in case["persons"]]
    assert seed_of(case["table"], bytes.fromhex(case["server"]), persons).hex() == case["seed"]


def test_other_shares_or_another_order_make_another_seed() -> None:
    assert len({case["seed"] for case in SHARED["seeds"]}) == len(SHARED["seeds"])


@pytest.mark.parametrize("case", SHARED["numbers"])
def test_numbers(case: dict[str, Any]) -> None:
    assert number_of(bytes.fromhex(case["seed"]), case["drawn"], case["of"]) == case["number"]


def steps_of(share: bytes) -> list[DiceStep]:
    """Dice steps of a table with one person and bots, up to its start."""
    first = first_steps([(0, digest_of(share))])
    more = [("closes", -1, ""), ("opens", 0, share.hex()), ("begins", -1, "")]
    return [*first, *(DiceStep(len(first) + number, *step) for number, step in enumerate(more))]


def test_a_server_cannot_choose() -> None:
    """A malicious server cannot steer the dice.

    It must publish its digest while it knows only the person's commitment, so that the rolls depend
    on the person's share. Another share, chosen later, does not match the digest.
    """
    server = new_share()
    first_rolls = []
    for _ in range(300):
        shares = SeedShares("t" * 16, server, steps_of(new_share()))
        assert shares.digest == digest_of(server)
        first_rolls.append(number_of(shares.seed(), 0, 6))
    # 50 of each face are expected.
    assert all(20 < first_rolls.count(face) < 90 for face in range(6))

    record = game_with_shares("t" * 16, server, [(0, MINE)])
    assert verify(record, digest_of(server), MINE.hex()).fair
    # A server that tries many shares to get a seed it likes.
    for _ in range(300):
        tampered = game_with_shares("t" * 16, new_share(), [(0, MINE)])
        assert verify(tampered, digest_of(server)).fair is False


def game_with_shares(
    table: str, server: bytes, persons: list[tuple[int, bytes | None]], events: int = 12
) -> Record:
    """Record of the start of a game, with seed and shares revealed."""
    from souk.core.record import DiceShares, PersonsShare

    record, rng = Record("suleika", 3, names=["Ann", "Ben", "Cem"]), random.Random(1)
    seed = seed_of(table, server, persons)
    dice = FairDice(seed)
    while not record.position.over and len(record.events) < events:
        seats = record.position.actors
        record.play(
            seats[0], rng.choice(record.position.moves(seats[0]))
        ) if seats else record.draw(dice)
    record.dice = digest_of(server), seed.hex()
    revealed = [
        PersonsShare(seat, digest_of(share or YOURS), share.hex() if share else MISSING)
        for seat, share in persons
    ]
    record.shares = DiceShares(table, tuple(revealed), server.hex())
    return record


def test_a_record_with_shares_is_read_as_it_was_written() -> None:
    record = game_with_shares("AbC_-", MINE, [(2, YOURS), (0, None)])
    again = Record.parse(str(record))
    assert again == record
    assert again.shares == record.shares
    assert "begun" not in str(record)
    verdict = verify(again)
    assert verdict.fair
    assert "The share of Ann (seat 0) is missing: it was never told." in verdict.lines
    assert any("--digest" in line for line in verdict.lines)
    again.names = []
    assert "The share of seat 0 is missing: it was never told." in verify(again).lines


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"server": YOURS.hex()}, "server's share does not belong"),
        ({"server": ""}, "server's share does not belong"),
        ({"table": "other"}, "not the one that the shares give"),
        ({"persons": ()}, "not the one that the shares give"),
    ],
)
def test_what_does_not_fit_is_named(change: dict[str, Any], complaint: str) -> None:
    record = game_with_shares("AbC_-", MINE, [(1, YOURS)])
    assert record.shares
    record.shares = record.shares._replace(**change)
    verdict = verify(record)
    assert verdict.fair is False
    assert complaint in verdict.lines[0]


def test_a_share_that_is_not_the_promised_one_is_named() -> None:
    record = game_with_shares("AbC_-", MINE, [(1, YOURS)])
    assert record.shares
    [person] = record.shares.persons
    record.shares = record.shares._replace(persons=(person._replace(commitment=digest_of(MINE)),))
    assert verify(record).lines == ["The share of seat 1 does not belong to its commitment."]


def test_whose_share_is_in_it() -> None:
    record = game_with_shares("AbC_-", MINE, [(1, YOURS)])
    assert verify(record, share=YOURS.hex()).fair
    assert verify(record, share=MINE.hex()) == (False, ["Your share is not in this game's seed."])
    nobody = verify(game_with_shares("AbC_-", MINE, []))
    assert nobody.fair
    assert any("could have chosen" in line for line in nobody.lines)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["table: a b"], "table: must be the id"),
        (["table: abc", "commitment 7: " + "0" * 64], "'7' is not a seat"),
        (["table: abc", "commitment 0: 17"], "commitment: must be 64"),
        (["table: abc", "commitment 0: " + "0" * 64, "share 0: gone"], "share 0: must be 64"),
        (["table: abc", "server: x"], "server: must be 64"),
    ],
)
def test_shares_that_cannot_be_read_are_refused(lines: list[str], problem: str) -> None:
    from souk.core.record import _with_checks

    head = [
        "souk record 1",
        "game: suleika",
        f"rules: {find_game('suleika').version}",
        "players: 2",
        "date: 2026-01-31",
    ]
    with pytest.raises(ValueError, match=problem):
        Record.parse(_with_checks([*head, "dice: " + "0" * 64, *lines, "end: unfinished"]))


# ---------------------------------------------------------------- before the game starts


def test_nothing_is_drawn_before_the_shares_are_told(server: Server) -> None:
    async def work() -> None:
        async with two_at_a_table(server) as (table, host, mine, _guest, yours):
            record = await host.record(table)
            assert "begun: not yet" in record
            assert Record.parse(record).events == []
            assert verify(Record.parse(record)).fair is None
            aside = await host.http.get(f"/api/tables/{table}/aside")
            assert (aside.status_code, reason(aside.json())) == (409, "table.refused.not_begun")
            assert (mine.now["view"], mine.now["box"], mine.now["lines"], mine.seq) == (
                None,
                None,
                [],
                -1,
            )
            for do in ("move", "check_legality"):
                answer = await mine.ask(
                    do, seat=0, move="roll", **({"after": -1} if do == "move" else {})
                )
                assert reason(answer) == "table.refused.not_begun"
            assert (await open_share(mine, 0, MINE))["is"] == "done"
            assert (await share_of(mine, 0))["opened"]
            assert "begun: not yet" in await host.record(table)
            assert (await open_share(yours, 1, YOURS))["is"] == "done"
            await mine.until_begun()
            await yours.until_begun()
            # The rates and the first player are drawn.
            assert mine.seq == yours.seq >= 0
            for message in (*mine.heard, *yours.heard, await host.record(table)):
                for secret in (MINE.hex(), YOURS.hex()):
                    assert secret not in str(message)

    asyncio.run(work())


def test_the_servers_share_is_fixed_from_the_beginning(own_server: Server) -> None:
    """The share stored when the table is created is the one revealed at the end."""

    def kept(table: str) -> tuple[str, str]:
        file = sqlite3.connect(own_server.data / "tables.sqlite")
        [(share, digest)] = file.execute("SELECT seed, digest FROM tables WHERE id = ?", (table,))
        file.close()
        return read_key(own_server.data / "key").decrypt(share, "seed", table).hex(), digest

    async def work() -> None:
        async with Person(own_server) as person:
            table, _ = await person.new_table("suleika", "me", "bot", commitment=digest_of(MINE))
            share, digest = kept(table)
            async with person.page(table) as page:
                assert page.dice["digest"] == digest == digest_of(bytes.fromhex(share))
                await page.until(lambda message: message.get("dice", {}).get("turn") == 0)
                assert (await open_share(page, 0, MINE))["is"] == "done"
                await page.play(0, random.Random(1))
                result = await page.until(lambda message: message["is"] == "result")
                assert (result["dice"]["share"], result["dice"]["digest"]) == (share, digest)
                assert result["dice"]["shares"][0]["share"] == MINE.hex()
            record = Record.parse(await person.record(table))
            assert verify(record, digest, MINE.hex()).fair
            assert len(verify(record, digest, MINE.hex()).lines) == 1
            dice = [
                (draw["text"], draw["low"], draw["high"], draw["of"]) for draw in result["draws"]
            ]
            assert [text for text, *_ in dice] == [
                text for seat, text in record.events if seat is None
            ]
            seed = bytes.fromhex(result["dice"]["seed"])
            assert all(
                low <= number_of(seed, k, of) < high for k, (_, low, high, of) in enumerate(dice)
            )

    asyncio.run(work())


def test_shares_are_told_in_order(server: Server) -> None:
    async def work() -> None:
        async with two_at_a_table(server) as (_table, _host, mine, _guest, yours):
            assert [share["seat"] for share in mine.dice["shares"]] == [0, 1]
            assert reason(await open_share(yours, 1, YOURS)) == "table.refused.share_early"
            assert reason(await open_share(mine, 1, YOURS)) == "table.refused.not_your_seat"
            assert (await open_share(mine, 0, MINE))["is"] == "done"
            # Repeated after a dropped connection.
            assert (await open_share(mine, 0, MINE))["is"] == "done"
            await yours.until_so(lambda: yours.dice["turn"] == 1)
            assert (await open_share(yours, 1, YOURS))["is"] == "done"

    asyncio.run(work())


def test_a_wrong_share_is_refused_and_changes_nothing(server: Server) -> None:
    async def work() -> None:
        async with two_at_a_table(server) as (table, host, mine, _guest, yours):
            before = await host.record(table)
            assert reason(await open_share(mine, 0, YOURS)) == "table.refused.share_wrong"
            assert (
                reason(await mine.ask("reveal_share", seat=0, share="17")) == "table.refused.digits"
            )
            assert (await host.record(table), mine.dice["turn"]) == (before, 0)
            assert (await open_share(mine, 0, MINE))["is"] == "done"
            await yours.until_so(lambda: yours.dice["turn"] == 1)

    asyncio.run(work())


def test_a_commitment_cannot_be_changed(server: Server) -> None:
    async def work() -> None:
        other = digest_of(bytes(32))
        async with Person(server) as host, Person(server) as guest:
            bad = await host.ask_for_table("suleika", "me", "link", commitment="17")
            assert (bad.status_code, reason(bad.json())) == (400, "table.refused.digits")
            table, invitations = await host.new_table(
                "suleika", "me", "link", "link", commitment=digest_of(MINE)
            )
            assert (await guest.sit(table, invitations["1"], commitment="x")).status_code == 400
            for commitment in (digest_of(YOURS), other):
                assert (
                    await guest.sit(table, invitations["1"], commitment=commitment)
                ).status_code == 200
            async with host.page(table) as page, guest.page(table) as guest_page:
                assert [share["commitment"] for share in page.dice["shares"]] == [
                    digest_of(MINE),
                    digest_of(YOURS),
                ]
                assert (await page.ask("commit_share", seat=0, commitment=digest_of(MINE)))[
                    "is"
                ] == "done"
                assert (
                    reason(await page.ask("commit_share", seat=0, commitment=other))
                    == "table.refused.commitment_given"
                )
                answer = await guest_page.ask("commit_share", seat=0, commitment=other)
                assert reason(answer) == "table.refused.not_your_seat"
                assert page.dice == guest_page.dice

    asyncio.run(work())


def test_who_sends_no_commitment_is_not_waited_for(server: Server) -> None:
    async def work() -> None:
        async with Person(server) as host, Person(server) as guest:
            table, invitations = await host.new_table("suleika", "me", "link")
            async with host.page(table) as page:
                assert page.view is None
                await guest.sit(table, invitations["1"])
                await page.until_begun()
                assert (await page.move(0, "left"))["is"] == "done"

    asyncio.run(work())


def test_a_bot_for_a_free_seat_lets_the_table_begin(server: Server) -> None:
    async def work() -> None:
        async with Person(server) as host, Person(server) as guest:
            table, invitations = await host.new_table(
                "suleika", "me", "link", commitment=digest_of(MINE)
            )
            async with host.page(table) as page:
                assert (await page.ask("stand_in", seat=1, level="random"))["is"] == "done"
                await page.until_so(lambda: page.dice["turn"] == 0)
                assert (await open_share(page, 0, MINE))["is"] == "done"
                await page.until_begun()
                late = await guest.sit(table, invitations["1"], commitment=digest_of(YOURS))
                # They take the seat, but the seed is already fixed.
                assert late.status_code == 200
                assert [share["seat"] for share in page.dice["shares"]] == [0]
                async with guest.page(table) as guest_page:
                    refused = await guest_page.ask(
                        "commit_share", seat=1, commitment=digest_of(YOURS)
                    )
                    assert reason(refused) == "table.refused.share_late"

    asyncio.run(work())


# ---------------------------------------------------------------- missing shares and failures


def test_a_share_that_is_never_told_is_left_out(own_server: Server) -> None:
    async def work() -> None:
        async with two_at_a_table(own_server, "suleika") as (table, host, mine, _guest, yours):
            assert (await open_share(mine, 0, MINE))["is"] == "done"
            await mine.until_begun()
            for page in (mine, yours):
                await page.until_begun()
                assert [(share["opened"], share["missing"]) for share in page.dice["shares"]] == [
                    (True, False),
                    (False, True),
                ]
            assert reason(await open_share(yours, 1, YOURS)) == "table.refused.share_late"
            assert "share 1: missing" in await host.record(table)
            await asyncio.gather(mine.play(0, random.Random(1)), yours.play(1, random.Random(2)))
            verdict = verify(
                Record.parse(await host.record(table)), mine.dice["digest"], MINE.hex()
            )
            assert verdict.fair
            assert verdict.lines[1:] == [
                "The share of Faruk (seat 1) is missing: it was never told."
            ]

    asyncio.run(work())


def test_nobody_is_held_up_by_one_who_has_left(own_server: Server) -> None:
    """The next seat still gets its full time."""

    async def work() -> None:
        async with two_at_a_table(own_server) as (_table, _host, _mine, _guest, yours):
            await yours.until_so(lambda: yours.dice["turn"] == 1)
            assert (await share_of(yours, 0))["missing"]
            assert (await open_share(yours, 1, YOURS))["is"] == "done"
            await yours.until_begun()

    asyncio.run(work())


def test_a_beginning_that_is_not_kept_has_not_happened(own_server: Server) -> None:
    async def work() -> None:
        async with two_at_a_table(own_server) as (table, host, mine, _guest, yours):
            with writes_failing(own_server):
                assert (await open_share(mine, 0, MINE))["is"] == "done"
                await yours.until_so(lambda: yours.dice["turn"] == 1)
                assert (await open_share(yours, 1, YOURS))["is"] == "done"
                await asyncio.sleep(0.3)
                record = await host.record(table)
                assert "begun: not yet" in record
                assert Record.parse(record).events == []
                async with host.page(table) as again:
                    assert again.view is None
            await mine.until_begun()
            assert Record.parse(await host.record(table)).events

    asyncio.run(work())


def test_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    """Restarts before the guest sits, with one of two shares revealed, and in mid-game."""

    async def make(server: Server) -> tuple[str, str, str]:
        async with Person(server) as host:
            table, invitations = await host.new_table(
                "suleika", "me", "link", commitment=digest_of(MINE)
            )
            return table, invitations["1"], host.cookie

    async def half(server: Server, table: str, secret: str, cookie: str) -> str:
        async with Person(server, cookie) as host, Person(server) as guest:
            await guest.sit(table, secret, commitment=digest_of(YOURS))
            async with host.page(table) as page:
                await page.until_so(lambda: page.dice["turn"] == 0)
                assert (await open_share(page, 0, MINE))["is"] == "done"
            return guest.cookie

    async def begin(server: Server, table: str, cookies: tuple[str, str]) -> None:
        host, guest = (Person(server, cookie) for cookie in cookies)
        async with host, guest, host.page(table) as mine, guest.page(table) as yours:
            assert mine.view is None
            assert yours.dice["turn"] == 1
            assert [share["opened"] for share in yours.dice["shares"]] == [True, False]
            assert (await open_share(yours, 1, YOURS))["is"] == "done"
            await mine.until_begun()
            assert (await mine.move(0, "left"))["is"] == "done"

    async def end(server: Server, table: str, cookies: tuple[str, str], digest: str) -> None:
        async with Person(server, cookies[0]) as host, Person(server, cookies[1]) as guest:
            async with host.page(table) as mine, guest.page(table) as yours:
                assert mine.seq >= 0
                await asyncio.gather(
                    mine.play(0, random.Random(1)), yours.play(1, random.Random(2))
                )
            record = Record.parse(await host.record(table))
            assert verify(record, digest, MINE.hex()).fair
            assert verify(record, digest, YOURS.hex()).fair

    def at_a_server(work: Any, *arguments: Any) -> Any:
        with Server(tmp_path) as server:
            result = asyncio.run(work(server, *arguments))
            assert server.stop() == 0
            assert not server.troubles
            return result

    table, secret, mine = at_a_server(make)
    yours = at_a_server(half, table, secret, mine)
    file = sqlite3.connect(tmp_path / "tables.sqlite")
    [(digest,)] = file.execute("SELECT digest FROM tables")
    file.close()
    at_a_server(begin, table, (mine, yours))
    at_a_server(end, table, (mine, yours), digest)


# ---------------------------------------------------------------- a rematch


async def play_to_the_end(mine: Page, yours: Page) -> None:
    await open_share(mine, 0, MINE)
    await yours.until_so(lambda: yours.dice["turn"] == 1)
    await open_share(yours, 1, YOURS)
    await asyncio.gather(mine.play(0, random.Random(1)), yours.play(1, random.Random(2)))


def test_a_rematch_has_shares_of_its_own(server: Server) -> None:
    """The player who asks commits first; the game waits until the other commits too."""

    async def work() -> None:
        async with two_at_a_table(server, "suleika") as (table, host, mine, guest, yours):
            await play_to_the_end(mine, yours)
            again, other = new_share(), new_share()
            assert (await yours.ask("rematch", commitment=digest_of(other)))["is"] == "done"
            rematch = (await mine.until(lambda message: message["is"] == "rematch_ready"))["table"]
            async with guest.page(rematch) as yours:
                assert yours.view is None
                shares = [(share["seat"], share["commitment"]) for share in yours.dice["shares"]]
                assert shares == [(1, digest_of(other)), (0, "")]
                tables = (await host.lobby())["tables"]
                [card] = [card for card in tables if card["table"] == rematch]
                assert card["waiting"]
                async with host.page(rematch) as mine:
                    assert (await mine.ask("commit_share", seat=0, commitment=digest_of(again)))[
                        "is"
                    ] == "done"
                    await yours.until_so(lambda: yours.dice["turn"] == 1)
                    assert (await open_share(yours, 1, other))["is"] == "done"
                    await mine.until_so(lambda: mine.dice["turn"] == 0)
                    assert (await open_share(mine, 0, again))["is"] == "done"
                    await yours.until_begun()
                    assert yours.dice["digest"] != (await old_digest(host, table))
                    # The host was first in the first game.
                    assert yours.view["position"]["options"]["first"] == 1

    asyncio.run(work())


async def old_digest(person: Person, table: str) -> str:
    record = Record.parse(await person.record(table))
    assert record.dice
    return record.dice[0]


def test_a_bot_may_stand_in_for_one_who_does_not_come_to_the_rematch(server: Server) -> None:
    async def work() -> None:
        async with two_at_a_table(server, "suleika") as (_table, host, mine, _guest, yours):
            await play_to_the_end(mine, yours)
            assert (await mine.ask("rematch", commitment=digest_of(MINE)))["is"] == "done"
            rematch = next(
                message["table"] for message in mine.heard if message["is"] == "rematch_ready"
            )
            async with host.page(rematch) as page:
                await page.until_so(lambda: bool(page.seats[1].get("away")))
                assert page.view is None
                assert (await page.ask("stand_in", seat=1, level="random"))["is"] == "done"
                await page.until_so(lambda: page.dice["turn"] == 0)
                assert (await open_share(page, 0, MINE))["is"] == "done"
                await page.until_begun()
                assert [share["seat"] for share in page.dice["shares"]] == [0]

    asyncio.run(work())
