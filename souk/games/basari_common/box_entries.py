"""What the data files of both Basari games share: arches or cards, each of them once."""

from collections.abc import Callable

from souk.core.box_data import BoxPart, DataFile
from souk.core.json_fields import brief
from souk.core.messages import Message

GEM_LETTERS = "RYGB"


def packed_gems(packed: int) -> list[int]:
    """The gems of a packed arch or card, by colour."""
    return [packed >> shift & 7 for shift in (9, 6, 3, 0)]


def read_entries(
    file: DataFile,
    part: BoxPart,
    read: Callable[[str], int | None],
    unreadable: str,
    twice: Callable[[int], Message],
) -> list[int]:
    """B1, K2: the arches or cards of a data file, packed by `read`; None if it cannot."""
    entries: list[int] = []
    for index, text in file.entries(part):
        packed = read(text)
        if packed is None:
            file.wrong(part.key, index, Message(unreadable, text=brief(text)))
            continue
        if packed in entries:
            file.wrong(part.key, index, twice(packed))
        entries.append(packed)
    return entries
