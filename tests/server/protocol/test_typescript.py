"""What browser and server say to each other is written once: the browser's types are made from the server's."""

import re
from pathlib import Path

import pytest

from souk.table.typescript import PAGES, files

WRITTEN = files()


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.relative_to(PAGES).as_posix())
def test_the_browser_has_the_same_types(path: Path) -> None:
    """Where this fails: `python -m souk.table.typescript`."""
    assert path.is_file(), "it has not been written yet"
    assert path.read_text(encoding="utf-8") == WRITTEN[path]


def test_no_type_is_written_by_hand_or_left_over() -> None:
    """Every file of this name comes out of the program."""
    assert set(PAGES.glob("games/**/types.ts")) == {path for path in WRITTEN if path.name == "types.ts"}


def test_every_type_is_declared_once() -> None:
    """But for what each game calls by the same name: the union of its facts, and what is its own."""
    texts = WRITTEN.values()
    declared = [name for text in texts for name in re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE)]
    assert sorted(name for name in set(declared) if declared.count(name) > 1) == ["Fact", "Game"]


def test_nothing_is_left_open() -> None:
    assert not any(re.search(r"\bany\b", re.sub(r"/\*.*?\*/|//.*", "", text)) for text in WRITTEN.values())
