"""Basari: the board, and what can be chosen at the start."""

import re
from pathlib import Path
from typing import Any

from souk.core.datafile import Bounds, BoxData, BoxPart, DataFile
from souk.core.fields import brief, is_whole
from souk.core.message import Message
from souk.core.reading import letters, read_letters
from souk.games.basari import rules

GEMS = "RYGB"


def defaults(players: int) -> dict[str, Any]:
    return {"first": 0, "board": "souk"}


def check(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """B5: who places a disc first. B1: the board."""
    first = options["first"]
    if not is_whole(first) or not 0 <= first < players:
        raise ValueError(f"first: must be a seat from 0 to {players - 1}, not {brief(first)}")
    _arches(DATA.chosen(options))
    return options


def fill(s: Any, options: dict[str, Any]) -> None:
    s.first = options["first"]
    for place, arch in enumerate(_arches(DATA.chosen(options))):
        s.arch[place] = arch


def _arches(file: DataFile) -> list[int]:
    """B1: the arches of a board, clockwise, as the state holds them."""
    found: list[int] = []
    for index, text in file.entries(ARCHES):
        form = re.fullmatch(_ARCH, text)
        if form is None:
            file.wrong(ARCHES.key, index, Message("basari.printed.not_an_arch", text=brief(text)))
            continue
        gems = read_letters(form[2], GEMS)
        assert gems is not None  # the form has seen to it
        arch = rules.pack_arch(int(form[1]), *gems)
        if arch in found:
            said = Message("basari.printed.arch_twice", arch=f"{form[1]}:{letters(gems, GEMS)}")
            file.wrong(ARCHES.key, index, said)
        found.append(arch)
    return found


_NUMBER, _GEMS = Bounds("number", 4, 7), Bounds("gems", 2, 4)
_ARCH = f"{_NUMBER.figure()}:{_GEMS.letters(GEMS)}"
ARCHES = BoxPart("arches", rules.ARCHES, "5:RRY", bounds=(_NUMBER, _GEMS))
DATA = BoxData("board", Path(__file__).parent, (ARCHES,), _arches)
