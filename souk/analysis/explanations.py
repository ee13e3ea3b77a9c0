"""Moves in words: what a move does, and what speaks for it, also compared with another."""

from typing import Any, NamedTuple

from souk.core.facts import Chose, Ended, Fact
from souk.core.messages import Message, Seat
from souk.core.position import Position


class Difference(NamedTuple):
    """A fact about two moves; None on the side that it is not true of."""

    one: Message | None
    other: Message | None


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    """Pros and cons of a legal move, by what its seat may see."""
    seen = as_seen(pos, seat)
    return seen.game.explanations.reasons(seen, seat, seen.canonical_move(seat, move))


def effects_of(pos: Position, seat: int, move: str) -> list[Message]:
    """The effects of a legal move as log messages, without secret choices and the game's end."""
    facts: list[Fact] = []
    pos.copy().play(seat, move, facts.append)
    return pos.game.describe(fact for fact in facts if not isinstance(fact, Chose | Ended))


def as_seen(pos: Position, seat: int) -> Position:
    """A seat's view of a position, with hidden choices undone so that it can be played on from."""
    seen = pos.seen_by(seat)
    seen.game.rules.unhide_choices(seen.state)
    return seen


def differences(pos: Position, seat: int, one: str, other: str) -> list[Difference]:
    """The facts in which two legal moves differ: those of `one` first, then `other`'s alone."""
    of_one, of_other = (
        {_subject(message): message for message in reasons(pos, seat, move)}
        for move in (one, other)
    )
    from_one = [Difference(message, of_other.get(subject)) for subject, message in of_one.items()]
    only_other = [
        Difference(None, message) for subject, message in of_other.items() if subject not in of_one
    ]
    return [
        difference
        for difference in [*from_one, *only_other]
        if _without_places(difference.one) != _without_places(difference.other)
    ]


def _without_places(message: Message | None) -> list[Any]:
    """A message without the squares it mentions, which differ between moves anyway."""
    return message.to_json()[:2] if message else []


def _subject(message: Message) -> tuple[str, tuple[int, ...]]:
    """The subject of a message, whatever its numbers: its key and seats."""
    return message.key, tuple(
        value.number for value in message.values.values() if isinstance(value, Seat)
    )
