"""Measures acknowledged moves/s of Souk's server beside boardgame.io's.

    python -m bench.server.boardgameio [TABLES] [SECONDS] [ROUNDS] [--json FILE]

Needs Node and npm. The same driver plays the same simple game (boardgameio_games/fields, and
boardgameio/server.cjs) on both. Souk acknowledges once a move is on disk; boardgame.io keeps games
in memory.
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
from typing import Any

from bench.support.provenance import ROOT, figures_parser, write_figures

NODE = Path(__file__).parent / "boardgameio"
GAMES = Path(__file__).parent / "boardgameio_games"
_NO_LIMIT = 1_000_000_000
Rounds = dict[str, list[float]]  # by server


def serve_souk(port: int, data: str) -> None:
    """Serve Souk with the game `fields`, and without limits per address."""
    import souk.games
    from souk.server.common.config import ServerConfig
    from souk.server.run import serve

    souk.games.__path__.append(str(GAMES))
    limited = "message", "frame", "byte", "request", "table"
    limits: dict[str, Any] = {
        f"{what}_{kind}": _NO_LIMIT for what in limited for kind in ("rate", "burst")
    }
    serve(
        ServerConfig(
            port=port, data=Path(data), games=(), sockets=_NO_LIMIT, connections=_NO_LIMIT, **limits
        )
    )


def free_ports() -> tuple[int, int]:
    """Ports for Souk and boardgame.io, whose lobby uses the next one."""
    for first in range(20_000, 30_000, 3):
        with contextlib.suppress(OSError), contextlib.ExitStack() as bound:
            for port in range(first, first + 3):
                bound.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return first, first + 1
    raise RuntimeError("no three ports in a row are free")


@contextmanager
def running(command: list[str], port: int, folder: Path) -> Iterator[None]:
    """Run a server."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
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
    done = subprocess.run(command, cwd=NODE, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(tables: int, seconds: float, rounds: int) -> tuple[Rounds, Rounds]:
    """Acknowledged moves/s, and microseconds of the driver per move, by server."""
    if not (NODE / "node_modules").exists():
        subprocess.run(
            ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"], cwd=NODE, check=True
        )
    rates: Rounds = {"souk": [], "boardgame": []}
    driving: Rounds = {"souk": [], "boardgame": []}
    with tempfile.TemporaryDirectory() as data:
        ours, theirs = free_ports()
        commands = {
            "souk": (
                [sys.executable, "-m", "bench.server.boardgameio", "serve", str(ours), data],
                ours,
                ROOT,
            ),
            "boardgame": (["node", "server.cjs", str(theirs)], theirs, NODE),
        }
        for _ in range(rounds):
            for which, (command, port, folder) in commands.items():
                with running(command, port, folder):
                    found = drive(which, port, tables, seconds)
                rates[which].append(found["moves"] / found["seconds"])
                driving[which].append(found["driver_us"])
                latency = f"p50 {found['p50']:.1f} ms, p99 {found['p99']:.1f} ms"
                print(f"{which:10} {rates[which][-1]:8,.0f} acknowledged moves/s, {latency}")
    return rates, driving


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("tables", nargs="?", type=int, default=50)
    parser.add_argument("seconds", nargs="?", type=float, default=8.0)
    parser.add_argument("rounds", nargs="?", type=int, default=3)
    args = parser.parse_args()
    rates, driving = compare(args.tables, args.seconds, args.rounds)
    times = statistics.median(rates["souk"]) / statistics.median(rates["boardgame"])
    print(f"{args.tables} tables, medians: Souk {times:.2f} times boardgame.io")
    if args.json:
        figures = {
            "tables": args.tables,
            "times": times,
            "moves_per_second": rates,
            "driver_us": driving,
        }
        write_figures(args.json, figures, n=args.rounds, of="rounds", cores=os.cpu_count() or 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve_souk(int(sys.argv[2]), sys.argv[3])
    else:
        main()
