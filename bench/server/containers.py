"""What the containers of compose.yaml weather: they are started as a host would, people play through the proxy, and one container is killed every round.

    python bench/containers.py [--compose "docker compose"] [--without SERVICE ...] [--rounds N] [--tables N] [--level BOT] [--seed N] [--json FILE]

As root, and where nothing else listens at port 8080. A container's first process is killed with SIGKILL, so that the engine starts it again by itself, as after a crash. Who plays and what is
looked at is the same as in bench/cluster.py, except that a page that lost its database is timed from the kill as well. The house is another one than that of a host who says `compose up`
here, and is thrown away in the end.
"""

import asyncio
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from cluster import EVENTS, THINKERS, check, play, report, wishes
from pedigree import ROOT

PROJECT = "souk-containers"
PROXY = "localhost:8080"
NAMES = {"server 0": "server-1", "server 1": "server-2", "thinker 0": "thinker-1", "thinker 1": "thinker-2"}
READY = 120.0  # seconds in which everything has started


class ContainerHouse:
    """A house of containers."""

    addresses: Sequence[str] = (PROXY, PROXY)

    def __init__(self, compose: str, without: Sequence[str]) -> None:
        self._compose = [*compose.split(), "--project-name", PROJECT]
        self._engine = compose.split()[0].partition("-")[0]
        passwords = {f"{name}_PASSWORD": secrets.token_hex(16) for name in ("SOUK", "GRAFANA")}
        self._environment = os.environ | passwords
        self._without = without

    def start(self) -> None:
        services = set(self._composed("config", "--services").split()) - set(self._without)
        self._composed("up", "--detach", *sorted(services))
        self._wait_for("server-2", "healthy")

    def close(self) -> None:
        self._composed("down", "--volumes")

    def thinkers_there(self) -> int:
        return int(self._asked(THINKERS, check=False) or 0)  # none are known of while the database comes back

    def kill(self, what: str) -> float:
        os.kill(self._state(NAMES.get(what, what))["Pid"], signal.SIGKILL)
        return time.monotonic()

    def bring_back(self, what: str) -> None:
        """The engine does."""
        self._wait_for(NAMES.get(what, what), "running" if what.startswith("thinker") else "healthy")

    def events(self) -> list[tuple[Any, ...]]:
        found = json.loads(self._asked(f"SELECT json_agg(found) FROM ({EVENTS}) found"))
        return [tuple(row.values()) for row in found]

    def wrong(self) -> list[str]:
        done = self._run("exec", self._container("server-1"), "/opt/souk/bin/souk", "host", "check", check=False)
        return [] if done.returncode == 0 else [done.stdout + done.stderr]

    # ------------------------------------------------------------ the engine

    def _wait_for(self, service: str, wanted: str) -> None:
        end = time.monotonic() + READY
        while wanted not in self._how_is(service):
            if time.monotonic() > end:
                sys.exit(
                    f"{service} is {' and '.join(filter(None, self._how_is(service)))}, not {wanted}, after {READY:.0f} s"
                )
            time.sleep(0.2)

    def _how_is(self, service: str) -> tuple[str, str]:
        state = self._state(service)
        return state["Status"], state.get("Health", {}).get("Status", "")

    def _state(self, service: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._run("inspect", self._container(service)).stdout)[0]["State"]
        return found

    def _container(self, service: str) -> str:
        return self._composed("ps", "--quiet", service).strip()

    def _asked(self, question: str, check: bool = True) -> str:
        words = ("psql", "--username", "souk", "--no-align", "--tuples-only", "--command", question)
        return self._run("exec", self._container("database"), *words, check=check).stdout

    def _composed(self, *words: str) -> str:
        return self._said([*self._compose, *words]).stdout

    def _run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self._said([self._engine, *words], check)

    def _said(self, command: list[str], check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(command, cwd=ROOT, env=self._environment, check=False, capture_output=True, text=True)
        if check and done.returncode:
            sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
        return done


def main() -> None:
    parser = wishes(__doc__)
    parser.add_argument("--compose", default="docker compose", help="how it is called here")
    parser.add_argument("--without", nargs="*", default=[], metavar="SERVICE", help="that cannot be had here")
    given = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which(given.compose.split()[0]):
        sys.exit(f"This needs the rights of root, to kill what runs in containers, and {given.compose}.")
    house = ContainerHouse(given.compose, given.without)
    try:
        begin = time.monotonic()
        house.start()
        started = time.monotonic() - begin
        found, people = asyncio.run(play(house, given.tables, given.level, given.rounds, given.seed))
        about = {"rounds": given.rounds, "tables": given.tables, "level": given.level, "started": started}
        found |= about | {"without": given.without} | check(house, people)
    finally:
        house.close()
    report(found, given)


if __name__ == "__main__":
    main()
