"""A copy of the package with a fifth game in it, built as docs/program/new-game.md says."""

import os
import re
import shutil
from pathlib import Path

from tests.support.forked import run_python

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "program" / "new-game.md"
CERTIFY = "certify.py"  # not part of the game package
_BLOCK = re.compile(r"```\w+ file=(\S+)\n(.*?)```", re.DOTALL)


def build(home: Path, least: bool = False) -> Path:
    """Copy the package and add the page's files; `least`: only those a game needs."""
    copy_package(home)
    for name, text in blocks(least):
        file = (home if name == CERTIFY else home / "souk" / "games" / "pig") / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as end:  # a file may appear in parts
            end.write(text)
    return home


def copy_package(home: Path) -> None:
    """Copy the package including bytecode, as compiling all modules again takes seconds."""
    shutil.copytree(ROOT / "souk", home / "souk", ignore=shutil.ignore_patterns("*.pyc.*"))


def blocks(least: bool = False) -> list[tuple[str, str]]:
    """The page's files in order: name and content."""
    needed, added = PAGE.read_text(encoding="utf-8").split("## What can be added\n")
    return _BLOCK.findall(needed if least else needed + added)


def run(home: Path, *arguments: str, typed: str = "", code: int = 0) -> str:
    """Run Python in the copy; returns its output."""
    done = run_python(arguments, dict(os.environ, PYTHONPATH=str(home)), typed, home)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def souk(home: Path, *words: str, typed: str = "", code: int = 0) -> str:
    """Run a `souk` command in the copy."""
    return run(home, "-m", "souk.cli", *words, typed=typed, code=code)
