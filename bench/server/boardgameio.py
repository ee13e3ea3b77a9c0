"""Souk's server beside boardgame.io's own, on this machine in one run: acknowledged moves a second.

    python bench/boardgame.py [TABLES] [SECONDS] [ROUNDS] [--json FILE]

Needs Node and npm (boardgame.io is fetched into bench/boardgame/node_modules). Both serve the same simple game of two, "fields"
(bench/boardgame/fields and server.cjs), to the same driver: a socket for each seat, the next move as soon as the last is
acknowledged. Souk acknowledges what is on disk (SQLite, synchronous=FULL); boardgame.io keeps its games in memory.
"""

import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pedigree import settings, write_figures

HERE = Path(__file__).parent / "boardgame"
_NO_LIMIT = 1_000_000_000
Rounds = dict[str, list[float]]  # by server


def serve_souk(port: int, data: str) -> None:
    """Souk's server with one more game, and without limits for one address: all clients of this measurement are at one."""
    import souk.games
    from souk.table.serving import serve
    from souk.table.settings import Settings

    souk.games.__path__.append(str(HERE))
    limited = "message", "frame", "byte", "request", "table"
    limits = {f"{what}_rate": _NO_LIMIT for what in limited}
    bursts = {f"{what}_burst": _NO_LIMIT for what in limited}
    serve(Settings(port=port, data=Path(data), games=(), sockets=_NO_LIMIT, connections=_NO_LIMIT, **limits, **bursts))  # type: ignore[arg-type]


def free_ports() -> tuple[int, int]:
    """A port for Souk and one for boardgame.io, whose lobby listens at the next one: three in a row that are free."""
    for first in range(20_000, 30_000, 3):
        with contextlib.suppress(OSError), contextlib.ExitStack() as bound:
            for port in range(first, first + 3):
                bound.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return first, first + 1
    raise RuntimeError("no three ports in a row are free")


@contextmanager
def running(command: list[str], port: int) -> Iterator[None]:
    """A server, from when it answers until it is not needed any more."""
    process = subprocess.Popen(command, cwd=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        else:
            raise RuntimeError(f"{command[0]} does not answer")
        yield
    finally:
        process.terminate()
        process.wait()


def drive(which: str, port: int, tables: int, seconds: float) -> dict[str, float]:
    command = ["node", "drive.cjs", which, str(port), str(tables), str(seconds)]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(tables: int, seconds: float, rounds: int) -> tuple[Rounds, Rounds]:
    """Acknowledged moves a second of both, round by round, and what each took of the driver, in microseconds."""
    if not (HERE / "node_modules").exists():
        subprocess.run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"], cwd=HERE, check=True)
    rates: Rounds = {"souk": [], "boardgame": []}
    driving: Rounds = {"souk": [], "boardgame": []}
    with tempfile.TemporaryDirectory() as data:
        ours, theirs = free_ports()
        commands = {
            "souk": ([sys.executable, str(Path(__file__).resolve()), "serve", str(ours), data], ours),
            "boardgame": (["node", "server.cjs", str(theirs)], theirs),
        }
        for _ in range(rounds):
            for which, (command, port) in commands.items():
                with running(command, port):
                    found = drive(which, port, tables, seconds)
                rates[which].append(found["moves"] / found["seconds"])
                driving[which].append(found["driver_us"])
                print(
                    f"{which:10} {rates[which][-1]:8,.0f} acknowledged moves/s   p50 {found['p50']:.1f} ms   p99 {found['p99']:.1f} ms   "
                    f"{found['driver_us']:.0f} µs of the driver a move"
                )
    return rates, driving


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("tables", nargs="?", type=int, default=50)
    parser.add_argument("seconds", nargs="?", type=float, default=8.0)
    parser.add_argument("rounds", nargs="?", type=int, default=3)
    given = parser.parse_args()
    rates, driving = compare(given.tables, given.seconds, given.rounds)
    times = statistics.median(rates["souk"]) / statistics.median(rates["boardgame"])
    print(
        f"{given.tables} tables, {2 * given.tables} sockets, medians of {given.rounds}: Souk (on disk) {times:.2f} times boardgame.io (in memory)"
    )
    if given.json:
        figures = {"tables": given.tables, "times": times, "moves_per_second": rates, "driver_us": driving}
        write_figures(given.json, figures, n=given.rounds, of="rounds", cores=os.cpu_count() or 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve_souk(int(sys.argv[2]), sys.argv[3])
    else:
        main()
