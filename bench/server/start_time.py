"""How long one waits before Souk is ready: importing it, starting the server, compiling what is compiled once.

    python bench/starting.py [--rounds N] [--processes N] [--cache DIR] [--json FILE]

Everything is measured in fresh processes. Compiling begins with an empty cache, a process for each game; what comes after it finds the cache full.
Compiling the bots of all games is measured once more as a server does it, two games at a time. On a server that has just been started with another empty cache
somebody opens a table of each game with three merchants and then one with three viziers: when has a bot moved?
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from load import Server
from pedigree import settings, write_figures
from thinkers import Guest

from souk.games import names

TIMED = "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"
IMPORT = TIMED.format("import souk")
# What is compiled for a game, each once: the rules for random play, what bots think with, and stepping many games at once.
COMPILING = {
    "rules": "souk.simulate({name!r}, players=find({name!r}).players[-1], games=1)",
    "bots": "souk.bots.prepare(find({name!r}))",
    "batch": "souk.lab.Batch({name!r}, players=find({name!r}).players[-1], size=8)",
}
PREPARED = "import souk, souk.lab; from souk.games import game as find; "


def timed(program: str) -> float:
    """What a fresh Python says about how long something took."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(done.stdout)


def compiling(name: str) -> dict[str, float]:
    """Seconds for each of a game's kernels."""
    return {what: timed(PREPARED + TIMED.format(work.format(name=name))) for what, work in COMPILING.items()}


def loading() -> float:
    """The rules of all games, compiled before."""
    all_games = "; ".join(COMPILING["rules"].format(name=name) for name in names())
    return timed(TIMED.format(PREPARED + all_games))


def serving() -> float:
    """From the command to the first answer."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        server = Server(Path(folder))
        try:
            urlopen(f"http://{server.address}/healthz").close()
            return time.perf_counter() - begin
        finally:
            server.stop()


def all_bots() -> float:
    """Compiling the bots of all games, two processes at a time."""
    begin = time.perf_counter()
    with ThreadPoolExecutor(2) as pool, empty_cache():
        list(pool.map(lambda name: timed(PREPARED + TIMED.format(COMPILING["bots"].format(name=name))), names()))
    return time.perf_counter() - begin


async def first_moves(server: Server, game: str) -> dict[str, float]:
    """Seconds from the opening of a table until a bot has moved."""
    found = {}
    for level in ("merchant", "vizier"):
        begin = time.perf_counter()
        async with Guest.at_new_table(server, level, 3, game) as guest:
            await guest.first_answer()
        found[level] = time.perf_counter() - begin
    return found


def waiting(game: str) -> dict[str, float]:
    """On a machine that has never compiled anything."""
    with tempfile.TemporaryDirectory() as folder, empty_cache():
        server = Server(Path(folder), "merchant,vizier", ",".join(names()))
        try:
            return asyncio.run(first_moves(server, game))
        finally:
            server.stop()


@contextmanager
def empty_cache() -> Iterator[None]:
    before = os.environ["XDG_CACHE_HOME"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
        finally:
            os.environ["XDG_CACHE_HOME"] = before


def median(measure: Callable[[], float], rounds: int) -> float:
    return statistics.median(measure() for _ in range(rounds))


def measure(rounds: int, processes: int) -> dict[str, Any]:
    with ThreadPoolExecutor(processes) as pool:
        compiled = dict(zip(names(), pool.map(compiling, names()), strict=True))
    return {
        "compiling": compiled,
        "all_bots": all_bots(),
        "first_moves": {game: waiting(game) for game in names()},
        "loading": median(loading, rounds),
        "import": median(lambda: timed(IMPORT), rounds),
        "serving": median(serving, rounds),
    }


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processes", type=int, default=1, help="that compile at the same time")
    parser.add_argument(
        "--cache", type=Path, help="an empty folder to compile into, instead of one that is thrown away"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = str(given.cache or folder)
        found = measure(given.rounds, given.processes)
    for name, took in found["compiling"].items():
        print(f"{name}: compiled in " + ", ".join(f"{seconds:.1f} s ({what})" for what, seconds in took.items()))
    print(f"the bots of all games, two processes at a time: {found['all_bots']:.1f} s")
    for name, took in found["first_moves"].items():
        print(f"{name}: " + ", ".join(f"a {level} has moved after {seconds:.1f} s" for level, seconds in took.items()))
    print(f"the rules of all games loaded {found['loading']:.2f} s after Python began, compiled before")
    print(f"imported in {found['import']:.2f} s; the server answers after {found['serving']:.2f} s")
    if given.json:
        write_figures(given.json, found, n=given.rounds, of="rounds (compiling: one)", cores=given.processes)


if __name__ == "__main__":
    main()
