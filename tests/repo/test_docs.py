"""The code in the docs and the README runs."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/python.md",
        "docs/bots.md",
        "docs/fair-dice.md",
        "docs/lab.md",
        "docs/minds.md",
        "docs/openspiel.md",
        "docs/reports.md",
        "docs/study.md",
    ],
)
def test_the_code_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # pages save files
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    exec(compile("\n".join(blocks), page, "exec"), {})


FILE = re.compile(r"`((?:souk|web|tests|bench|docs|examples)/[\w./-]+)`")


def test_files_that_are_named_exist() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("souk/games/*/rules.md")]:
        for file in FILE.findall(page.read_text(encoding="utf-8")):
            assert (ROOT / file).exists() or "/pig/" in file, f"{page.name}: {file}"


def test_links_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_pictures_of_the_house_are_up_to_date() -> None:
    """`python docs/draw_house.py` reads them off the source."""
    house = runpy.run_path(str(ROOT / "docs" / "draw_house.py"))
    for name, draw in house["PICTURES"].items():
        assert (ROOT / "docs" / "images" / name).read_text(encoding="utf-8") == draw(), (
            f"{name}: run docs/draw_house.py"
        )
    for place, _ in house["steps"]():
        assert list(ROOT.glob(place.replace("<game>", "suleika"))), place
