"""Whether minds say the same on a GPU as on the CPU, byte for byte, and how many positions they judge in a second.

    pip install souk[gpu]; python bench/minds_gpu.py [POSITIONS] [GAME ...] [--target cuda|cpu] [--json FILE]

Quiet positions of random games are judged by a mind of random weights: on one core, interpreted (a few of them), and, unless the target is the CPU alone, on the GPU,
a thread for each position. What the net says is whole numbers and must be the same everywhere. Chances and scores are made of those with real numbers, and a GPU
rounds an exponential in its own way: how far they are apart is told.
"""

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from measuring import judged
from minds import quiet_positions
from pedigree import ROOT, settings, write_figures

import souk
from souk.bots.desk import lore_of
from souk.games import names
from souk.kernel.compiling import cpu_entry, target
from souk.kernel.cuda import numba_cuda
from souk.kernel.interpreting import interpreted
from souk.kernel.mind import weigh_up

sys.path.insert(0, str(ROOT))
from tests.minds.random_minds import random_mind

THREADS = 64  # in a block
DIFFERENT = 512  # positions that differ: where more are asked for they come again
INTERPRETED = 16  # of the positions

Array = np.ndarray[Any, np.dtype[Any]]
Judge = Callable[[Array, Array, Array, Array], float]  # the seconds it took


def on_cpu(game: souk.Game) -> Judge:
    work = cpu_entry(game, judged)

    def judge(states: Array, desks: Array, lore: Array, mind: Array) -> float:
        work(states, desks, lore, mind)  # loads what is compiled, and touches the memory
        begin = time.thread_time()
        work(states, desks, lore, mind)
        return time.thread_time() - begin

    return judge


def on_gpu(game: souk.Game) -> Judge:
    """A thread for each position, with a desk of its own in the GPU's memory."""
    cuda, weigh = numba_cuda(), target("cuda").workshop(game).compiled(weigh_up)

    @cuda.jit
    def kernel(states, desks, lore, minds):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(states):
            weigh(states[i], desks[i], lore, minds[0])

    def judge(states: Array, desks: Array, lore: Array, mind: Array) -> float:
        arrays = [cuda.to_device(np.ascontiguousarray(array)) for array in (states, desks, lore, mind)]
        blocks = -(-len(states) // THREADS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that few positions do not fill the GPU
            kernel[blocks, THREADS](*arrays)  # compiles
            cuda.synchronize()
            begin = time.perf_counter()
            kernel[blocks, THREADS](*arrays)
            cuda.synchronize()
        took = time.perf_counter() - begin
        arrays[1].copy_to_host(desks)
        return took

    return judge


def measure(name: str, players: int, many: int, gpu: bool) -> dict[str, Any]:
    """What is the same, and how fast: positions a second."""
    game = souk.game(name)
    found = quiet_positions(name, players, min(many, DIFFERENT))
    states = np.resize(found, many)
    lore, mind, desks = lore_of(game.start(players)), random_mind(game), np.zeros(many, game.desk)
    few = min(many, INTERPRETED)
    by_python = np.zeros(few, game.desk)
    interpreted(game, judged)(states[:few], by_python, lore, mind)
    row: dict[str, Any] = {"game": name, "players": players, "cpu": many / on_cpu(game)(states, desks, lore, mind)}
    row["interpreted_same"] = all(
        by_python[field].tobytes() == desks[field][:few].tobytes() for field in ("answers", "values", "wins")
    )
    if gpu:
        others = np.zeros(many, game.desk)
        row["cuda"] = many / on_gpu(game)(states, others, lore, mind)
        row["cuda_same"] = desks["answers"].tobytes() == others["answers"].tobytes()
        row["apart"] = float(np.abs(desks["wins"] - others["wins"]).max())
    return row


def show(row: dict[str, Any], many: int) -> None:
    same = {True: "the same bytes", False: "NOT the same"}
    told = f"{row['game']}, {row['players']} players: {row['cpu'] / 1e6:.2f} million positions/s on one core"
    told += f", {same[row['interpreted_same']]} interpreted"
    if "cuda" in row:
        told += f"; {row['cuda'] / 1e6:.1f} million/s on the GPU, {many:,} positions {same[row['cuda_same']]}"
        told += f" (chances at most {row['apart']:.0e} apart)"
    print(told, flush=True)


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("positions", nargs="?", type=int, default=1 << 16)
    parser.add_argument("games", metavar="GAME", nargs="*", default=names())
    parser.add_argument("--target", choices=("cuda", "cpu"), default="cuda")
    given = parser.parse_args()
    rows, gpu = [], given.target == "cuda"
    for name in given.games:
        if souk.game(name).mind.ROWS > 1:
            for players in souk.game(name).players:
                rows.append(measure(name, players, given.positions, gpu))
                show(rows[-1], given.positions)
    if given.json:
        write_figures(given.json, {"rows": rows}, n=given.positions * len(rows), of="positions", gpu=gpu)
    sys.exit(sum(not row["interpreted_same"] or not row.get("cuda_same", True) for row in rows))


if __name__ == "__main__":
    main()
