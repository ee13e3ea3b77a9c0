"""What all tests share."""

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from souk.bots.preparing import is_prepared
from souk.games import game, names

# Hypothesis prints the failing example and its seed; the same examples are tried in every run.
settings.register_profile(
    "souk", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("souk")

os.environ.setdefault("COLUMNS", "120")  # how wide the command line writes
os.environ["LC_ALL"] = "C.UTF-8"  # it speaks English, unless a test wants something else


PREPARING = """
import importlib.util, sys, souk, souk.lab.environments.slots
game = souk.game(sys.argv[1])
souk.bots.prepare(game)
souk.lab.environments.slots.prepare(game)
souk.simulate(game.name, game.players[-1], games=1)
if importlib.util.find_spec("pyspiel"):
    import souk.lab.openspiel
    souk.lab.openspiel.load(game.name, players=game.players[-1]).new_initial_state()
if game.name == "bazaar":
    souk.solve((1, 2), "WWWWW")
"""


def pytest_configure(config: pytest.Config) -> None:
    """Compile what bots think with, what environments and OpenSpiel step with, what plays at random and what solves puzzles before tests begin,
    a game on each core: the workers of a parallel run would each compile all. The first time the tests themselves are compiled too."""
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    wanted = [[sys.executable, "-c", PREPARING, name] for name in names() if not is_prepared(game(name))]
    if getattr(config.option, "numprocesses", None) and not is_collected():
        wanted.append([sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:xdist"])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda command: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), wanted))


def pytest_collection_finish() -> None:
    """What is there now stays to the end: no collector looks through it again, a hundred times."""
    gc.collect()
    gc.freeze()


def is_collected() -> bool:
    """Whether the tests lie there as pytest rewrites them, which takes each worker of a first run five seconds; or cannot be kept."""
    kept = Path(__file__).parent.joinpath("__pycache__").glob("test_*-pytest-*.pyc")
    return sys.dont_write_bytecode or any(kept)
