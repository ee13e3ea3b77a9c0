"""dev.py: setup, handing over to the server, and locks that match pyproject.toml."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import dev

PROJECT = tomllib.loads((dev.HERE / "pyproject.toml").read_text(encoding="utf-8"))


def requirements_of(lock: str) -> list[Requirement]:
    """Requirements in pyproject.toml that a lock is made from."""
    project = PROJECT["project"]
    tables = {"--group": PROJECT["dependency-groups"], "--extra": project["optional-dependencies"]}
    words = dev.MADE_FROM[lock]
    parts = [tables[kind][name] for kind, name in zip(words[::2], words[1::2], strict=True)]
    return [Requirement(text) for part in parts or [project["dependencies"]] for text in part]


def locked(lock: str) -> dict[str, list[str]]:
    """Versions in a lock by package; several where they depend on Python's version."""
    found: dict[str, list[str]] = {}
    for entry in dev.entries(lock):
        name, _, version = entry.split()[0].partition("==")
        found.setdefault(name, []).append(version)
    return found


@pytest.mark.parametrize("lock", dev.MADE_FROM)
def test_a_lock_meets_the_requirements(lock: str) -> None:
    """If this fails: `python3 dev.py lock`."""
    versions = locked(dev.PLAY) | locked(lock)
    for wish in requirements_of(lock):
        found = versions.get(wish.name.replace("_", "-"), [])
        assert found, wish.name
        assert all(wish.specifier.contains(version) for version in found), wish


@pytest.mark.parametrize("lock", dev.MADE_FROM)
def test_a_lock_has_hashes_and_no_address(lock: str) -> None:
    text = (dev.LOCKS / lock).read_text(encoding="utf-8")
    assert "://" not in text
    assert all("--hash=sha256:" in entry for entry in dev.entries(lock))


def test_playing_installs_no_tools_of_tests_or_lab() -> None:
    others = {wish.name for lock in (dev.TEST, dev.LAB) for wish in requirements_of(lock)}
    assert {"pytest", "mypy", "playwright", "ray"} <= others
    assert not others & set(locked(dev.PLAY))
    for lock in (dev.TEST, dev.LAB):
        assert not set(locked(lock)) & set(locked(dev.PLAY))


def test_the_bill_of_materials_names_every_locked_package() -> None:
    bill: Any = dev.bill_of_materials()
    named = {part["purl"] for part in bill["components"]}
    assert {
        f"pkg:pypi/{name}@{version}" for name, each in locked(dev.PLAY).items() for version in each
    } <= named
    assert any(purl.startswith("pkg:npm/svelte@") for purl in named)
    assert "://" not in json.dumps(bill)


def test_build_requirements_are_locked() -> None:
    assert {wish.partition("==")[0] for wish in PROJECT["build-system"]["requires"]} <= set(
        locked(dev.BUILD)
    )
    assert all("==" in wish for wish in PROJECT["build-system"]["requires"])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no exec")
def test_ending_dev_py_ends_the_server(tmp_path: Path) -> None:
    """`python3 dev.py play` in this environment, ended by SIGTERM."""
    code = """if True:
        import sys, pathlib, dev
        dev.set_up, dev.BIN = lambda *_: None, pathlib.Path(sys.executable).parent
        sys.exit(dev.main())
    """
    options = ["--port", "0", "--data", str(tmp_path), "--games", "", "--log", "json"]
    command = [sys.executable, "-c", code, "play", *options]
    environment = dict(os.environ, BROWSER="true")
    with subprocess.Popen(
        command,
        cwd=dev.HERE,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stderr is not None
            serving = next(line for line in process.stderr if '"serving"' in line)
            port = int(json.loads(serving)["address"].rstrip("/").rpartition(":")[2])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
                assert answer.status == 200
            process.terminate()
            assert process.wait(20) == 0
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port))
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
