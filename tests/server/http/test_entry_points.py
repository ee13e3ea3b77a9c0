"""Every entry point is listed with its worst case, and once expensive ones are measured again."""

import asyncio
import re
import typing
from pathlib import Path

from souk.server.app import make_app
from souk.server.common.config import ServerConfig
from souk.server.protocol.meeting import LobbyCommand
from souk.server.protocol.table import Command
from tests.server.support.entry_points import (
    INTRO,
    MOST_CORE,
    MOST_LOOP,
    PAGE,
    ROWS,
    Cost,
    line,
    measure,
    server_without_limits,
)

# Allowance for a core shared with other programs. Each of these took seconds without its bound.
BUSY_MACHINE = 4
ONCE_EXPENSIVE = (
    "POST /api/tables",
    "POST /api/boxes/check",
    "POST /api/studies",
    "POST /api/positions/check",
    "GET /api/person/all",
    "GET /api/tables/{table}/replay",
    "table: watch",
)
_ROW = re.compile(r"\| `(?P<name>[^`]+)` \| (?P<loop>\d+) \| (?P<core>\d+) \|")


def commands(union: object) -> set[str]:
    return {str(command.__struct_config__.tag) for command in typing.get_args(union)}


def entry_points(folder: Path) -> set[str]:
    """All routes, and the commands of both sockets."""
    routes = make_app(ServerConfig(data=folder)).inner.routes
    requests = {f"{method} {route.path}" for route in routes for method in route.methods - {"HEAD"}}
    return (
        requests
        | {f"table: {tag}" for tag in commands(Command)}
        | {f"lobby: {tag}" for tag in commands(LobbyCommand)}
    )


def test_every_entry_point_has_a_row(tmp_path: Path) -> None:
    assert set(ROWS) == entry_points(tmp_path)


def test_every_row_is_on_the_page_and_within_bounds() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(INTRO)
    measured = {row["name"]: row for row in _ROW.finditer(text)}
    assert list(measured) == list(ROWS)
    for name, row in measured.items():
        assert int(row["loop"]) <= MOST_LOOP * 1000, name
        assert int(row["core"]) <= MOST_CORE * 1000, name


def test_a_row_is_written_as_it_is_read() -> None:
    written = _ROW.match(line("GET /healthz", Cost(0.0123, 0.4567)))
    assert written is not None
    assert (written["name"], written["loop"], written["core"]) == ("GET /healthz", "12", "457")


def test_what_was_once_expensive_is_bounded(tmp_path: Path) -> None:
    found: dict[str, tuple[Cost, str]] = {}

    def tell(name: str, cost: Cost, dearest: str) -> None:
        found[name] = cost, dearest

    with server_without_limits(tmp_path) as server:
        asyncio.run(measure(server, {name: ROWS[name] for name in ONCE_EXPENSIVE}, tell))
        assert not server.troubles
    assert set(found) == set(ONCE_EXPENSIVE)
    for name, (cost, dearest) in found.items():
        assert cost.loop <= MOST_LOOP * BUSY_MACHINE, (name, dearest, cost)
        assert cost.core <= MOST_CORE * BUSY_MACHINE, (name, dearest, cost)
