"""Host tools give the same answers on both databases. (Command output: test_host_command.)"""

import asyncio
from pathlib import Path

import pytest

from souk.server.admin.open_host_tools import open_host_tools
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol.events import NewEvent
from tests.server.admin.test_migrate_store import TERMS
from tests.server.cluster.test_two_servers import ANN, BEN, finished, invited, open_services
from tests.server.support.databases import address_of, in_both


@in_both
def test_all_that_a_host_can_ask_and_do(tmp_path: Path) -> None:
    async def live() -> tuple[str, str]:
        async with open_services(tmp_path) as services:
            over = await finished(services)
            made = await invited(services)
            await services.table_factory.sit_down(
                made.table, lobby_protocol.TakeSeat(made.invitations[1], "Ben"), BEN
            )
            return over, made.table

    over, running = asyncio.run(live())
    with open_host_tools(tmp_path, Path("key"), address_of(tmp_path)) as tools:
        assert {each.id: each.over for each in tools.tables()} == {over: True, running: False}
        assert [each.id for each in tools.tables("bazaar", True)] == [over]
        [table] = tools.tables(over=False)
        assert (table.names, table.size > 0) == ("Ann, Ben", table.events > 0)
        assert tools.find_table(running[:6]) == running
        assert {each.player for each in tools.people()} == {ANN, BEN}
        assert tools.find_person("Ben") == BEN
        tools.ban(tools.ban_name("Ben"), None)
        assert [each.banned for each in tools.people() if each.player == BEN] == [True]
        [name] = tools.bans()
        tools.unban(name)
        assert tools.bans() == {}
        assert tools.record(over)[0] == "bazaar"
        assert [fault for _, fault in tools.check() if fault] == []
        assert tools.size() > 0
        event, _ = tools.open_event(NewEvent("Friday", TERMS, 2, "apprentice"))
        assert [(each.id, each.people) for each in tools.events()] == [(event, 2)]
        tools.delete_event(event)
        with pytest.raises(ValueError, match="there is no"):
            tools.delete_event(event)
        tools.announce("Welcome")
        tools.reread_forbidden()
        assert not tools.forbidden().lines
        assert tools.reports() == []
        tools.clear_reports()
        book, differing = tools.ratings(change=True)
        assert (book.games, differing) == (0, 0)
        tools.forget(BEN)
        assert [each.player for each in tools.people()] == [ANN]
        tools.delete(running)
        assert tools.expire(True, 0.0) == 0
        assert tools.expire(True, 1e12) == 1
        assert tools.tables() == []
        if address_of(tmp_path):
            with pytest.raises(ValueError, match="pg_dump"):
                tools.backup(tmp_path / "copy")
