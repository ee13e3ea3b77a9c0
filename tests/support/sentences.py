"""Checks of how a sentence about two moves is worded, for the tests of all games."""

import re

from souk.core.messages import Message, Seat, Words, languages
from souk.core.position import Position

NAMES = ["Karim", "Amina", "Bilal", "Dunya", "Emir", "Farida"]
WORDS = 16


def seats_in(message: Message) -> set[Seat]:
    """The seats that a message speaks of, nested messages included."""
    seats: set[Seat] = set()
    for value in message.values.values():
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, Seat):
                seats.add(item)
            elif isinstance(item, Message):
                seats |= seats_in(item)
    return seats


def assert_well_said(message: Message, players: int) -> None:
    """A short sentence in every language: names for others, "you" for the listener."""
    seats = seats_in(message)
    for language in languages():
        text = Words(language, NAMES).say(message)
        assert not re.search(r"[{}%]|  |\bwhy\.", text), text
        for you in range(players):
            spoken = Words(language, NAMES, you=you).say(message)
            assert NAMES[you] not in spoken, spoken
            assert len(spoken.split()) <= WORDS, spoken
            assert sum(name in spoken for name in NAMES) <= 2, spoken
            assert (spoken == text) == (Seat(you) not in seats), (spoken, text)


def assert_named_apart(pos: Position) -> None:
    """Every move of a position has a short name of its own in every language."""
    moves = pos.moves(pos.actors[0])[:40]
    for language in languages():
        names = [pos.game.explanations.name_move(pos, move).text(NAMES, language) for move in moves]
        assert len({*names}) == len(moves), names
        for name in names:
            assert not re.search(r"[{}]|  |\bname\.|\bword\.", name), name
            assert len(name.split()) <= WORDS
