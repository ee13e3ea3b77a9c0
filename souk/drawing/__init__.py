"""The drawings: one SVG file for each piece, card and picture, shared by the browser, notebooks and whatever else draws.

`grounds/` has what boards are made of, likewise shared: SVG files with colours of the palette (`var(--brass)`) and holes (`{way}`) that
whoever draws fills in, and beside some of them their measures as JSON, for what has to stand at the right place on them.
"""

from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

_FOLDER = Path(__file__).resolve().parent
_GROUNDS = _FOLDER / "grounds"

Measures = TypeVar("Measures")


@cache
def _texts(folder: Path) -> dict[str, str]:
    """The SVG files of a folder by their names, in alphabetical order."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.svg"))}


def names() -> tuple[str, ...]:
    """The names of all drawings: `card-back`, `chip-blue`, …"""
    return tuple(_texts(_FOLDER))


def svg(name: str) -> str:
    """A drawing as the text of its SVG file."""
    return _found(name, _texts(_FOLDER), "drawing")


def grounds() -> tuple[str, ...]:
    """The names of all grounds: `arch`, `awning`, …"""
    return tuple(_texts(_GROUNDS))


def ground(name: str) -> str:
    """A ground as the text of its SVG file, its holes and colours still open."""
    return _found(name, _texts(_GROUNDS), "ground")


def _found(name: str, texts: dict[str, str], kind: str) -> str:
    if name not in texts:
        raise ValueError(f"there is no {kind} {name!r}; there are {', '.join(texts)}")
    return texts[name]


def measures(name: str, kind: type[Measures]) -> Measures:
    """The measures of a ground, read into the class that has them."""
    return msgspec.json.decode((_GROUNDS / f"{name}.json").read_bytes(), type=kind)
