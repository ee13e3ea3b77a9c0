"""Code, files, links and options in the docs exist and work."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import typer

from souk.cli.main import app

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/program/python.md",
        "docs/program/bots.md",
        "docs/play/fair-dice.md",
        "docs/research/lab.md",
        "docs/research/nets.md",
        "docs/research/openspiel.md",
        "docs/research/reports.md",
        "docs/play/analysis.md",
    ],
)
def test_the_code_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # pages save files
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL
    )
    assert blocks
    exec(compile("\n".join(blocks), page, "exec"), {})


FILE = re.compile(r"`((?:souk|web|tests|bench|docs|examples)/[\w./-]+)`")


def test_files_that_are_named_exist() -> None:
    for page in [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("souk/games/*/rules.md"),
    ]:
        for file in FILE.findall(page.read_text(encoding="utf-8")):
            assert (ROOT / file).exists() or "/pig/" in file, f"{page.name}: {file}"


def test_links_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_pictures_of_the_architecture_are_up_to_date() -> None:
    """`python docs/draw_architecture.py` reads them from the source."""
    program = runpy.run_path(str(ROOT / "docs" / "draw_architecture.py"))
    for name, draw in program["PICTURES"].items():
        assert (ROOT / "docs" / "images" / name).read_text(encoding="utf-8") == draw(), (
            f"{name}: run docs/draw_architecture.py"
        )
    for file, _ in program["steps"]():
        assert list(ROOT.glob(file.replace("<game>", "suleika"))), file


# Options of other programs.
FOREIGN_OPTIONS = {"--format", "--group", "--no-deps", "--owner", "--pwprompt", "--require-hashes"}
FOREIGN_OPTIONS |= {"--address", "--fast", "--head", "--help", "--now", "--stop-timeout"}


def options_of(command: Any) -> set[str]:
    own = {name for parameter in command.params for name in parameter.opts}
    subcommands = getattr(command, "commands", {}).values()
    return own.union(*(options_of(subcommand) for subcommand in subcommands))


@pytest.mark.parametrize("folder", ["play", "host"])
def test_options_that_are_named_exist(folder: str) -> None:
    known = options_of(typer.main.get_command(app)) | FOREIGN_OPTIONS
    for page in sorted(ROOT.glob(f"docs/{folder}/*.md")):
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page.read_text(encoding="utf-8")))
        assert named <= known, page.name
