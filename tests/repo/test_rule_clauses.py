"""Every clause of a game's rules.md has a test and names existing code."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from souk.core.rule_clauses import clauses
from souk.games import names

ROOT = Path(__file__).parents[2]
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


@cache
def clauses_with_tests() -> set[str]:
    """Ids in @clause(...) decorators of tests."""
    ids: set[str] = set()
    for file in TESTS:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if (
                        isinstance(mark, ast.Call)
                        and isinstance(mark.func, ast.Name)
                        and mark.func.id == "clause"
                    ):
                        ids |= {
                            argument.value
                            for argument in mark.args
                            if isinstance(argument, ast.Constant)
                        }  # type: ignore[misc]
    return ids


ALL_CLAUSES = [(name, clause) for name in names() for clause in clauses(name)]


def test_there_are_clauses() -> None:
    assert len(ALL_CLAUSES) > 90
    ids = [clause.id for _, clause in ALL_CLAUSES]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("name", "clause"), ALL_CLAUSES, ids=[clause.id for _, clause in ALL_CLAUSES]
)
def test_every_clause_has_a_test(name: str, clause: object) -> None:
    assert clause.id in clauses_with_tests()  # type: ignore[attr-defined]


def test_every_tested_clause_exists() -> None:
    assert clauses_with_tests() <= {clause.id for _, clause in ALL_CLAUSES}


@pytest.mark.parametrize(
    ("name", "clause"), ALL_CLAUSES, ids=[clause.id for _, clause in ALL_CLAUSES]
)
def test_every_clause_names_code_that_exists(name: str, clause: object) -> None:
    """`walk_one` is in the game's rules.py, `notation.read_move` in its notation.py,
    `basari_common.next_offer` in souk/games/basari_common/rules.py.
    """
    named = re.findall(r"`([\w.]+)`", clause.code)  # type: ignore[attr-defined]
    assert named
    package = f"souk.games.{name.replace('-', '_')}"
    for path in named:
        module, _, function = path.removesuffix(".py").rpartition(".")
        shared = [f"souk.games.{module}.rules", f"souk.games.{module}"] if module else []
        places = [f"{package}.{module or 'rules'}", *shared]
        assert any(_has(place, function) for place in places), (
            f"{path} is not in {' or '.join(places)}"
        )


def _has(module: str, name: str) -> bool:
    try:
        return hasattr(importlib.import_module(module), name)
    except ModuleNotFoundError:
        return False
