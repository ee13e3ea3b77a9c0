"""Basari: the board, and what can be chosen at the start."""

import re
from pathlib import Path
from typing import Any

from souk.core.datafile import BoxData, BoxPart, DataFile
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
    _arches(_file(options))
    return options


def fill(s: Any, options: dict[str, Any]) -> None:
    s.first = options["first"]
    for place, arch in enumerate(_arches(_file(options))):
        s.arch[place] = arch


def about(options: dict[str, Any]) -> str:
    return _file(options).about


def _file(options: dict[str, Any]) -> DataFile:
    return DATA.file(options["board"])


def _arches(file: DataFile) -> list[int]:
    """B1: the arches of a board, clockwise, as the state holds them."""
    found: list[int] = []
    for index, text in file.entries(ARCHES):
        form = re.fullmatch(f"([4-7]):([{GEMS}]{{2,4}})", text)
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


ARCHES = BoxPart("arches", rules.ARCHES, "5:RRY")
DATA = BoxData("board", Path(__file__).parent, (ARCHES,), _arches)
