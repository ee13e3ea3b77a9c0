"""How much more several server processes bear than one, with PostgreSQL, by the processor time that a move takes.

    python bench/several.py [--processes N …] [--tables T] [--rate R] [--seconds S] [--rounds K] [--json FILE]

The same people play at the same rate at a house of one process, of two and so on, in turn; whichever process the system hands a page to leads it to the one where its table is
at home. Servers, players and database share a machine, which may have fewer cores than the house has processes: what a
house bears is therefore not tried, but reckoned from what a move takes. Processes that have a core each bear as many times one process's load as there are of them,
times what a move takes with one and divided by what it takes with all; until the database, of which there is one, has as much to do as its cores can.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
from load import Crowd, Server
from pedigree import ROOT, settings, write_figures

sys.path.insert(0, str(ROOT))

from tests.postgres import Cluster
from tests.table.places import address_of, in_postgres

TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds; nothing takes less


class House(Server):
    """Several processes at one port."""

    def __init__(self, data: Path, processes: int) -> None:
        super().__init__(data, store=address_of(data), processes=processes)

    def cpu(self) -> float:
        return seconds_of(self.process.pid)

    def wait_until_all_are_up(self) -> None:
        """Until nobody has anything to load any more."""
        before = -1.0
        while (now := self.cpu()) - before > 0.05:
            before = now
            time.sleep(1.0)


def seconds_of(pid: int) -> float:
    """Processor time of a process and of all that it has started and are still there, in ticks of the system."""
    root = psutil.Process(pid)
    times = [each.cpu_times() for each in (root, *root.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def measured(
    folder: Path, database: Cluster, processes: int, tables: int, rate: float, seconds: float
) -> dict[str, Any]:
    """What a move takes of the servers and of the database, in ms of a core."""
    with in_postgres(folder, database):
        house = House(folder, processes)
        try:
            house.wait_until_all_are_up()
            crowd = Crowd(house.address, tables, 1)
            crowd.play(tables / rate, 2.0)
            before = house.cpu(), seconds_of(database.pid)
            found = crowd.play(tables / rate, seconds)
            now = house.cpu(), seconds_of(database.pid)
            servers, kept = (max(TICK, then - earlier) for then, earlier in zip(now, before, strict=True))
            crowd.promised()
        finally:
            house.stop()
    moves = found["moves"]
    return {"servers_ms": 1000 * servers / moves, "database_ms": 1000 * kept / moves, "moves": moves} | {
        name: found[name] for name in ("p50_ms", "p99_ms")
    }


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=100.0, help="moves a second, at all tables together")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    rounds: dict[int, list[dict[str, Any]]] = {count: [] for count in chosen.processes}
    with tempfile.TemporaryDirectory() as name:
        database = Cluster(Path(name) / "postgres", "max_connections = 200\n")  # else as it comes: all is on disk
        try:
            for turn in range(chosen.rounds):
                for count in chosen.processes:
                    folder = Path(name) / f"house-{turn}-{count}"
                    rounds[count].append(measured(folder, database, count, chosen.tables, chosen.rate, chosen.seconds))
                    print(count, "processes:", rounds[count][-1], flush=True)
        finally:
            database.close()
    rows = [row_of(count, found, rounds[chosen.processes[0]]) for count, found in rounds.items()]
    for row in rows:
        print(row)
    if chosen.json:
        n = sum(each["moves"] for found in rounds.values() for each in found)
        write_figures(
            chosen.json, {"tables": chosen.tables, "rate": chosen.rate, "rows": rows}, n=n, of="moves", cores=2
        )


def row_of(count: int, found: list[dict[str, Any]], alone: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians of all rounds, and what follows from them."""

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
        "full_at": round(1000 * count / servers),  # moves a second, where each process has a core
        "database_full_at": round(1000 / database),  # moves a second that fill one core of the database
    }


if __name__ == "__main__":
    main()
