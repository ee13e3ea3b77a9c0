"""Steps a second of `souk.lab.Batch`, with observations and masks, on the CPU or a GPU; beside pgx's backgammon in the same run.

    python bench/batch.py [cpu|cuda] [SECONDS] [GAME ...] [--json FILE]            (pgx: pip install pgx)

Both play at random: an allowed action is drawn for every game, all games step, what ends begins anew. On the CPU one core is used. On the GPU
the first steps are also compared with the CPU's, number by number, and the arrays are handed to PyTorch and JAX where those are installed.
"""

import importlib.util
import time
from typing import Any

import numpy as np
from gpu import pgx_steps_per_second
from pedigree import settings, write_figures

from souk.games import game, names
from souk.lab.environments.batch import Batch

_SIZES = {"cpu": 4096, "cuda": 1 << 20}
_COMPARED_GAMES, _COMPARED = 1000, 300  # steps


def wait_for(batch: Batch) -> None:
    """Until all that was asked for is done."""
    if batch.device == "cuda":
        from souk.kernel.cuda import numba_cuda

        numba_cuda().synchronize()


def steps_per_second(batch: Batch, seconds: float) -> float:
    for _ in range(20):
        batch.step(batch.sample())
    wait_for(batch)
    begin, rounds = time.perf_counter(), 0
    while (took := time.perf_counter() - begin) < seconds:
        for _ in range(20):
            batch.step(batch.sample())
        wait_for(batch)
        rounds += 20
    return rounds * batch.size / took


def same_on_both(name: str, players: int) -> bool:
    """Whether GPU and CPU show the same for the same seed and actions."""
    ours, theirs = (Batch(name, players, _COMPARED_GAMES, device, seed=5) for device in ("cpu", "cuda"))
    for _ in range(_COMPARED):
        actions = ours.sample()
        pairs = [(np.asarray(a), np.asarray(b)) for a, b in zip(ours.step(actions), theirs.step(actions), strict=True)]
        pairs += [(ours.observe(), np.asarray(theirs.observe())), (ours.mask(), np.asarray(theirs.mask()))]
        if not all(np.array_equal(a, b) for a, b in pairs):
            return False
    return True


def taken_without_a_copy(batch: Batch) -> list[str]:
    """Who of PyTorch and JAX sees the very memory of the batch."""
    found = []
    shared: Any = batch.observe()
    address = shared.__cuda_array_interface__["data"][0] if batch.device == "cuda" else shared.ctypes.data
    if importlib.util.find_spec("torch"):
        torch: Any = importlib.import_module("torch")
        found += ["PyTorch"] * (torch.from_dlpack(shared).data_ptr() == address)
    if importlib.util.find_spec("jax"):
        import jax

        found += ["JAX"] * (jax.dlpack.from_dlpack(shared).unsafe_buffer_pointer() == address)
    return found


def measure(name: str, players: int, device: str, seconds: float) -> tuple[dict[str, Any], list[str]]:
    """A game's steps a second, on a GPU with whether they are those of the CPU; and who takes its arrays as they are."""
    batch = Batch(name, players, _SIZES[device], device, threads=1, check=device == "cpu")
    row: dict[str, Any] = {"game": name, "players": players, "steps_per_second": steps_per_second(batch, seconds)}
    if device == "cuda":
        row["same"] = same_on_both(name, players)
    return row, taken_without_a_copy(batch)


def show(row: dict[str, Any], theirs: float | None) -> None:
    ratio = f", {row['steps_per_second'] / theirs:,.1f} times pgx" if theirs else ""
    same = f"; {'the same as' if row['same'] else 'NOT the same as'} on the CPU" if "same" in row else ""
    speed = row["steps_per_second"] / 1e6
    print(f"{row['game']}, {row['players']} players: {speed:,.2f} million steps/s{ratio}{same}", flush=True)


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("device", nargs="?", choices=list(_SIZES), default="cpu")
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    parser.add_argument("games", metavar="GAME", nargs="*", default=names())
    given = parser.parse_args()
    theirs, rows, takers = None, [], [""][:0]
    if importlib.util.find_spec("pgx"):
        theirs = pgx_steps_per_second(*((65536, 200) if given.device == "cuda" else (4096, 20)))
        print(f"pgx, backgammon: {theirs / 1e6:,.2f} million steps/s", flush=True)
    for name in given.games:
        for players in sorted({max(2, game(name).players[0]), game(name).players[-1]}):
            row, takers = measure(name, players, given.device, given.seconds)
            rows.append(row)
            show(row, theirs)
    print("taken without a copy by:", ", ".join(takers) or "nobody here")
    if given.json:
        compared = {"games": _COMPARED_GAMES, "steps": _COMPARED}
        figures = {"pgx": theirs, "compared": compared, "taken_without_a_copy": takers, "rows": rows}
        size = _SIZES[given.device]
        write_figures(given.json, figures, n=size, of="games at a time", gpu=given.device == "cuda")


if __name__ == "__main__":
    main()
