"""Full disk: throttled log lines without tracebacks, a plain /readyz, and no data lost."""

import asyncio
import contextlib
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from souk.server.common import logs
from souk.server.storage.errors import ReadFailed, WriteFailed
from tests.server.storage.test_open_files import move
from tests.server.support.clients import PATIENCE, Person, Server

resource = pytest.importorskip("resource")
needs_limits = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="setting limits of other processes needs Linux"
)
MOVES = 40


@contextlib.contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """Keep all files of the server from growing."""
    limit = resource.RLIMIT_FSIZE
    before = resource.prlimit(server.pid, limit, (4096, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.prlimit(server.pid, limit, before)


@needs_limits
def test_what_is_refused_is_a_line_now_and_then(tmp_path: Path) -> None:
    async def play(server: Server) -> None:
        async with (
            Person(server) as person,
            person.page_at_new_table("suleika", "me", "here") as page,
        ):
            assert (await move(page))["is"] == "done"
            with full_disk(server):
                for _ in range(MOVES):
                    assert (await move(page))["is"] == "refused"
                response = await person.http.get("/readyz")
                assert (response.status_code, response.text) == (
                    503,
                    "not ready: the database does not answer\n",
                )
            assert (await move(page))["is"] == "done"
            assert (await person.http.get("/readyz")).status_code == 200

    with Server(tmp_path) as server:
        asyncio.run(play(server))
        assert server.stop() == 0
        troubles = [json.loads(line) for line in server.troubles]
        # Where moves take a minute, housekeeping comes by as well.
        assert {line["event"] for line in troubles} - {"housekeeping failed"} == {"write rejected"}
        assert len(troubles) < MOVES / 2
        # The field "error" holds a traceback.
        assert not any("error" in line for line in troubles)
        assert all(line["why"] for line in troubles)


@needs_limits
def test_a_start_on_a_full_disk_ends_in_one_line(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert httpx.get(f"http://{server.address}/readyz").status_code == 200
        server.kill()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    serve = ["-m", "souk.cli", "serve", "--port", "0", "--log", "json", "--data"]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.run(
        [sys.executable, *serve, str(tmp_path)],
        env=environment,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE,
        check=False,
    )
    assert process.returncode == 2, process.stderr
    assert process.stdout == ""
    [line] = process.stderr.splitlines()
    assert line.startswith("souk: tables.sqlite cannot be used as the file of tables: ")


def test_failures_are_counted_and_told_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = 0.0
    monkeypatch.setattr(logs, "source", lambda: now)
    monkeypatch.setattr(logs, "_failures", {})
    monkeypatch.setattr(logging.getLogger("souk.server"), "propagate", True)

    def logged() -> list[tuple[str, int]]:
        lines = [record.fields for record in caplog.records]  # type: ignore[attr-defined]
        caplog.clear()
        return [(fields["why"], fields["number"]) for fields in lines]

    for _ in range(100):
        logs.log_error("write rejected", WriteFailed("full"))
    logs.log_error("write rejected", WriteFailed("locked"))
    logs.log_error("housekeeping failed", ReadFailed("full"))
    assert logged() == [("full", 1), ("locked", 1), ("full", 1)]
    now = 59.0
    logs.log_error("write rejected", WriteFailed("full"))
    assert logged() == []
    now = 60.0
    logs.log_error("write rejected", WriteFailed("full"))
    assert logged() == [("full", 101)]
    now = 500.0
    logs.log_error("write rejected", WriteFailed("full"))
    assert logged() == [("full", 1)]
    for _ in range(2):
        logs.log_error("write rejected", ValueError("a mistake of ours"))
    assert [bool(line.exc_info) for line in caplog.records] == [True, True]
