"""What a host sees from outside: figures for Prometheus, and whether the server is ready."""

import asyncio
import json
import random
import re
import socket
from pathlib import Path

import httpx

from tests.table.clients import Person, Server


def metrics(server: Server) -> dict[str, float]:
    """All figures by their names and labels, as Prometheus would read them."""
    [line] = [json.loads(line) for line in server.lines if '"metrics"' in line]
    text = httpx.get(line["address"]).text
    return {name: float(value) for name, value in re.findall(r"^(\w+(?:\{.*\})?) (\S+)$", text, re.MULTILINE)}


async def play_a_little(server: Server) -> None:
    """A game of Suleika against a bot; and commands that are refused."""
    async with Person(server) as person, person.page_at_new_table("suleika", "me", "bot") as page:
        before = metrics(server)
        assert (before["souk_sockets"], before["souk_tables_in_memory"]) == (1, 1)
        assert (await page.move(0, "nonsense"))["is"] == "refused"
        assert (await page.move(1, "straight"))["is"] == "refused"
        await page.play(0, random.Random(1))


def test_what_happens_is_counted_and_timed(tmp_path: Path) -> None:
    with Server(tmp_path, metrics="127.0.0.1:0") as server:
        asyncio.run(play_a_little(server))
        assert httpx.get(f"http://{server.address}/api/tables/{'x' * 16}/record").status_code == 404
        found = metrics(server)
        by_people, by_bots = (found[f'souk_moves_total{{by="{who}",game="suleika"}}'] for who in ("person", "bot"))
        assert by_people > 20
        assert by_bots > 20
        assert found["souk_command_seconds_count"] >= by_people + 2
        assert found["souk_write_seconds_count"] >= by_people
        assert found["souk_writes_failed_total"] == 0
        assert found["souk_loop_lag_seconds_count"] > 0
        assert found["souk_file_bytes"] > 4096
        assert found["souk_disk_free_bytes"] > 0
        assert found["process_resident_memory_bytes"] > 10**6
        for reason in ("illegal", "not_your_seat", "table_unknown"):
            assert found[f'souk_refusals_total{{reason="{reason}"}}'] == 1
        assert server.stop() == 0
        assert not server.troubles


def test_what_the_wall_turns_away_is_counted(tmp_path: Path) -> None:
    with Server(tmp_path, metrics="127.0.0.1:0") as server:
        for _ in range(3):
            assert httpx.get(f"http://{server.address}/", headers={"host": "elsewhere.example"}).status_code == 421
        assert metrics(server)['souk_turned_away_total{what="requests: for another host"}'] == 3


def test_the_figures_are_nowhere_else(server: Server) -> None:
    """Neither at the address that everybody can reach, nor anywhere unless a host asks for it."""
    assert "souk_moves" not in httpx.get(f"http://{server.address}/metrics").text
    assert not [line for line in server.lines if '"metrics"' in line]


def test_a_port_that_is_taken_costs_the_figures_and_not_the_games(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with Server(tmp_path, metrics=f"127.0.0.1:{taken.getsockname()[1]}") as server:
            assert httpx.get(f"http://{server.address}/readyz").text == "ready\n"
            assert "no metrics at" in server.troubles[0]
