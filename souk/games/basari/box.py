"""Basari's board and start options."""

import re
from pathlib import Path
from typing import Any

from souk.core.box_data import Bounds, BoxData, BoxPart, DataFile
from souk.core.json_fields import brief, is_whole
from souk.core.messages import Message
from souk.core.parsing import letters, read_letters
from souk.games.basari import rules
from souk.games.basari_common.box_entries import GEM_LETTERS, packed_gems, read_entries


def defaults(players: int) -> dict[str, Any]:
    return {"first": 0, "board": "souk"}


def check(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """B5: the seat that places a disc first. B1: the board."""
    first = options["first"]
    if not is_whole(first) or not 0 <= first < players:
        raise ValueError(f"first: must be a seat from 0 to {players - 1}, not {brief(first)}")
    _arches(DATA.from_options(options))
    return options


def fill(s: Any, options: dict[str, Any]) -> None:
    s.first = options["first"]
    for place, arch in enumerate(_arches(DATA.from_options(options))):
        s.arch[place] = arch


def rated_from(players: int) -> int:
    """A player makes about 40 moves in a game."""
    return 8


def _read_arch(text: str) -> int | None:
    match = re.fullmatch(_ARCH, text)
    if match is None:
        return None
    gems = read_letters(match[2], GEM_LETTERS)
    assert gems is not None  # only these letters match
    arch: int = rules.pack_arch(int(match[1]), *gems)
    return arch


def _arch_twice(arch: int) -> Message:
    text = f"{arch >> 12}:{letters(packed_gems(arch), GEM_LETTERS)}"
    return Message("basari.printed.arch_twice", arch=text)


def _arches(file: DataFile) -> list[int]:
    """B1: the arches of a board, clockwise, packed as in the state."""
    return read_entries(file, ARCHES, _read_arch, "basari.printed.not_an_arch", _arch_twice)


NUMBER, _GEMS = Bounds("number", 4, 7), Bounds("gems", 2, 4)
_ARCH = f"{NUMBER.figure()}:{_GEMS.letters(GEM_LETTERS)}"
ARCHES = BoxPart("arches", rules.ARCHES, "5:RRY", bounds=(NUMBER, _GEMS))
DATA = BoxData("board", Path(__file__).parent, (ARCHES,), _arches)
