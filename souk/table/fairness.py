"""Dice that can be proved fair: all that comes up follows from a seed whose digest was shown before the game.

The outcome number k of a game (from 0) is drawn with HMAC-SHA256(seed, k), k in decimal digits: read as a whole number it is scaled
down to the sum of the weights of what may come up, in the order in which the rules list it.
"""

import hashlib
import hmac
import secrets
from typing import NamedTuple

from souk.core.record import Record

_BITS = 256


def new_seed() -> bytes:
    """A seed that nobody can guess."""
    return secrets.token_bytes(_BITS // 8)


def digest_of(seed: bytes) -> str:
    """What is shown of a seed before the game."""
    return hashlib.sha256(seed).hexdigest()


class FairDice:
    """The dice and cards of one game. `drawn`: how much has come up before."""

    __slots__ = ("drawn", "seed")

    def __init__(self, seed: bytes, drawn: int = 0) -> None:
        self.seed, self.drawn = seed, drawn

    def randrange(self, stop: int) -> int:
        """The next number, from 0 up to `stop`."""
        number = int.from_bytes(hmac.digest(self.seed, str(self.drawn).encode(), "sha256"), "big")
        self.drawn += 1
        return number * stop >> _BITS


class Verdict(NamedTuple):
    """What came of checking a game: `fair` is None where nothing can be said yet."""

    fair: bool | None
    lines: list[str]  # in plain words


def verify(record: Record) -> Verdict:
    """Draw everything that came up in a game again from its seed, and compare."""
    if record.dice is None or not record.dice[0]:
        return Verdict(None, ["This record has no digest of a seed: its dice were not drawn at a table."])
    digest, seed = record.dice
    if not seed:
        return Verdict(
            None,
            ["The game was not over when it was saved, so the seed is still secret. Only its digest is known:", digest],
        )
    if digest_of(bytes.fromhex(seed)) != digest:
        return Verdict(False, ["The seed does not belong to the digest that was shown at the start."])
    differing = _differing(record, bytes.fromhex(seed))
    if differing:
        return Verdict(False, differing)
    drawn = sum(seat is None for seat, _ in record.events)
    return Verdict(True, [f"The seed belongs to the digest, and all {drawn} outcomes follow from it."])


def _differing(record: Record, seed: bytes) -> list[str]:
    """What came up otherwise than the seed has it, a line for each."""
    lines, dice = [], FairDice(seed)
    for number, (position, (seat, text)) in enumerate(zip(record.positions(), record.events, strict=False), 1):
        if seat is None and (fair := position.draw(dice)) != text:
            lines.append(f"Event {number}: the record says {text}, the seed gives {fair}.")
    return lines
