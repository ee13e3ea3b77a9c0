"""Measures start-up in fresh processes: import, loading, the server, and compiling once.

    python -m bench.server.start_time [--rounds N] [--processes N] [--cache DIR] [--json FILE]

Compiling starts with an empty cache, one process per game; the rest uses that cache.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from bench.server.load import Server
from bench.support.provenance import figures_parser, write_figures
from souk.games import names

TIMED = "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"
IMPORT = TIMED.format("import souk")
# Kernels of a game.
COMPILING = {
    "rules": "souk.simulate({name!r}, players=find({name!r}).players[-1], games=1)",
    "bots": "souk.bots.prepare(find({name!r}))",
    "batch": "souk.lab.Batch({name!r}, players=find({name!r}).players[-1], size=8)",
}
PREPARED = "import souk, souk.lab; from souk.games import game as find; "


def timed(program: str) -> float:
    """Seconds printed by a program in a fresh Python."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def compiling(name: str) -> dict[str, float]:
    """Seconds to compile each kind of kernel."""
    return {
        what: timed(PREPARED + TIMED.format(work.format(name=name)))
        for what, work in COMPILING.items()
    }


def loading() -> float:
    """Seconds to load the compiled rules of all games."""
    all_games = "; ".join(COMPILING["rules"].format(name=name) for name in names())
    return timed(TIMED.format(PREPARED + all_games))


def serving() -> float:
    """Seconds from the command to the first response."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        server = Server(Path(folder))
        try:
            urlopen(f"http://{server.address}/healthz").close()
            return time.perf_counter() - begin
        finally:
            server.stop()


def median(measure: Callable[[], float], rounds: int) -> float:
    return statistics.median(measure() for _ in range(rounds))


def measure(rounds: int, processes: int) -> dict[str, Any]:
    with ThreadPoolExecutor(processes) as pool:
        compiled = dict(zip(names(), pool.map(compiling, names()), strict=True))
    return {
        "compiling": compiled,
        "loading": median(loading, rounds),
        "import": median(lambda: timed(IMPORT), rounds),
        "serving": median(serving, rounds),
    }


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processes", type=int, default=1, help="compiling in parallel")
    parser.add_argument("--cache", type=Path, help="an empty folder to compile into and keep")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = str(args.cache or folder)
        figures = measure(args.rounds, args.processes)
    for name, times in figures["compiling"].items():
        texts = ", ".join(f"{seconds:.1f} s ({part})" for part, seconds in times.items())
        print(f"{name}: compiled in {texts}")
    print(f"compiled rules loaded {figures['loading']:.2f} s after the start of Python")
    print(f"import: {figures['import']:.2f} s; server: {figures['serving']:.2f} s")
    if args.json:
        of, cores = "rounds (compiling: one)", args.processes
        write_figures(args.json, figures, n=args.rounds, of=of, cores=cores)


if __name__ == "__main__":
    main()
