"""What it takes that processes hear of each other: so many of them at one PostgreSQL, each of which says so often that a table has changed.

    python bench/news.py [--processes N …] [--rate R] [--seconds S] [--json FILE]

All lines are real (`souk.table.news_line`), and all of them in one process here, so that what a word takes can be told apart: of the database, and of
whoever says and hears it. Whatever is said within three milliseconds goes out together, and everybody hears everything: what the database has to do grows with
the square of the processes. Told are also the milliseconds until a word is heard.
"""

import asyncio
import json
import os
import time
from typing import Any

import psutil  # type: ignore[import-untyped]
from pedigree import settings, write_figures
from stores import postgres

from souk.table.news import TablesChanged
from souk.table.news_line import NewsLine


class Hearer:
    """A process of a house, as far as news go."""

    def __init__(self, address: str) -> None:
        self.line = NewsLine(address)
        self.waits: list[float] = []
        self.line.hear(TablesChanged, self._heard)

    def _heard(self, _sender: str, word: TablesChanged) -> None:
        now = time.perf_counter()
        self.waits += [now - float(name) for name in word.names]

    async def speak(self, rate: float, seconds: float) -> None:
        """Say so often when it was said, as if that were the name of a table."""
        end = time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            self.line.say(TablesChanged([repr(now)]))
            await asyncio.sleep(1 / rate)


def database_seconds() -> float:
    """Processor time that PostgreSQL has used."""
    found = (each.cpu_times() for each in psutil.process_iter(["name"]) if each.info["name"].startswith("postgres"))
    return float(sum(times.user + times.system for times in found))


async def measure(address: str, processes: int, rate: float, seconds: float) -> dict[str, Any]:
    hearers = [Hearer(address) for _ in range(processes)]
    for each in hearers:
        await each.line.start()
    there, here = database_seconds(), time.process_time()
    await asyncio.gather(*(each.speak(rate, seconds) for each in hearers))
    await asyncio.sleep(0.5)  # until the last word is heard
    there, here = database_seconds() - there, time.process_time() - here
    for each in hearers:
        await each.line.close()
    waits = sorted(wait for each in hearers for wait in each.waits)
    return {
        "processes": processes,
        "said_per_second": processes * rate,
        "heard": len(waits),
        "database_us": 1e6 * there / len(waits),
        "own_us": 1e6 * here / len(waits),
        "database_cores": there / seconds,
        "half_ms": 1000 * waits[len(waits) // 2],
        "p99_ms": 1000 * waits[len(waits) * 99 // 100],
    }


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("--processes", type=int, nargs="+", default=[2, 4, 8, 16])
    parser.add_argument("--rate", type=float, default=50.0, help="words a second, of each")
    parser.add_argument("--seconds", type=float, default=5.0)
    chosen = parser.parse_args()
    rows = []
    with postgres() as address:
        for processes in chosen.processes:
            rows.append(asyncio.run(measure(address, processes, chosen.rate, chosen.seconds)))
            print(json.dumps({name: round(value, 2) for name, value in rows[-1].items()}), flush=True)
    if chosen.json:
        write_figures(
            chosen.json, {"rate": chosen.rate, "rows": rows}, n=len(rows), of="runs", cores=os.cpu_count() or 1
        )


if __name__ == "__main__":
    main()
