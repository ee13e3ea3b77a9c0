"""A move in words: what it does, what speaks for it, and what speaks for it against another."""

from typing import Any, NamedTuple

from souk.core.facts import Chose, Ended, Fact
from souk.core.message import Message, Seat
from souk.core.position import Position


class Difference(NamedTuple):
    """A fact about two moves. None where it is one of the other alone."""

    one: Message | None
    other: Message | None


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    """What speaks for a legal move of a seat and against it, by what that seat may see."""
    seen = as_seen(pos, seat)
    return seen.game.reasons.reasons(seen, seat, seen.canonical_move(seat, move))


def told_of(pos: Position, seat: int, move: str) -> list[Message]:
    """What a legal move would do, as the log would tell it; nothing of one that nobody would see, or of the end of the game."""
    facts: list[Fact] = []
    pos.copy().play(seat, move, facts.append)
    return pos.game.tell(fact for fact in facts if not isinstance(fact, Chose | Ended))


def as_seen(pos: Position, seat: int) -> Position:
    """A position as a seat may see it, in which choices that it may not see are still to be made: so it can be played on from."""
    seen = pos.seen_by(seat)
    seen.game.rules.reopen(seen.state)
    return seen


def differences(pos: Position, seat: int, one: str, other: str) -> list[Difference]:
    """The facts in which two legal moves of a seat differ, those of the first in its order, then what is said of the other alone."""
    ours, theirs = ({_subject(each): each for each in reasons(pos, seat, move)} for move in (one, other))
    both = [Difference(message, theirs.get(subject)) for subject, message in ours.items()]
    alone = [Difference(None, message) for subject, message in theirs.items() if subject not in ours]
    return [each for each in [*both, *alone] if _said(each.one) != _said(each.other)]


def _said(message: Message | None) -> list[Any]:
    """A message without the places that it is about: two moves are about others."""
    return message.to_json()[:2] if message else []


def _subject(message: Message) -> tuple[str, tuple[int, ...]]:
    """What a message is about, whatever its numbers: its key, and the seats it speaks of."""
    return message.key, tuple(value.number for value in message.values.values() if isinstance(value, Seat))
