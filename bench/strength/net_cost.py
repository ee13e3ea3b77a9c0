"""Measures what nets cost: per evaluation, in playouts of a search, and to load.

    python -m bench.strength.net_cost [SECONDS] [GAME ...] [--json FILE]

SECONDS per move; on one core, with the smallest and largest number of players. Evaluates quiet
positions of random games. A game without a net gets one of random weights.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import souk
from bench.strength.strength import fewest_and_most
from bench.strength.thinking import middle_of_a_game
from bench.support.kernels import evaluate
from bench.support.provenance import figures_parser, write_figures
from souk.bots.workspace import Workspace, lookup_for
from souk.games import names
from souk.kernel.compiler import cpu_entry
from souk.kernel.net_layout import NetArray, no_net
from souk.kernel.state import StateArray
from souk.nets.loader import bundled_file, net_of
from tests.support.random_games import random_game
from tests.support.random_nets import random_file

POSITIONS = 2048  # with a few dozen, branch prediction flatters the result by a quarter
DECISIONS, TURNS = 12, 2  # for playouts, and rounds with and without a net
LONGER = 20  # times the seconds of a decision, for evaluations
STARTS = 5  # of a process that loads all nets
LOAD = """
import sys, time
import souk.bots.search
from souk.games import game as find_game
from souk.nets.loader import net_of

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

games = [find_game(name) for name in sys.argv[1::2]]
before, begin = resident(), time.process_time()
for game, file in zip(games, sys.argv[2::2]):
    net_of(game, game.players[-1], file)
print(1000 * (time.process_time() - begin), resident() - before)
"""


def quiet_positions(name: str, players: int) -> StateArray:
    """Quiet positions of random games."""
    game, states, number = souk.game(name), list[StateArray](), 0
    while len(states) < POSITIONS:
        for record in random_game(name, players, {}, 1, number):
            if game.rules.is_quiet(record.position.state) and not record.position.over:
                states.append(record.position.array.copy())
        number += 1
    return np.concatenate(states[:: len(states) // POSITIONS][:POSITIONS])


def microseconds(states: StateArray, pos: souk.Position, net: NetArray, seconds: float) -> float:
    """The median time of an evaluation."""
    kernel = cpu_entry(pos.game, evaluate)
    workspace = Workspace(pos, 0).array
    lookup = lookup_for(pos)
    kernel(states, workspace, lookup, net)
    rounds, end = list[float](), time.perf_counter() + seconds
    while not rounds or time.perf_counter() < end:
        begin = time.thread_time()
        for _ in range(8):
            kernel(states, workspace, lookup, net)
        rounds.append((time.thread_time() - begin) / (8 * len(states)))
    return 1e6 * statistics.median(rounds)


def playout_rates(
    positions: Sequence[souk.Position], net: str, seconds: float
) -> tuple[float, float]:
    """Playouts/s of the vizier with and without a net."""
    playouts, times = np.zeros(2), np.zeros(2)
    for _ in range(TURNS):
        for pos in positions:
            for k, setting in enumerate((net, "none")):
                bot = souk.bot(f"vizier:seconds={seconds},net={setting}")
                begin = time.thread_time()
                playouts[k] += bot.choose(pos, pos.actors[0]).playouts
                times[k] += time.thread_time() - begin
    with_net, without = playouts / times
    return float(with_net), float(without)


def loading(files: dict[str, Path]) -> dict[str, float]:
    """Milliseconds and megabytes of loading all nets."""
    words = [word for name, file in files.items() for word in (name, str(file))]
    command = [sys.executable, "-c", LOAD, *words]
    starts = [
        subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        for _ in range(STARTS)
    ]
    ms, mb = (statistics.median(map(float, column)) for column in zip(*starts, strict=True))
    file_mb = sum(file.stat().st_size for file in files.values()) / 1e6
    return {"ms": ms, "mb": mb, "file_mb": file_mb}


def measure(name: str, players: int, file: Path, seconds: float) -> dict[str, Any]:
    game = souk.game(name)
    states, start = quiet_positions(name, players), game.start(players)
    decisions = [middle_of_a_game(name, players, seed) for seed in range(DECISIONS)]
    net, no = net_of(game, players, str(file)), no_net(game.net_features.ROWS)
    return {
        "game": name,
        "players": players,
        "own": file == bundled_file(game),
        "judged_us": microseconds(states, start, net, LONGER * seconds),
        "outlook_us": microseconds(states, start, no, LONGER * seconds),
        "playouts": list(playout_rates(decisions, str(file), seconds)),
    }


def show(row: dict[str, Any]) -> None:
    with_net, without = row["playouts"]
    print(
        f"{row['game']}, {row['players']} players: {row['judged_us']:.2f} µs an evaluation with "
        f"{'its' if row['own'] else 'a random'} net, {row['outlook_us']:.2f} µs without; "
        f"{with_net:,.0f} playouts/s, {with_net / without:.0%} of those without",
        flush=True,
    )


def file_of(game: souk.Game, folder: Path) -> Path:
    bundled = bundled_file(game)
    return bundled if bundled.is_file() else random_file(folder, game)


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=0.05)
    parser.add_argument("games", metavar="GAME", nargs="*", default=names())
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        games = [souk.game(name) for name in args.games]
        files = {
            game.name: file_of(game, Path(folder)) for game in games if game.net_features.ROWS > 1
        }
        for name, file in files.items():
            souk.bots.prepare(souk.game(name))
            for players in sorted(set(fewest_and_most(name))):
                rows.append(measure(name, players, file, args.seconds))
                show(rows[-1])
        loaded = loading(files)
    print(
        f"All nets load in {loaded['ms']:.0f} ms and take {loaded['mb']:.1f} MB "
        f"({loaded['file_mb']:.1f} MB of files)"
    )
    if args.json:
        figures, n = {"rows": rows, "loading": loaded}, POSITIONS * len(rows)
        write_figures(args.json, figures, n=n, of="positions")


if __name__ == "__main__":
    main()
