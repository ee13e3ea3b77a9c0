"""The house keeps its own order: clauses have tests and code, imports are quick, files hold what they should."""

import ast
import importlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from souk.core.clauses import clauses
from souk.games import names

ROOT = Path(__file__).parent.parent
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


@cache
def clauses_with_tests() -> set[str]:
    """Every id in a @clause(...) above a test."""
    found: set[str] = set()
    for file in TESTS:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "clause":
                        found |= {argument.value for argument in mark.args if isinstance(argument, ast.Constant)}  # type: ignore[misc]
    return found


ALL_CLAUSES = [(name, clause) for name in names() for clause in clauses(name)]


def test_there_are_clauses() -> None:
    assert len(ALL_CLAUSES) > 90
    ids = [clause.id for _, clause in ALL_CLAUSES]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("name", "clause"), ALL_CLAUSES, ids=[clause.id for _, clause in ALL_CLAUSES])
def test_every_clause_has_a_test(name: str, clause: object) -> None:
    assert clause.id in clauses_with_tests()  # type: ignore[attr-defined]


def test_every_tested_clause_exists() -> None:
    assert clauses_with_tests() <= {clause.id for _, clause in ALL_CLAUSES}


@pytest.mark.parametrize(("name", "clause"), ALL_CLAUSES, ids=[clause.id for _, clause in ALL_CLAUSES])
def test_every_clause_names_code_that_exists(name: str, clause: object) -> None:
    """`walk_one` is in the game's rules.py, `notation.read_move` in its notation.py, `haggling.next_offer` in souk/games/haggling/rules.py,
    `haggling.notation.pending` in its notation.py."""
    named = re.findall(r"`([\w.]+)`", clause.code)  # type: ignore[attr-defined]
    assert named
    room = f"souk.games.{name.replace('-', '_')}"
    for path in named:
        module, _, function = path.removesuffix(".py").rpartition(".")
        shared = [f"souk.games.{module}.rules", f"souk.games.{module}"] if module else []
        places = [f"{room}.{module or 'rules'}", *shared]
        assert any(_has(place, function) for place in places), f"{path} is not in {' or '.join(places)}"


def _has(module: str, name: str) -> bool:
    try:
        return hasattr(importlib.import_module(module), name)
    except ModuleNotFoundError:
        return False


def test_importing_souk_and_playing_wait_for_no_compiler() -> None:
    """Numba takes a second to import, and the command line's parts are not for programs: `import souk` leaves both alone."""
    code = """if True:
        import random, sys, souk
        for name in ("suleika", "basari", "basari-cards", "bazaar"):
            pos, rng = souk.game(name).start(players=3), random.Random(1)
            for _ in range(20):
                pos.play(pos.actors[0], pos.moves(pos.actors[0])[0]) if pos.actors else pos.draw(rng)
        assert not {"numba", "rich", "typer"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_tracked_files_speak_of_the_project_only() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    files = (
        [ROOT / line for line in listed.stdout.splitlines()]
        if listed.returncode == 0
        else list(ROOT.glob("souk/**/*.py"))
    )
    places = re.compile("(^|[^a-zA-Z0-9_.])/" + "(work|farm|root)/|pypi" + r"\.org|/simple" + "/")
    for file in files:
        if file.suffix in {".py", ".md", ".toml", ".lock", ".txt", ""} and file.is_file():
            found = places.search(file.read_text(encoding="utf-8"))
            assert found is None, f"{file.relative_to(ROOT)}: {found and found[0]}"
