"""Prometheus metrics."""

import asyncio
import json
import random
import re
import socket
from pathlib import Path

import httpx

from tests.server.support.clients import Person, Server, checked_server


def metrics(server: Server) -> dict[str, float]:
    """All metrics by name and labels, as Prometheus would read them."""
    [line] = [json.loads(line) for line in server.lines if '"metrics"' in line]
    text = httpx.get(line["address"]).text
    return {
        name: float(value)
        for name, value in re.findall(r"^(\w+(?:\{.*\})?) (\S+)$", text, re.MULTILINE)
    }


async def play_a_little(server: Server) -> None:
    """Play Suleika against a bot, with two refused commands."""
    async with Person(server) as person, person.page_at_new_table("suleika", "me", "bot") as page:
        before = metrics(server)
        assert (before["souk_sockets"], before["souk_tables_in_memory"]) == (1, 1)
        assert (await page.move(0, "nonsense"))["is"] == "refused"
        assert (await page.move(1, "straight"))["is"] == "refused"
        await page.play(0, random.Random(1))


def test_what_happens_is_counted_and_timed(tmp_path: Path) -> None:
    with checked_server(tmp_path, metrics="127.0.0.1:0") as server:
        asyncio.run(play_a_little(server))
        assert httpx.get(f"http://{server.address}/api/tables/{'x' * 16}/record").status_code == 404
        counts = metrics(server)
        by_people, by_bots = (
            counts[f'souk_moves_total{{by="{who}",game="suleika"}}'] for who in ("person", "bot")
        )
        assert by_people > 20
        assert by_bots > 20
        assert counts["souk_command_seconds_count"] >= by_people + 2
        assert counts["souk_write_seconds_count"] >= by_people
        assert counts["souk_writes_failed_total"] == 0
        assert counts["souk_loop_lag_seconds_count"] > 0
        assert counts["souk_file_bytes"] > 4096
        assert counts["souk_disk_free_bytes"] > 0
        assert counts["process_resident_memory_bytes"] > 10**6
        for reason in ("illegal", "not_your_seat", "table_unknown"):
            assert counts[f'souk_refusals_total{{reason="{reason}"}}'] == 1


def test_what_the_wall_turns_away_is_counted(tmp_path: Path) -> None:
    with Server(tmp_path, metrics="127.0.0.1:0") as server:
        for _ in range(3):
            assert (
                httpx.get(
                    f"http://{server.address}/", headers={"host": "elsewhere.example"}
                ).status_code
                == 421
            )
        assert metrics(server)['souk_turned_away_total{what="requests: for another host"}'] == 3


def test_the_figures_are_nowhere_else(server: Server) -> None:
    """The public address serves no metrics, and by default no other address does."""
    assert "souk_moves" not in httpx.get(f"http://{server.address}/metrics").text
    assert not [line for line in server.lines if '"metrics"' in line]


def test_a_port_that_is_taken_costs_the_figures_and_not_the_games(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with Server(tmp_path, metrics=f"127.0.0.1:{taken.getsockname()[1]}") as server:
            assert httpx.get(f"http://{server.address}/readyz").text == "ready\n"
            assert "no metrics at" in server.troubles[0]
