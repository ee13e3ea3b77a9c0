"""Kills containers of compose.yaml, one per round, while people play through the proxy.

    python -m bench.server.containers [--compose "docker compose"] [--without SERVICE ...]
                                      [--rounds N] [--tables N] [--level BOT] [--json FILE]

Needs root and a free port 8080. Kills a container's first process, so that the engine restarts it
as after a crash; otherwise as bench/server/cluster.py. Uses a project of its own, removed at the
end.
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

from bench.server.cluster import EVENTS, check, cluster_parser, play, report
from bench.support.provenance import ROOT

PROJECT = "souk-containers"
PROXY = "localhost:8080"
NAMES = {"server 0": "server-1", "server 1": "server-2"}
READY = 120.0  # seconds for everything to start


class Containers:
    """Containers of one compose project."""

    addresses: Sequence[str] = (PROXY, PROXY)

    def __init__(self, compose: str, without: Sequence[str]) -> None:
        self._compose = [*compose.split(), "--project-name", PROJECT]
        self._engine = compose.split()[0].partition("-")[0]
        passwords = {f"{name}_PASSWORD": secrets.token_hex(16) for name in ("SOUK", "GRAFANA")}
        self._environment = os.environ | passwords
        self._without = without

    def start(self) -> None:
        services = set(self._compose_output("config", "--services").split()) - set(self._without)
        self._compose_output("up", "--detach", *sorted(services))
        self._wait_for("server-2", "healthy")

    def close(self) -> None:
        self._compose_output("down", "--volumes")

    def kill(self, what: str) -> float:
        os.kill(self._state(NAMES.get(what, what))["Pid"], signal.SIGKILL)
        return time.monotonic()

    def bring_back(self, what: str) -> None:
        """Wait until the engine has restarted it."""
        self._wait_for(NAMES.get(what, what), "healthy")

    def events(self) -> list[tuple[Any, ...]]:
        found = json.loads(self._query(f"SELECT json_agg(found) FROM ({EVENTS}) found"))
        return [tuple(row.values()) for row in found]

    def replay_errors(self) -> list[str]:
        done = self._run(
            "exec", self._container("server-1"), "/opt/souk/bin/souk", "host", "check", check=False
        )
        return [] if done.returncode == 0 else [done.stdout + done.stderr]

    # ------------------------------------------------------------ engine

    def _wait_for(self, service: str, wanted: str) -> None:
        end = time.monotonic() + READY
        while wanted not in self._status(service):
            if time.monotonic() > end:
                status = " and ".join(filter(None, self._status(service)))
                sys.exit(f"{service} is {status}, not {wanted}, after {READY:.0f} s")
            time.sleep(0.2)

    def _status(self, service: str) -> tuple[str, str]:
        state = self._state(service)
        return state["Status"], state.get("Health", {}).get("Status", "")

    def _state(self, service: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._run("inspect", self._container(service)).stdout)[
            0
        ]["State"]
        return found

    def _container(self, service: str) -> str:
        return self._compose_output("ps", "--quiet", service).strip()

    def _query(self, question: str, check: bool = True) -> str:
        words = ("psql", "--username", "souk", "--no-align", "--tuples-only", "--command", question)
        return self._run("exec", self._container("database"), *words, check=check).stdout

    def _compose_output(self, *words: str) -> str:
        return self._execute([*self._compose, *words]).stdout

    def _run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self._execute([self._engine, *words], check)

    def _execute(self, command: list[str], check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command, cwd=ROOT, env=self._environment, check=False, capture_output=True, text=True
        )
        if check and done.returncode:
            sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
        return done


def main() -> None:
    parser = cluster_parser(__doc__)
    parser.add_argument("--compose", default="docker compose", help="command")
    parser.add_argument("--without", nargs="*", default=[], metavar="SERVICE", help="to leave out")
    args = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which(args.compose.split()[0]):
        sys.exit(f"needs root (to kill processes in containers) and {args.compose}")
    containers = Containers(args.compose, args.without)
    try:
        begin = time.monotonic()
        containers.start()
        started = time.monotonic() - begin
        figures, people = asyncio.run(
            play(containers, args.tables, args.level, args.rounds, args.seed)
        )
        about = {
            "rounds": args.rounds,
            "tables": args.tables,
            "level": args.level,
            "started": started,
        }
        figures |= about | {"without": args.without} | check(containers, people)
    finally:
        containers.close()
    report(figures, args)


if __name__ == "__main__":
    main()
