"""All targets play the same games, byte for byte."""

import hashlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from souk.games import names
from souk.kernel.batch_play import cpu_kernel, play_games
from tests.support.random_games import VARIANTS, variant_name, whole_random_game

INTERPRETED = 25  # games of each variant; bench/speed/cpu_vs_interpreter.py compares 10,000
SEED = 20260115


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_interpreted_and_compiled_games_are_the_same_bytes(
    variant: tuple[str, int, dict[str, Any]],
) -> None:
    name, players, options = variant
    game = souk.game(name)
    chosen = game.start(players, **options).options
    slow, slow_records, _ = play_games(
        game, players, chosen, INTERPRETED, SEED, target="python", keep=True
    )
    fast, fast_records, _ = play_games(
        game, players, chosen, INTERPRETED, SEED, target="cpu", keep=True
    )
    assert slow_records.tobytes() == fast_records.tobytes(), f"seed {SEED}"
    assert np.array_equal(slow.scores, fast.scores)
    assert np.array_equal(slow.winners, fast.winners)
    assert np.array_equal(slow.lengths, fast.lengths)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_position_plays_the_same_game_as_the_kernel(
    variant: tuple[str, int, dict[str, Any]],
) -> None:
    """The text record of game 3 ends like the kernel's game 3."""
    name, players, options = variant
    record = whole_random_game(name, players, options, SEED, 3)
    result = souk.simulate(name, players, games=4, seed=SEED, threads=1, **options)
    assert record.position.scores == result.scores[3].tolist()
    assert record.position.winners == tuple(np.flatnonzero(result.winners[3]).tolist())
    assert len(record.events) == result.lengths[3]


@pytest.mark.parametrize("name", names())
def test_threads_change_nothing(name: str) -> None:
    one = souk.simulate(name, souk.game(name).players[-1], games=10_000, seed=5, threads=1)
    many = souk.simulate(name, souk.game(name).players[-1], games=10_000, seed=5, threads=3)
    assert np.array_equal(one.scores, many.scores)
    assert np.array_equal(one.winners, many.winners)
    other = souk.simulate(name, souk.game(name).players[-1], games=10_000, seed=6, threads=1)
    assert not np.array_equal(one.scores, other.scores)


def test_simulate_reports_what_it_played() -> None:
    reports: list[int] = []
    result = souk.simulate("suleika", 3, games=9_000, seed=1, threads=2, report=reports.append)
    assert sum(reports) == result.games == 9_000
    assert result.events == int(result.lengths.sum()) == 9_000 * 135
    assert result.scores.shape == result.winners.shape == (9_000, 3)
    assert result.winners.dtype == np.bool_
    assert result.winners.any(axis=1).all()
    assert result.seconds > 0


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"players": 9}, "players"),
        ({"players": 2, "games": 0}, "games"),
        ({"players": 2, "games": 2.5}, "games"),
        ({"players": 2, "seed": -1}, "seed"),
        ({"players": 2, "threads": 0}, "threads"),
        ({"players": 2, "target": "gpu"}, "target"),
        ({"players": 2, "wind": 1}, "wind"),
    ],
)
def test_simulate_refuses_nonsense(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        souk.simulate("suleika", **settings)


def test_kernels_release_the_gil() -> None:
    """This thread keeps running while a kernel runs in another."""
    cpu_kernel(souk.game("suleika"))
    worker = threading.Thread(target=souk.simulate, args=("suleika", 4, 100_000, 1, 1))
    worker.start()
    ticks = 0
    while worker.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 50


@pytest.mark.parametrize("name", names())
def test_records_are_small(name: str) -> None:
    assert souk.game(name).dtype.itemsize <= 768


def test_the_random_stream_is_what_it_always_was() -> None:
    """Known values of SplittableRandom's mixer, and a digest of a thousand numbers."""
    from souk.kernel.rng import below, draw, mix, stream_start, stream_step

    assert mix(1) == 0x5692161D100B05E5
    start = stream_start(1, 2)
    step = stream_step(start)
    assert step % 2 == 1
    numbers = [draw(start, step, n) for n in range(1000)]
    assert hashlib.sha256(repr(numbers).encode()).hexdigest()[:16] == "836fe029a2d1745f"
    assert {below(x, 6) for x in numbers} == set(range(6))


def test_kernels_compiled_in_different_processes_are_not_mixed_up(tmp_path: Path) -> None:
    """Two processes compile two games at once; a third loads both and plays the same games."""
    environment = dict(
        os.environ, XDG_CACHE_HOME=str(tmp_path), PYTHONPATH=os.pathsep.join(sys.path)
    )
    code = """if True:
        import souk, sys
        for name in sys.argv[1:]:
            result = souk.simulate(name, 3, games=50, seed=2)
            print(name, result.scores.sum(axis=0), result.events)
    """

    def start(*names: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, *names]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    cold = [process.communicate(timeout=300)[0] for process in [start("suleika"), start("basari")]]
    warm = start("basari", "suleika").communicate(timeout=60)[0]
    assert warm == cold[1] + cold[0]
    assert warm.count("\n") == 2
