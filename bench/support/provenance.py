"""Reads and writes files of figures, each with its pedigree: commit, machine, command, date and n.

Sources without git history need SOUK_COMMIT, with a trailing + if they were changed.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, convert, to_builtins

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# Everything that figures depend on.
_SOURCES = ("souk", "bench", "web", "dev.py", "pyproject.toml", "requirements/play.lock")
# Options with paths, which are left out of the recorded command.
_PATH_OPTIONS = ("--json", "--folder", "--journals", "--cache", "--sources")
_COMMIT = r"^[0-9a-f]{7,40}\+?$"

Commit = Annotated[str, Meta(pattern=_COMMIT)]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
Command = Annotated[str, Meta(pattern=r"^python -m bench(\.\w+)+( [^/~]*)?$")]
Number = Annotated[int, Meta(ge=1)]
Figures = dict[str, Any]


class Machine(Struct, omit_defaults=True, forbid_unknown_fields=True, frozen=True):
    """Hardware of a measurement, without the host's name."""

    cpu: str
    cores: Number  # used
    gpu: str = ""


class Pedigree(Struct, omit_defaults=True, forbid_unknown_fields=True, frozen=True):
    """The origin of figures. `n` counts what `of` says."""

    commit: Commit
    machine: Machine
    python: str
    date: Day
    command: Command
    n: Number
    of: str
    # If set, `commit` is the one that added the figures.
    measured: Literal["", "before pedigrees were kept"] = ""


# ---------------------------------------------------------------- origin of this run


@cache
def commit() -> str:
    """The current commit, with a + if any of the sources has changed since."""
    if given := os.environ.get("SOUK_COMMIT"):
        if not re.fullmatch(_COMMIT, given):
            sys.exit(f"SOUK_COMMIT: {given!r} is not a commit, such as 1a2b3c4 (changed: 1a2b3c4+)")
        return given
    head = _git("rev-parse", "--short=10", "HEAD")
    return head + "+" * bool(_git("status", "--porcelain", "--", *_SOURCES))


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        sys.exit("no git history: set SOUK_COMMIT=1a2b3c4 to the commit of these sources")
    return done.stdout.strip()


def command_line() -> str:
    """This program's command without options that only name output paths."""
    program = sys.modules["__main__"].__spec__
    words, arguments = ["python", "-m", program.name if program else ""], iter(sys.argv[1:])
    for word in arguments:
        if word in _PATH_OPTIONS:
            next(arguments)
        elif not word.startswith(tuple(f"{option}=" for option in _PATH_OPTIONS)):
            words.append(word)
    return " ".join(words)


def cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    models = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def gpu_model() -> str:
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[
        0
    ]


# ---------------------------------------------------------------- files


def write_figures(
    file: Path,
    figures: Figures,
    *,
    n: int,
    of: str,
    cores: int = 1,
    gpu: bool = False,
    indent: int | None = 1,
) -> None:
    """Write figures with the pedigree of this run."""
    machine = Machine(cpu_model(), cores, gpu_model() if gpu else "")
    today, python = time.strftime("%Y-%m-%d"), platform.python_version()
    pedigree = Pedigree(commit(), machine, python, today, command_line(), n, of)
    content = {"pedigree": to_builtins(pedigree)} | _rounded(figures)
    separators = (",", ":") if indent is None else None
    text = json.dumps(content, indent=indent, separators=separators) + "\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _rounded(value: Any) -> Any:
    """Whole numbers without a decimal point, others to 12 digits."""
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() else float(f"{value:.12g}")
    return value


def read_figures(file: Path) -> tuple[Pedigree, Figures]:
    """Figures and their pedigree. Raises a `ValueError` that names the file if it is invalid."""
    figures = json.loads(file.read_text(encoding="utf-8"))
    try:
        return convert(figures.pop("pedigree", None), Pedigree), figures
    except ValueError as error:
        raise ValueError(f"{file.name} has no pedigree: {error}") from None


# ---------------------------------------------------------------- command lines


def output_path(text: str) -> Path:
    """An option's path. Also checks the commit, before hours of measuring rather than after."""
    commit()
    return Path(text)


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """A parser that shows a module's docstring as help."""
    program = sys.modules["__main__"].__spec__
    return argparse.ArgumentParser(
        prog=f"python -m {program.name}" if program else None,
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def parts_parser(doc: str | None, parts: Iterable[str], folder: str) -> argparse.ArgumentParser:
    """The same for a program of parts, each of which writes a file into a folder of docs/."""
    parser, names = parser_of(doc), list(parts)
    choices = [*names, []]
    parser.add_argument("parts", metavar="PART", nargs="*", choices=choices, help=", ".join(names))
    parser.add_argument("--processes", type=int)
    parser.add_argument("--share", type=float, default=1.0, help="of the usual games and seconds")
    parser.add_argument("--folder", type=output_path, default=DOCS / folder)
    return parser


def journals_parser(
    doc: str | None, parts: Iterable[str], folder: str, games: Sequence[str]
) -> argparse.ArgumentParser:
    """The same for parts about some games that can be interrupted and resumed."""
    parser = parts_parser(doc, parts, folder)
    parser.add_argument("--games", metavar="NAME", nargs="+", default=games, choices=games)
    parser.add_argument("--minutes", type=float, default=1e6, help="per part")
    parser.add_argument("--journals", type=Path, default=Path(f"{folder}-games"), help="unfinished")
    return parser


def figures_parser(doc: str | None) -> argparse.ArgumentParser:
    """The same with `--json FILE` for the figures."""
    parser = parser_of(doc)
    parser.add_argument("--json", type=output_path, metavar="FILE", help="write the figures here")
    return parser
