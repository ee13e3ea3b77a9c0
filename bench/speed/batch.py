"""Measures steps/s of `souk.lab.Batch` with observations and masks, beside pgx's backgammon.

    python -m bench.speed.batch [cpu|cuda] [SECONDS] [GAME ...] [--json FILE]

Random actions in all games at once; finished games restart. One core on the CPU. On the GPU, the
first steps are also compared with the CPU's. pgx is optional: pip install pgx
"""

import importlib.util
import time
from typing import Any

import numpy as np

from bench.speed.gpu import pgx_steps_per_second
from bench.support.provenance import figures_parser, write_figures
from souk.games import game, names
from souk.lab.environments.batch import Batch

_SIZES = {"cpu": 4096, "cuda": 1 << 20}
_COMPARED_GAMES, _COMPARED = 1000, 300  # steps


def wait_for(batch: Batch) -> None:
    """Wait for the GPU."""
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
    """Compare GPU and CPU for the same seed and actions."""
    ours, theirs = (
        Batch(name, players, _COMPARED_GAMES, device, seed=5) for device in ("cpu", "cuda")
    )
    for _ in range(_COMPARED):
        actions = ours.sample()
        pairs = [
            (np.asarray(a), np.asarray(b))
            for a, b in zip(ours.step(actions), theirs.step(actions), strict=True)
        ]
        pairs += [
            (ours.observe(), np.asarray(theirs.observe())),
            (ours.mask(), np.asarray(theirs.mask())),
        ]
        if not all(np.array_equal(a, b) for a, b in pairs):
            return False
    return True


def sharing_libraries(batch: Batch) -> list[str]:
    """Which of PyTorch and JAX share the batch's memory."""
    sharing = []
    shared: Any = batch.observe()
    address = (
        shared.__cuda_array_interface__["data"][0] if batch.device == "cuda" else shared.ctypes.data
    )
    if importlib.util.find_spec("torch"):
        torch: Any = importlib.import_module("torch")
        sharing += ["PyTorch"] * (torch.from_dlpack(shared).data_ptr() == address)
    if importlib.util.find_spec("jax"):
        import jax

        sharing += ["JAX"] * (jax.dlpack.from_dlpack(shared).unsafe_buffer_pointer() == address)
    return sharing


def measure(
    name: str, players: int, device: str, seconds: float
) -> tuple[dict[str, Any], list[str]]:
    """A row of figures, and the libraries that share its arrays."""
    batch = Batch(name, players, _SIZES[device], device, threads=1, check=device == "cpu")
    row: dict[str, Any] = {
        "game": name,
        "players": players,
        "steps_per_second": steps_per_second(batch, seconds),
    }
    if device == "cuda":
        row["same"] = same_on_both(name, players)
    return row, sharing_libraries(batch)


def show(row: dict[str, Any], pgx: float | None) -> None:
    ratio = f", {row['steps_per_second'] / pgx:,.1f} times pgx" if pgx else ""
    same = (
        f"; {'the same as' if row['same'] else 'NOT the same as'} on the CPU"
        if "same" in row
        else ""
    )
    speed = row["steps_per_second"] / 1e6
    print(
        f"{row['game']}, {row['players']} players: {speed:,.2f} million steps/s{ratio}{same}",
        flush=True,
    )


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("device", nargs="?", choices=list(_SIZES), default="cpu")
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    parser.add_argument("games", metavar="GAME", nargs="*", default=names())
    args = parser.parse_args()
    pgx, rows, libraries = None, [], list[str]()
    if importlib.util.find_spec("pgx"):
        pgx = pgx_steps_per_second(*((65536, 200) if args.device == "cuda" else (4096, 20)))
        print(f"pgx, backgammon: {pgx / 1e6:,.2f} million steps/s", flush=True)
    for name in args.games:
        for players in sorted({max(2, game(name).players[0]), game(name).players[-1]}):
            row, libraries = measure(name, players, args.device, args.seconds)
            rows.append(row)
            show(row, pgx)
    print("shared without a copy by:", ", ".join(libraries) or "none")
    if args.json:
        compared = {"games": _COMPARED_GAMES, "steps": _COMPARED}
        figures = {
            "pgx": pgx,
            "compared": compared,
            "taken_without_a_copy": libraries,
            "rows": rows,
        }
        size = _SIZES[args.device]
        write_figures(args.json, figures, n=size, of="games at a time", gpu=args.device == "cuda")


if __name__ == "__main__":
    main()
