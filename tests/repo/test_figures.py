"""Tables of the docs match their figures, and every file of figures has a pedigree."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.support.provenance import read_figures
from bench.tables.write_all import TABLES

ROOT = Path(__file__).parents[2]
DOCS, BENCH = ROOT / "docs", ROOT / "bench"
FIGURES = sorted(DOCS.rglob("*.json"))
MARKED = re.compile(r"<!-- figures: ([^>]+?) -->")


def check_pages(docs: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.tables.write_all", "--check", "--docs", str(docs)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


# ---------------------------------------------------------------- our figures


@pytest.mark.parametrize(
    "file", FIGURES, ids=[file.relative_to(DOCS).as_posix() for file in FIGURES]
)
def test_figures_have_a_pedigree(file: Path) -> None:
    pedigree, figures = read_figures(file)
    assert pedigree.n
    assert figures


def test_pages_match_their_figures() -> None:
    done = check_pages(DOCS)
    assert done.returncode == 0, done.stdout + done.stderr + "run: python -m bench.tables.write_all"


def test_every_file_of_figures_is_shown() -> None:
    shown = {
        name
        for page in DOCS.rglob("*.md")
        for name in MARKED.findall(page.read_text(encoding="utf-8"))
    }
    assert shown == {*TABLES, "sources"}
    files = {file for name in TABLES for file in TABLES[name][1:]}
    assert files == {file.relative_to(DOCS).with_suffix("").as_posix() for file in FIGURES}


# ---------------------------------------------------------------- detected problems


def test_an_outdated_page_is_named(tmp_path: Path) -> None:
    docs = shutil.copytree(DOCS, tmp_path / "docs")
    file = docs / "figures" / "solitaire.json"
    figures = json.loads(file.read_text())
    figures["seconds"] += 1
    file.write_text(json.dumps(figures))
    done = check_pages(docs)
    assert done.returncode == 1
    assert done.stdout == "docs/figures.md is out of date\n"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("commit", "latest"),
        ("commit", "/srv/souk"),
        ("n", 0),
        ("date", "yesterday"),
        ("command", "python -m /srv/bench/a"),
        ("host", "a"),
    ],
)
def test_an_invalid_pedigree_is_rejected(tmp_path: Path, field: str, value: object) -> None:
    figures = json.loads((DOCS / "figures" / "solitaire.json").read_text())
    figures["pedigree"][field] = value
    (tmp_path / "solitaire.json").write_text(json.dumps(figures))
    with pytest.raises(ValueError, match="solitaire.json has no pedigree"):
        read_figures(tmp_path / "solitaire.json")


# ---------------------------------------------------------------- pedigrees


class Checkout:
    """A git repository with a program that writes a figure."""

    PROGRAM = """
from bench.support.provenance import figures_parser, write_figures
write_figures(figures_parser("").parse_args().json, {"count": 1.0}, n=3, of="games")
"""

    def __init__(self, home: Path) -> None:
        self.home = home
        (home / "bench" / "support").mkdir(parents=True)
        shutil.copy(BENCH / "support" / "provenance.py", home / "bench" / "support")
        for package in (home / "bench", home / "bench" / "support"):
            (package / "__init__.py").touch()
        (home / "bench" / "count.py").write_text(self.PROGRAM)
        (home / ".gitignore").write_text("__pycache__/\n")

    def git(self, *words: str) -> str:
        named = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
        done = subprocess.run(
            ["git", *named, *words], cwd=self.home, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def count(self, commit: str = "") -> subprocess.CompletedProcess[str]:
        words = ["-m", "bench.count", "--json", str(self.home / "figures.json")]
        environment = {
            "PATH": "/usr/bin:/bin",
            "GIT_CEILING_DIRECTORIES": str(self.home.parent),
            "SOUK_COMMIT": commit,
        }
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )

    def pedigree(self) -> dict[str, object]:
        content = json.loads((self.home / "figures.json").read_text())
        pedigree: dict[str, object] = content["pedigree"]
        return pedigree


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_commit_is_recorded_with_a_plus_for_changes(checkout: Checkout) -> None:
    checkout.git("init", "--quiet")
    checkout.git("add", ".")
    checkout.git("commit", "--quiet", "--message", "All")
    head = checkout.git("rev-parse", "--short=10", "HEAD")
    assert checkout.count().returncode == 0
    kept = checkout.pedigree()
    assert (kept["commit"], kept["command"], kept["n"], kept["of"]) == (
        head,
        "python -m bench.count",
        3,
        "games",
    )
    assert checkout.count().returncode == 0  # files of figures are no sources
    assert checkout.pedigree()["commit"] == head
    (checkout.home / "bench" / "count.py").write_text(checkout.PROGRAM + "\n")
    assert checkout.count().returncode == 0
    assert checkout.pedigree()["commit"] == f"{head}+"


def test_a_copy_without_history_takes_the_commit_from_the_environment(checkout: Checkout) -> None:
    assert checkout.count("0123abc+").returncode == 0
    assert checkout.pedigree()["commit"] == "0123abc+"


def test_without_a_commit_programs_fail_before_measuring(checkout: Checkout) -> None:
    done = checkout.count()
    assert done.returncode == 1
    assert "SOUK_COMMIT=" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_invalid_commit_is_rejected(checkout: Checkout) -> None:
    done = checkout.count("latest")
    assert done.returncode == 1
    assert done.stderr == (
        "SOUK_COMMIT: 'latest' is not a commit, such as 1a2b3c4 (changed: 1a2b3c4+)\n"
    )
