"""Measures how the load of one server process scales to several, with PostgreSQL.

    python -m bench.server.processes [--processes N ...] [--tables T] [--rate R] [--seconds S]
                                     [--rounds K] [--json FILE]

Server, players and database share a machine, so capacity is derived from the CPU time per move: N
processes with a core each carry N times the load of one, corrected for the growth of that time.
"""

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from bench.server.load import Crowd, Server
from bench.support.provenance import figures_parser, write_figures
from tests.server.support.databases import address_of, in_postgres
from tests.support.postgres import Cluster

TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds, the resolution of CPU times


class Servers(Server):
    """Several processes at one port."""

    def __init__(self, data: Path, processes: int) -> None:
        super().__init__(data, store=address_of(data), processes=processes)

    def cpu(self) -> float:
        return seconds_of(self.process.pid)

    def wait_until_idle(self) -> None:
        """Wait until everything is loaded."""
        before = -1.0
        while (now := self.cpu()) - before > 0.05:
            before = now
            time.sleep(1.0)


def seconds_of(pid: int) -> float:
    """CPU time of a process and its children."""
    root = psutil.Process(pid)
    times = [each.cpu_times() for each in (root, *root.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def measured(
    folder: Path, database: Cluster, processes: int, tables: int, rate: float, seconds: float
) -> dict[str, Any]:
    """CPU time per move of servers and database."""
    with in_postgres(folder, database):
        servers = Servers(folder, processes)
        try:
            servers.wait_until_idle()
            crowd = Crowd(servers.address, tables, 1)
            crowd.play(tables / rate, 2.0)
            before = servers.cpu(), seconds_of(database.pid)
            played = crowd.play(tables / rate, seconds)
            now = servers.cpu(), seconds_of(database.pid)
            used = [max(TICK, end - start) for end, start in zip(now, before, strict=True)]
            crowd.finish()
        finally:
            servers.stop()
    moves = played["moves"]
    return {
        "servers_ms": 1000 * used[0] / moves,
        "database_ms": 1000 * used[1] / moves,
        "moves": moves,
    } | {name: played[name] for name in ("p50_ms", "p99_ms")}


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=100.0, help="moves/s at all tables together")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    rounds: dict[int, list[dict[str, Any]]] = {count: [] for count in args.processes}
    with tempfile.TemporaryDirectory() as name:
        database = Cluster(Path(name) / "postgres", "max_connections = 200\n")
        try:
            for turn in range(args.rounds):
                for count in args.processes:
                    folder = Path(name) / f"servers-{turn}-{count}"
                    rounds[count].append(
                        measured(folder, database, count, args.tables, args.rate, args.seconds)
                    )
                    print(count, "processes:", rounds[count][-1], flush=True)
        finally:
            database.close()
    rows = [row_of(count, found, rounds[args.processes[0]]) for count, found in rounds.items()]
    for row in rows:
        print(row)
    if args.json:
        n = sum(each["moves"] for found in rounds.values() for each in found)
        write_figures(
            args.json,
            {"tables": args.tables, "rate": args.rate, "rows": rows},
            n=n,
            of="moves",
            cores=2,
        )


def row_of(count: int, found: list[dict[str, Any]], alone: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians over rounds, and the capacity that follows."""

    def median(rounds: list[dict[str, Any]], name: str) -> float:
        return float(statistics.median(each[name] for each in rounds))

    servers, database = median(found, "servers_ms"), median(found, "database_ms")
    return {
        "processes": count,
        "servers_ms": round(servers, 3),
        "database_ms": round(database, 3),
        "p50_ms": median(found, "p50_ms"),
        "p99_ms": median(found, "p99_ms"),
        "times_one": round(count * median(alone, "servers_ms") / servers, 2),
        "full_at": round(1000 * count / servers),  # moves/s with a core per process
        "database_full_at": round(1000 / database),  # moves/s
    }


if __name__ == "__main__":
    main()
