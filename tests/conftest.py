"""Markers, the fast selection, and kernels compiled once before the tests that need them.

A test is marked by where it is: `browser`, `server`, `database` and `compiled` tests need what they
are called after. `--fast` runs all others, and fails those that compile a kernel after all.
"""

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from souk.bots.precompile import is_prepared
from souk.games import game, names
from souk.kernel import compiler

# Hypothesis prints the failing example and its seed; every run tries the same examples.
settings.register_profile(
    "souk",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("souk")

os.environ.setdefault("COLUMNS", "120")  # how wide the command line writes
os.environ["LC_ALL"] = "C.UTF-8"  # English, unless a test asks for another language

TESTS = Path(__file__).parent
# What the tests of a folder or file need. The longest path that fits decides; "" needs nothing.
NEEDS = {
    "analysis": "compiled",
    "bots": "compiled",
    "browser": "browser",
    "cli": "compiled",
    "games/basari_common/test_net_features": "compiled",
    "games/bazaar/test_board_info": "compiled",
    "games/bazaar/test_heuristics": "compiled",
    "games/bazaar/test_net_features": "compiled",
    "games/bazaar/test_reasons": "compiled",
    "games/bazaar/test_reasons_alone": "compiled",
    "games/bazaar/test_solitaire": "compiled",
    "games/bazaar/test_solitaire_solver": "compiled",
    "games/suleika/test_endgame": "compiled",
    "games/suleika/test_heuristics": "compiled",
    "games/test_new_game": "compiled",
    "kernel/test_cache": "compiled",
    "kernel/test_targets": "compiled",
    "lab": "compiled",
    "lab/report/test_cards": "",
    "lab/test_statistics": "",
    "nets": "compiled",
    "repo/test_bench": "compiled",
    "repo/test_dev": "server",
    "repo/test_docs": "compiled",
    "server": "server",
    "server/common/test_displayed_text": "",
    "server/common/test_logs": "",
    "server/compute/test_fair_queue": "",
    "server/dice/test_fair_dice": "",
    "server/events/test_pairing": "",
    "server/net/test_frames": "",
    "server/protocol": "",
    "server/storage": "database",
    "server/tables/test_clocks": "",
    "server/tables/test_secrecy": "",
}

PREPARING = """
import importlib.util, sys, souk, souk.lab.environments.batch_cpu
game = souk.game(sys.argv[1])
souk.bots.prepare(game)
souk.lab.environments.batch_cpu.prepare(game)
souk.simulate(game.name, game.players[-1], games=1)
if importlib.util.find_spec("pyspiel"):
    import souk.lab.openspiel
    souk.lab.openspiel.load(game.name, players=game.players[-1]).new_initial_state()
if game.name == "bazaar":
    souk.solve((1, 2), "WWWWW")
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast",
        action="store_true",
        help="only tests that need no compiler, browser, database or server",
    )


def need_of(path: Path) -> str:
    """The marker of a test file or folder, "" for none."""
    parts = path.resolve().relative_to(TESTS).with_suffix("").parts if path != TESTS else ()
    for end in range(len(parts), 0, -1):
        if (found := NEEDS.get("/".join(parts[:end]))) is not None:
            return found
    return ""


def pytest_configure(config: pytest.Config) -> None:
    """Before parallel workers start: rewrite tests to bytecode, and compile what they need."""
    if config.getoption("--fast"):
        compiler.cpu_entry = _refuse_to_compile
    elif _is_controller(config) and any(map(_may_compile, config.args)):
        compile_kernels()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if need := need_of(item.path):
            item.add_marker(need)
    if config.getoption("--fast"):
        fast = [item for item in items if not need_of(item.path)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(fast)])
        items[:] = fast


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freeze what is imported by now, so that no garbage collection looks through it again."""
    config = session.config
    is_alone = not hasattr(config, "workerinput") and not _is_controller(config)
    if is_alone and not config.option.collectonly and any(need_of(i.path) for i in session.items):
        compile_kernels()
    gc.collect()
    gc.freeze()


def _is_controller(config: pytest.Config) -> bool:
    return bool(getattr(config.option, "numprocesses", None)) and not hasattr(config, "workerinput")


def _may_compile(argument: str) -> bool:
    """Whether a path given to pytest holds tests that need compiled kernels."""
    path = Path(argument.split("::")[0]).resolve()
    if not path.is_relative_to(TESTS):
        return TESTS.is_relative_to(path)
    inside = [need for key, need in NEEDS.items() if (TESTS / key).is_relative_to(path)]
    return any([need_of(path), *inside])


def _refuse_to_compile(*_: Any) -> Any:
    raise AssertionError("this test compiles kernels: say so in NEEDS (tests/conftest.py)")


def compile_kernels() -> None:
    """Compile what bots, environments, simulations and solvers run, each game in a process."""
    commands = [
        [sys.executable, "-c", PREPARING, name] for name in names() if not is_prepared(game(name))
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(
            pool.map(
                lambda command: subprocess.run(command, check=True, stdout=subprocess.DEVNULL),
                commands,
            )
        )
