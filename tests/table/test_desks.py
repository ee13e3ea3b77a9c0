"""What a host asks and does, in both databases: the same answers. (What the commands say is in test_host.)"""

import asyncio
from pathlib import Path

import pytest

from souk.table import lobby_protocol
from souk.table.desks import open_desk
from souk.table.evening_protocol import NewEvening
from tests.table.places import address_of, in_both
from tests.table.test_move import TERMS
from tests.table.test_two_servers import ANN, BEN, finished, invited, open_house


@in_both
def test_all_that_a_host_can_ask_and_do(tmp_path: Path) -> None:
    async def live() -> tuple[str, str]:
        async with open_house(tmp_path) as house:
            over = await finished(house)
            made = await invited(house)
            await house.reception.sit_down(made.table, lobby_protocol.SitDown(made.invitations[1], "Ben"), BEN)
            return over, made.table

    over, running = asyncio.run(live())
    with open_desk(tmp_path, Path("key"), address_of(tmp_path)) as desk:
        assert {each.id: each.over for each in desk.tables()} == {over: True, running: False}
        assert [each.id for each in desk.tables("bazaar", True)] == [over]
        [table] = desk.tables(over=False)
        assert (table.names, table.size > 0) == ("Ann, Ben", table.events > 0)
        assert desk.find_table(running[:6]) == running
        assert {each.player for each in desk.people()} == {ANN, BEN}
        assert desk.find_person("Ben") == BEN
        desk.ban(desk.ban_name("Ben"), None)
        assert [each.banned for each in desk.people() if each.player == BEN] == [True]
        [name] = desk.bans()
        desk.unban(name)
        assert desk.bans() == {}
        assert desk.record(over)[0] == "bazaar"
        assert [fault for _, fault in desk.check() if fault] == []
        assert desk.size() > 0
        evening, _ = desk.open_evening(NewEvening("Friday", TERMS, 2, "apprentice"))
        assert [(each.id, each.people) for each in desk.evenings()] == [(evening, 2)]
        desk.delete_evening(evening)
        with pytest.raises(ValueError, match="there is no"):
            desk.delete_evening(evening)
        desk.announce("Welcome")
        desk.reread_forbidden()
        assert not desk.forbidden().lines
        assert desk.reports() == []
        desk.clear_reports()
        book, differing = desk.ratings(change=True)
        assert (book.games, differing) == (0, 0)
        desk.forget(BEN)
        assert [each.player for each in desk.people()] == [ANN]
        desk.delete(running)
        assert desk.expire(True, 0.0) == 0
        assert desk.expire(True, 1e12) == 1
        assert desk.tables() == []
        if address_of(tmp_path):
            with pytest.raises(ValueError, match="pg_dump"):
                desk.backup(tmp_path / "copy")
