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
def names() -> tuple[str, ...]:
    """The names of all drawings, in alphabetical order: `card-back`, `chip-blue`, …"""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.svg")))


@cache
def svg(name: str) -> str:
    """A drawing as the text of its SVG file."""
    if name not in names():
        raise ValueError(f"there is no drawing {name!r}; there are {', '.join(names())}")
    return (_FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@cache
def grounds() -> tuple[str, ...]:
    """The names of all grounds, in alphabetical order: `arch`, `awning`, …"""
    return tuple(sorted(file.stem for file in _GROUNDS.glob("*.svg")))


@cache
def ground(name: str) -> str:
    """A ground as the text of its SVG file, its holes and colours still open."""
    if name not in grounds():
        raise ValueError(f"there is no ground {name!r}; there are {', '.join(grounds())}")
    return (_GROUNDS / f"{name}.svg").read_text(encoding="utf-8")


def measures(name: str, kind: type[Measures]) -> Measures:
    """The measures of a ground, read into the class that has them."""
    return msgspec.json.decode((_GROUNDS / f"{name}.json").read_bytes(), type=kind)
