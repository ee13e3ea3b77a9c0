"""What a measurement carries: which commit was measured, on what machine, when, by what command, and how often.

Every program of bench/ that keeps figures writes them with `write_figures`. On a machine that has a copy of the sources and not their history,
the variable SOUK_COMMIT says which commit they are of, with a + behind it where they were changed since.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, convert, to_builtins

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
_MEASURED = ("souk", "bench", "web", "dev.py", "pyproject.toml", "requirements.lock")  # what figures can depend on
_WHERE_TO = ("--json", "--folder", "--journals", "--cache", "--sources")  # options that only name places
_COMMIT = r"^[0-9a-f]{7,40}\+?$"

Commit = Annotated[str, Meta(pattern=_COMMIT)]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
Command = Annotated[str, Meta(pattern=r"^python bench/\w+\.py( [^/~]*)?$")]
Number = Annotated[int, Meta(ge=1)]
Figures = dict[str, Any]


class Machine(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What did the work, without a name that would tell it from others like it."""

    cpu: str
    cores: Number  # that were used
    gpu: str = ""


class Pedigree(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Where figures come from. `n` is the number of whatever `of` says."""

    commit: Commit
    machine: Machine
    python: str
    date: Day
    command: Command
    n: Number
    of: str
    measured: Literal["", "before pedigrees were kept"] = ""  # then the commit is the one that brought the figures

    def __str__(self) -> str:
        cores = "one core" if self.machine.cores == 1 else f"{self.machine.cores} cores"
        gpu = f" and one {self.machine.gpu}" if self.machine.gpu else ""
        told = f"`{self.command}` on {cores} ({self.machine.cpu}){gpu}, Python {self.python}, {self.date}, n = {self.n:,} {self.of}, "
        return told + (
            f"measured before commits were noted ({self.commit})" if self.measured else f"commit {self.commit}"
        )


# ---------------------------------------------------------------- found out here


@cache
def commit() -> str:
    """The commit of these sources, with a + where something that figures depend on has been changed since."""
    if given := os.environ.get("SOUK_COMMIT"):
        if not re.fullmatch(_COMMIT, given):
            sys.exit(f"SOUK_COMMIT: {given!r} names no commit; 1a2b3c4 would, and 1a2b3c4+ one that was changed since.")
        return given
    head = _git("rev-parse", "--short=10", "HEAD")
    return head + "+" * bool(_git("status", "--porcelain", "--", *_MEASURED))


def _git(*words: str) -> str:
    try:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        sys.exit("These sources have no history here: say which commit they are of (SOUK_COMMIT=1a2b3c4).")


def typed() -> str:
    """This program's command as one would type it, without where the figures go."""
    words, given = ["python", f"bench/{Path(sys.argv[0]).name}"], iter(sys.argv[1:])
    for word in given:
        if word in _WHERE_TO:
            next(given)
        elif not word.startswith(tuple(f"{option}=" for option in _WHERE_TO)):
            words.append(word)
    return " ".join(words)


def cpu_model() -> str:
    """As the processor calls itself, where it can be asked."""
    asked = Path("/proc/cpuinfo")
    lines = asked.read_text().splitlines() if asked.is_file() else []
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def gpu_model() -> str:
    asked = subprocess.run(
        ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=True
    )
    return asked.stdout.splitlines()[0]


# ---------------------------------------------------------------- kept and read


def write_figures(
    file: Path, figures: Figures, *, n: int, of: str, cores: int = 1, gpu: bool = False, indent: int | None = 1
) -> None:
    """Keep figures with the pedigree they have from this run."""
    machine = Machine(cpu_model(), cores, gpu_model() if gpu else "")
    pedigree = Pedigree(commit(), machine, platform.python_version(), time.strftime("%Y-%m-%d"), typed(), n, of)
    kept = {"pedigree": to_builtins(pedigree)} | _short(figures)
    separators = (",", ":") if indent is None else None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(kept, indent=indent, separators=separators) + "\n", encoding="utf-8")


def _short(value: Any) -> Any:
    """Whole numbers without a point, others without digits that mean nothing."""
    if isinstance(value, dict):
        return {name: _short(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_short(each) for each in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() else float(f"{value:.12g}")
    return value


def read_figures(file: Path) -> tuple[Pedigree, Figures]:
    """Figures and their pedigree; a ValueError says which file has none worth the name."""
    figures = json.loads(file.read_text(encoding="utf-8"))
    try:
        return convert(figures.pop("pedigree", None), Pedigree), figures
    except ValueError as error:
        raise ValueError(f"{file.name} has no pedigree: {error}") from None


def place(text: str) -> Path:
    """Where figures are to go. Whether their commit is known is found out now, and not when all has been measured."""
    commit()
    return Path(text)


def settings(about: str | None) -> argparse.ArgumentParser:
    """The command line of a program that measures: it can be told where to keep its figures."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=place, metavar="FILE", help="where to keep the figures, with their pedigree")
    return parser
