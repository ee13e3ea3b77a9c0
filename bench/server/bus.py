"""Measures announcements between server processes through PostgreSQL.

    python -m bench.server.bus [--processes N ...] [--rate R] [--seconds S] [--json FILE]

All connections are real but share this process, to separate the cost of the database from that of
senders and receivers. Every process receives everything, so the work grows quadratically.
"""

import asyncio
import json
import os
import time
from typing import Any

import psutil  # type: ignore[import-untyped]

from bench.server.stores import postgres
from bench.support.provenance import figures_parser, write_figures
from souk.server.bus.bus import TablesChanged
from souk.server.bus.postgres_bus import PostgresBus


class Process:
    """The bus of a server process."""

    def __init__(self, address: str) -> None:
        self.bus = PostgresBus(address)
        self.delays: list[float] = []
        self.bus.hear(TablesChanged, self._receive)

    def _receive(self, _sender: str, message: TablesChanged) -> None:
        now = time.perf_counter()
        self.delays += [now - float(name) for name in message.names]

    async def announce(self, rate: float, seconds: float) -> None:
        """Announce changes of tables whose names are the times."""
        end = time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            self.bus.say(TablesChanged([repr(now)]))
            await asyncio.sleep(1 / rate)


def database_seconds() -> float:
    """CPU seconds used by PostgreSQL."""
    used = (
        each.cpu_times()
        for each in psutil.process_iter(["name"])
        if each.info["name"].startswith("postgres")
    )
    return float(sum(times.user + times.system for times in used))


async def measure(address: str, processes: int, rate: float, seconds: float) -> dict[str, Any]:
    buses = [Process(address) for _ in range(processes)]
    for each in buses:
        await each.bus.start()
    database, own = database_seconds(), time.process_time()
    await asyncio.gather(*(each.announce(rate, seconds) for each in buses))
    await asyncio.sleep(0.5)  # for the last announcement
    database, own = database_seconds() - database, time.process_time() - own
    for each in buses:
        await each.bus.close()
    delays = sorted(delay for each in buses for delay in each.delays)
    return {
        "processes": processes,
        "said_per_second": processes * rate,
        "heard": len(delays),
        "database_us": 1e6 * database / len(delays),
        "own_us": 1e6 * own / len(delays),
        "database_cores": database / seconds,
        "half_ms": 1000 * delays[len(delays) // 2],
        "p99_ms": 1000 * delays[len(delays) * 99 // 100],
    }


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("--processes", type=int, nargs="+", default=[2, 4, 8, 16])
    parser.add_argument("--rate", type=float, default=50.0, help="announcements/s of each process")
    parser.add_argument("--seconds", type=float, default=5.0)
    args = parser.parse_args()
    rows = []
    with postgres() as address:
        for processes in args.processes:
            rows.append(asyncio.run(measure(address, processes, args.rate, args.seconds)))
            print(
                json.dumps({name: round(value, 2) for name, value in rows[-1].items()}), flush=True
            )
    if args.json:
        write_figures(
            args.json,
            {"rate": args.rate, "rows": rows},
            n=len(rows),
            of="runs",
            cores=os.cpu_count() or 1,
        )


if __name__ == "__main__":
    main()
