"""What minds cost: an evaluation, what a search makes of it, and to load them all.

    python bench/minds.py [SECONDS] [GAME ...] [--json FILE]

SECONDS are those for a move. On one core, by its processor time, with the smallest and the largest number of players. An evaluation is of a quiet position of a random game: by the insight's
outlook alone, and by a mind. Playouts are counted in the same decisions with and without a mind, in turn. Loading is measured in fresh processes, which have
imported the bots before. A game without a mind of its own gets one of random weights, which costs the same.
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
from measuring import judged
from pedigree import ROOT, settings, write_figures
from thinking import middle_of_a_game

import souk
from souk.bots.desk import Desk, lore_of
from souk.games import names
from souk.kernel.compiling import cpu_entry
from souk.kernel.mind_shape import MindArray, no_mind
from souk.kernel.state import StateArray
from souk.minds.shelf import mind_of, own_file

sys.path.insert(0, str(ROOT))
from tests.minds.random_minds import random_file  # the same as are tested
from tests.random_games import random_game

POSITIONS = 2048  # that are judged: of a few dozen a processor soon knows by heart which way each branch goes, and takes a quarter less
DECISIONS, TURNS = 12, 2  # in which playouts are counted, and how often with and without a mind
LONGER = 20  # times the seconds of a decision, for the evaluations
STARTS = 5  # of a process that loads all minds
LOAD = """
import sys, time
import souk.bots.searcher
from souk.games import game
from souk.minds.shelf import mind_of

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

games = [game(name) for name in sys.argv[1::2]]
before, begin = resident(), time.process_time()
for each, file in zip(games, sys.argv[2::2]):
    mind_of(each, each.players[-1], file)
print(1000 * (time.process_time() - begin), resident() - before)
"""


def quiet_positions(name: str, players: int, least: int = POSITIONS) -> StateArray:
    """Quiet positions of random games."""
    game, found, number = souk.game(name), list[StateArray](), 0
    while len(found) < least:
        for record in random_game(name, players, {}, 1, number):
            if game.rules.quiet(record.position.state) and not record.position.over:
                found.append(record.position.array.copy())
        number += 1
    return np.concatenate(found[:: len(found) // least][:least])


def microseconds(states: StateArray, pos: souk.Position, mind: MindArray, seconds: float) -> float:
    """For one evaluation of these positions: the median of many rounds."""
    work, desk, lore = cpu_entry(pos.game, judged), Desk(pos, 0).array, lore_of(pos)
    work(states, desk, lore, mind)
    rounds, end = list[float](), time.perf_counter() + seconds
    while not rounds or time.perf_counter() < end:
        begin = time.thread_time()
        for _ in range(8):
            work(states, desk, lore, mind)
        rounds.append((time.thread_time() - begin) / (8 * len(states)))
    return 1e6 * statistics.median(rounds)


def playouts_a_second(positions: Sequence[souk.Position], mind: str, seconds: float) -> tuple[float, float]:
    """Of the vizier with a mind, and without."""
    played, took = np.zeros(2), np.zeros(2)
    for _ in range(TURNS):
        for pos in positions:
            for which, each in enumerate((mind, "none")):
                bot = souk.bot(f"vizier:seconds={seconds},mind={each}")
                begin = time.thread_time()
                played[which] += bot.choose(pos, pos.actors[0]).playouts
                took[which] += time.thread_time() - begin
    with_it, without = played / took
    return float(with_it), float(without)


def loading(files: dict[str, Path]) -> dict[str, float]:
    """Milliseconds and megabytes that all minds take when they are read."""
    words = [word for name, file in files.items() for word in (name, str(file))]
    command = [sys.executable, "-c", LOAD, *words]
    found = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(STARTS)]
    ms, mb = (statistics.median(map(float, column)) for column in zip(*found, strict=True))
    return {"ms": ms, "mb": mb, "file_mb": sum(file.stat().st_size for file in files.values()) / 1e6}


def measure(name: str, players: int, file: Path, seconds: float) -> dict[str, Any]:
    game = souk.game(name)
    states, decisions = quiet_positions(name, players), [middle_of_a_game(name, players, k) for k in range(DECISIONS)]
    mind = mind_of(game, players, str(file))
    with_it, without = playouts_a_second(decisions, str(file), seconds)
    return {
        "game": name,
        "players": players,
        "own": file == own_file(game),
        "judged_us": microseconds(states, game.start(players), mind, LONGER * seconds),
        "outlook_us": microseconds(states, game.start(players), no_mind(game.mind.ROWS), LONGER * seconds),
        "playouts": [with_it, without],
    }


def show(row: dict[str, Any]) -> None:
    with_it, without = row["playouts"]
    print(
        f"{row['game']}, {row['players']} players: {row['judged_us']:.2f} µs an evaluation by {'its' if row['own'] else 'a random'} mind, "
        f"{row['outlook_us']:.2f} µs by the outlook alone; {with_it:,.0f} playouts/s, {with_it / without:.0%} of those without",
        flush=True,
    )


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=0.05)
    parser.add_argument("games", metavar="GAME", nargs="*", default=names())
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        games = [souk.game(name) for name in given.games]
        owned = {game.name: own_file(game) for game in games if game.mind.ROWS > 1}
        files = {name: file if file.is_file() else random_file(Path(folder), souk.game(name)) for name, file in owned.items()}  # fmt: skip
        for name, file in files.items():
            souk.bots.prepare(souk.game(name))
            for players in sorted({max(2, souk.game(name).players[0]), souk.game(name).players[-1]}):
                rows.append(measure(name, players, file, given.seconds))
                show(rows[-1])
        loaded = loading(files)
    print(
        f"All minds load in {loaded['ms']:.0f} ms and take {loaded['mb']:.1f} MB ({loaded['file_mb']:.1f} MB of files)"
    )
    if given.json:
        write_figures(given.json, {"rows": rows, "loading": loaded}, n=POSITIONS * len(rows), of="positions")


if __name__ == "__main__":
    main()
