"""The browser's types are generated from the server's protocol."""

import re
from pathlib import Path

import pytest

from souk.server.protocol.typescript import PAGES, files

WRITTEN = files()


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.relative_to(PAGES).as_posix())
def test_the_browser_has_the_same_types(path: Path) -> None:
    """If this fails, run `python -m souk.server.protocol.typescript`."""
    assert path.is_file(), "not generated yet"
    assert path.read_text(encoding="utf-8") == WRITTEN[path]


def test_no_type_is_written_by_hand_or_left_over() -> None:
    """Every `types.ts` is generated."""
    assert set(PAGES.glob("games/**/types.ts")) == {
        path for path in WRITTEN if path.name == "types.ts"
    }


def test_every_type_is_declared_once() -> None:
    """Except for two names that each game declares: `Fact` and `Game`."""
    texts = WRITTEN.values()
    declared = [
        name
        for text in texts
        for name in re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE)
    ]
    assert sorted(name for name in set(declared) if declared.count(name) > 1) == ["Fact", "Game"]


def test_nothing_is_left_open() -> None:
    assert not any(
        re.search(r"\bany\b", re.sub(r"/\*.*?\*/|//.*", "", text)) for text in WRITTEN.values()
    )
