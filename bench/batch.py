"""Steps a second of `souk.lab.Batch`, with observations and masks, on the CPU or a GPU; beside pgx's backgammon in the same run.

    python bench/batch.py [cpu|cuda] [SECONDS] [GAME ...]            (pgx: pip install pgx)

Both play at random: an allowed action is drawn for every game, all games step, what ends begins anew. On the CPU one core is used. On the GPU
the first steps are also compared with the CPU's, number by number, and the arrays are handed to PyTorch and JAX where those are installed.
"""

import importlib.util
import sys
import time
from typing import Any

import numpy as np
from gpu import pgx_steps_per_second

from souk.games import game, names
from souk.lab.environments.batch import Batch

_SIZES = {"cpu": 4096, "cuda": 1 << 20}
_COMPARED = 300  # steps


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
    ours, theirs = (Batch(name, players, 1000, device, seed=5) for device in ("cpu", "cuda"))
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
        import torch

        found += ["PyTorch"] * (torch.from_dlpack(shared).data_ptr() == address)
    if importlib.util.find_spec("jax"):
        import jax

        found += ["JAX"] * (jax.dlpack.from_dlpack(shared).unsafe_buffer_pointer() == address)
    return found


def main() -> None:
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3.0
    theirs = None
    if importlib.util.find_spec("pgx"):
        theirs = pgx_steps_per_second(*((65536, 200) if device == "cuda" else (4096, 20)))
        print(f"pgx, backgammon: {theirs / 1e6:,.2f} million steps/s", flush=True)
    for name in sys.argv[3:] or names():
        for players in sorted({max(2, game(name).players[0]), game(name).players[-1]}):
            batch = Batch(name, players, _SIZES[device], device, threads=1, check=device == "cpu")
            speed = steps_per_second(batch, seconds)
            ratio = f", {speed / theirs:,.1f} times pgx" if theirs else ""
            agree = ""
            if device == "cuda":
                agree = f"; {'the same as' if same_on_both(name, players) else 'NOT the same as'} on the CPU"
            print(f"{name}, {players} players: {speed / 1e6:,.2f} million steps/s{ratio}{agree}", flush=True)
    print("taken without a copy by:", ", ".join(taken_without_a_copy(batch)) or "nobody here")


if __name__ == "__main__":
    main()
