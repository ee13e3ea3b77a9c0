"""The house's arrows point one way: which room may import which, and what nobody may know."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

SOUK = Path(__file__).parent.parent / "souk"
FILES = sorted(path for path in SOUK.rglob("*.py") if "site" not in path.parts)
GAMES = sorted(box.parent.name for box in (SOUK / "games").glob("*/box.py"))

# What a room may import besides itself.
ARROWS = {
    "kernel": set(),
    "core": {"kernel"},
    "games": {"core", "kernel"},
    "minds": {"games", "core", "kernel"},
    "bots": {"minds", "games", "core", "kernel"},
    "study": {"bots", "minds", "games", "core", "kernel"},
    "lab": {"bots", "minds", "games", "core", "kernel"},
    "table": {"study", "bots", "games", "core", "kernel"},
    "cli": {"lab", "table", "study", "bots", "minds", "games", "core", "kernel"},
}
# What the modules of a game's room may not import from it: what is shown depends on no judgement, and rules on nothing that shows them.
SHOWING = ("facts", "notation", "telling", "scene", "reasons", "drawing", "terminal", "report")
JUDGING = ("insight", "ending", "last_turns", "bounds", "lie", "likings", "mind", "numbers")


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Every module of ours that a file imports, wherever in it."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{each.name}" for each in node.names)


def room_of(path: Path) -> str:
    return path.relative_to(SOUK).parts[0]


def name_of(path: Path) -> str:
    return path.relative_to(SOUK.parent).with_suffix("").as_posix()


@pytest.mark.parametrize("room", ARROWS)
def test_rooms_import_what_they_may(room: str) -> None:
    seen = False
    for path in FILES:
        if room_of(path) != room:
            continue
        seen = True
        for module in imports(path):
            parts = module.split(".")
            if parts[0] == "souk" and len(parts) > 1 and parts[1] in ARROWS:
                assert parts[1] in {room, *ARROWS[room]}, f"{name_of(path)} imports {module}"
    assert seen


def test_every_room_has_its_arrows() -> None:
    rooms = {path.name for path in SOUK.iterdir() if (path / "__init__.py").is_file()}
    assert rooms == set(ARROWS)


@pytest.mark.parametrize("room", ["kernel", "core", "games", "bots", "study", "lab", "table"])
def test_only_the_command_line_paints(room: str) -> None:
    """A game's terminal picture is for whoever prints it; everything else knows neither rich nor typer."""
    for path in FILES:
        if room_of(path) == room and path.stem != "terminal":
            known = {module.partition(".")[0] for module in imports(path)}
            assert not known & {"rich", "typer"}, name_of(path)


@pytest.mark.parametrize("room", ["kernel", "core", "bots", "study", "lab", "table", "cli"])
def test_nothing_generic_knows_a_game(room: str) -> None:
    """Neither by an import nor by its name in the code. (Docstrings and help may give examples.)"""
    for path in FILES:
        if room_of(path) != room:
            continue
        module = tree(path)
        docs = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
        for name in imports(path):
            assert not re.match(rf"souk\.games\.({'|'.join(GAMES)}|haggling)\b", name), (
                f"{name_of(path)} imports {name}"
            )
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                assert node.value.replace("-", "_") not in [*GAMES, "haggling"], f"{name_of(path)}: {node.value!r}"


def test_what_is_shown_does_not_depend_on_judgement() -> None:
    for path in (SOUK / "games").glob("*/*.py"):
        home = f"souk.games.{path.parent.name}"
        for module in imports(path):
            inner = module.removeprefix(f"{home}.").partition(".")[0] if module.startswith(f"{home}.") else ""
            if path.stem in SHOWING:
                assert inner not in JUDGING, f"{name_of(path)} imports {module}"
            if path.stem in ("rules", "box"):
                assert inner not in (*SHOWING, *JUDGING), f"{name_of(path)} imports {module}"


def test_games_do_not_know_each_other() -> None:
    for path in (SOUK / "games").glob("*/*.py"):
        for module in imports(path):
            found = re.match(r"souk\.games\.(\w+)", module)
            if found and found[1] in GAMES:
                assert found[1] == path.parent.name, f"{name_of(path)} imports {module}"


MODULES = {name_of(path).replace("/", ".").removesuffix(".__init__"): path for path in FILES}


def at_import(path: Path) -> Iterator[str]:
    """The modules of ours that are imported when a file is: those that names come from, and those that are named."""
    for node in tree(path).body:
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            named = [f"{node.module}.{each.name}" for each in node.names]
            yield from (name if name in MODULES else node.module for name in named)


def test_no_circle_of_imports() -> None:
    leads_to = {name: set(at_import(path)) - {name} for name, path in MODULES.items()}
    done: set[str] = set()
    while layer := {name for name, others in leads_to.items() if name not in done and others <= done}:
        done |= layer
    assert sorted(MODULES.keys() - done) == []


def test_no_class_name_stands_for_two_things() -> None:
    places = defaultdict(list)
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                places[node.name.lstrip("_")].append(name_of(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_no_function_is_too_long_to_see() -> None:
    """A function fits on a screen: forty lines without its docstring, and most are much shorter."""
    lengths = Counter()
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if isinstance(node.body[0], ast.Expr) and len(node.body) > 1 else node.body
                lengths[f"{name_of(path)}: {node.name}"] = (body[-1].end_lineno or 0) - body[0].lineno + 1
    assert [name for name, lines in lengths.items() if lines > 40] == []
    assert sorted(lengths.values())[len(lengths) // 2] <= 8
