"""Import rules: which package may import which, lazily loaded libraries, and function length."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

SOUK = Path(__file__).parents[2] / "souk"
FILES = sorted(path for path in SOUK.rglob("*.py") if not {"site", "docs_site"} & set(path.parts))
GAMES = sorted(box.parent.name for box in (SOUK / "games").glob("*/box.py"))

# Packages that each package of souk may import.
MAY_IMPORT = {
    "kernel": set(),
    "core": {"kernel"},
    "drawing": {"core", "kernel"},
    "games": {"drawing", "core", "kernel"},
    "nets": {"games", "core", "kernel"},
    "bots": {"nets", "games", "core", "kernel"},
    "analysis": {"bots", "nets", "games", "drawing", "core", "kernel"},
    "lab": {"bots", "nets", "games", "drawing", "core", "kernel"},
    "server": {"analysis", "bots", "games", "drawing", "core", "kernel"},
    "cli": {"lab", "server", "analysis", "bots", "nets", "games", "drawing", "core", "kernel"},
}
# Layers of the server: each may import only from those above it.
SERVER_ORDER = (
    ("protocol",),
    ("common",),
    ("storage",),
    ("bus", "dice", "ratings"),
    ("compute",),
    ("tables",),
    ("analysis", "push"),
    ("accounts", "lobby"),
    ("cluster", "events"),
    ("open_store",),
    ("admin",),
    ("services",),
    ("http", "net"),
    ("app",),
    ("run",),
    ("worker_main",),
)
# Modules of a game: presentation must not import evaluation, and rules neither.
PRESENTATION = (
    "facts",
    "notation",
    "messages",
    "board_info",
    "explanations",
    "svg",
    "terminal",
    "report",
)
EVALUATION = (
    "heuristics",
    "endgame",
    "endgame_last_turns",
    "endgame_bounds",
    "endgame_layout",
    "endgame_values",
    "net_features",
    "observations",
)


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Absolute imports anywhere in a file."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def package_of(path: Path) -> str:
    return path.relative_to(SOUK).parts[0]


def name_of(path: Path) -> str:
    return path.relative_to(SOUK.parent).with_suffix("").as_posix()


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_what_they_may(package: str) -> None:
    has_files = False
    for path in FILES:
        if package_of(path) != package:
            continue
        has_files = True
        for module in imports(path):
            parts = module.split(".")
            if parts[0] == "souk" and len(parts) > 1 and parts[1] in MAY_IMPORT:
                assert parts[1] in {package, *MAY_IMPORT[package]}, (
                    f"{name_of(path)} imports {module}"
                )
    assert has_files


LEVELS = {name: level for level, names in enumerate(SERVER_ORDER) for name in names}


@pytest.mark.parametrize("package", sorted(LEVELS))
def test_server_packages_import_from_layers_above(package: str) -> None:
    server = SOUK / "server"
    files = [*(server / package).rglob("*.py")] or [server / f"{package}.py"]
    for path in files:
        for module in imports(path):
            parts = module.split(".")
            if (
                parts[:2] == ["souk", "server"]
                and len(parts) > 2
                and parts[2] != package
                and parts[2] in LEVELS
            ):
                assert LEVELS[parts[2]] < LEVELS[package], f"{name_of(path)} imports {module}"


def test_every_part_of_the_server_has_a_layer() -> None:
    parts = {
        path.stem
        for path in (SOUK / "server").glob("*")
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    assert parts - {"__init__"} == set(LEVELS)


def test_every_package_is_listed() -> None:
    packages = {path.name for path in SOUK.iterdir() if (path / "__init__.py").is_file()}
    assert packages == set(MAY_IMPORT)


@pytest.mark.parametrize(
    "package", ["kernel", "core", "games", "bots", "analysis", "lab", "server"]
)
def test_only_the_command_line_imports_rich(package: str) -> None:
    """Apart from a game's terminal.py, only souk.cli imports rich or typer."""
    for path in FILES:
        if package_of(path) == package and path.stem != "terminal":
            libraries = {module.partition(".")[0] for module in imports(path)}
            assert not libraries & {"rich", "typer"}, name_of(path)


@pytest.mark.parametrize(
    "package", ["kernel", "core", "drawing", "bots", "nets", "analysis", "lab", "server", "cli"]
)
def test_generic_packages_know_no_game(package: str) -> None:
    """Neither by an import nor by a string. (Docstrings and help may give examples.)"""
    for path in FILES:
        if package_of(path) != package:
            continue
        module = tree(path)
        docs = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
        for name in imports(path):
            assert not re.match(rf"souk\.games\.({'|'.join(GAMES)}|basari_common)\b", name), (
                f"{name_of(path)} imports {name}"
            )
        for node in ast.walk(module):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docs
            ):
                assert node.value.replace("-", "_") not in [*GAMES, "basari_common"], (
                    f"{name_of(path)}: {node.value!r}"
                )


def test_presentation_does_not_import_evaluation() -> None:
    for path in (SOUK / "games").glob("*/*.py"):
        home = f"souk.games.{path.parent.name}"
        for module in imports(path):
            inner = (
                module.removeprefix(f"{home}.").partition(".")[0]
                if module.startswith(f"{home}.")
                else ""
            )
            if path.stem in PRESENTATION:
                assert inner not in EVALUATION, f"{name_of(path)} imports {module}"
            if path.stem in ("rules", "box"):
                assert inner not in (*PRESENTATION, *EVALUATION), (
                    f"{name_of(path)} imports {module}"
                )


def test_games_do_not_import_each_other() -> None:
    for path in (SOUK / "games").glob("*/*.py"):
        for module in imports(path):
            match = re.match(r"souk\.games\.(\w+)", module)
            if match and match[1] in GAMES:
                assert match[1] == path.parent.name, f"{name_of(path)} imports {module}"


MODULES = {name_of(path).replace("/", ".").removesuffix(".__init__"): path for path in FILES}


def at_import(path: Path) -> Iterator[str]:
    """Our modules that a file imports at module level."""
    for node in tree(path).body:
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else node.module for name in named)


def test_no_circular_imports() -> None:
    imported = {name: set(at_import(path)) - {name} for name, path in MODULES.items()}
    done: set[str] = set()
    while layer := {
        name for name, others in imported.items() if name not in done and others <= done
    }:
        done |= layer
    assert sorted(MODULES.keys() - done) == []


def test_functions_fit_on_a_screen() -> None:
    """At most forty lines without the docstring."""
    lengths = Counter()
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = (
                    node.body[1:]
                    if isinstance(node.body[0], ast.Expr) and len(node.body) > 1
                    else node.body
                )
                lengths[f"{name_of(path)}: {node.name}"] = (
                    (body[-1].end_lineno or 0) - body[0].lineno + 1
                )
    assert [name for name, lines in lengths.items() if lines > 40] == []


def test_importing_souk_and_playing_load_no_compiler() -> None:
    """Numba takes a second to import."""
    code = """if True:
        import random, sys, souk
        for name in ("suleika", "basari", "basari-cards", "bazaar"):
            pos, rng = souk.game(name).start(players=3), random.Random(1)
            for _ in range(20):
                if pos.actors:
                    pos.play(pos.actors[0], pos.moves(pos.actors[0])[0])
                else:
                    pos.draw(rng)
        assert not {"numba", "rich", "typer"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", code], check=True)
