"""SVG art shared by the browser, notebooks and terminals: one file per piece, card and picture.

`grounds/` holds background templates: SVG with palette colours (`var(--brass)`) and placeholders
(`{way}`). Some have their measurements beside them as JSON. `places/` holds larger ones, which the
browser loads with their game.
"""

from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

_FOLDER = Path(__file__).resolve().parent
_GROUNDS = (_FOLDER / "grounds", _FOLDER / "places")

Measures = TypeVar("Measures")


@cache
def _texts(folder: Path) -> dict[str, str]:
    """The SVG files of a folder by name, in alphabetical order."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.svg"))}


def names() -> tuple[str, ...]:
    """Names of all drawings: `card-back`, `chip-blue`, …"""
    return tuple(_texts(_FOLDER))


def svg(name: str) -> str:
    """SVG source of a drawing."""
    return _lookup(name, _texts(_FOLDER), "drawing")


def grounds() -> tuple[str, ...]:
    """Names of all background templates: `arch`, `awning`, …"""
    return tuple(sorted(_templates()))


def ground(name: str) -> str:
    """SVG source of a background template, placeholders and palette colours not yet filled in."""
    return _lookup(name, dict(sorted(_templates().items())), "ground")


@cache
def _templates() -> dict[str, str]:
    """The background templates of both folders by name."""
    return {name: text for folder in _GROUNDS for name, text in _texts(folder).items()}


def _lookup(name: str, texts: dict[str, str], kind: str) -> str:
    if name not in texts:
        raise ValueError(f"there is no {kind} {name!r}; there are {', '.join(texts)}")
    return texts[name]


def measures(name: str, kind: type[Measures]) -> Measures:
    """Measurements of a background template, decoded into a struct."""
    path = next(
        folder / f"{name}.json" for folder in _GROUNDS if (folder / f"{name}.json").exists()
    )
    return msgspec.json.decode(path.read_bytes(), type=kind)
