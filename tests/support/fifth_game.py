"""A copy of the house with a fifth game in it, built as docs/new-game.md says."""

import os
import re
import shutil
from pathlib import Path

from tests.forked import run_python

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "new-game.md"
CERTIFY = "certify.py"  # no part of the room
_BLOCK = re.compile(r"```\w+ file=(\S+)\n(.*?)```", re.DOTALL)


def build(home: Path, least: bool = False) -> Path:
    """Copy the package, with its pages, into a folder, and add what the page says; `least`: only what a game needs."""
    copy_package(home)
    for name, text in blocks(least):
        file = (home if name == CERTIFY else home / "souk" / "games" / "pig") / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as end:  # a file may be told of in parts
            end.write(text)
    return home


def copy_package(home: Path) -> None:
    """With what Python has compiled, which holds for the copy too: to compile all modules again takes seconds. (Not what it is just writing.)"""
    shutil.copytree(ROOT / "souk", home / "souk", ignore=shutil.ignore_patterns("*.pyc.*"))


def blocks(least: bool = False) -> list[tuple[str, str]]:
    """The files of the page, in its order: name and content."""
    needed, added = PAGE.read_text(encoding="utf-8").split("## What can be added\n")
    return _BLOCK.findall(needed if least else needed + added)


def run(home: Path, *arguments: str, typed: str = "", code: int = 0) -> str:
    """Run Python in the copy; what it said."""
    done = run_python(arguments, dict(os.environ, PYTHONPATH=str(home)), typed, home)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def souk(home: Path, *words: str, typed: str = "", code: int = 0) -> str:
    """A command of the copy."""
    return run(home, "-m", "souk.cli", *words, typed=typed, code=code)
