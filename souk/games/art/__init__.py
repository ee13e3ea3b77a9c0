"""The drawings: one SVG file for each piece, card and picture, shared by the browser, notebooks and whatever else draws."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent


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
