"""Reasons: why one move is better than another, each a sentence that is true of the position.

A game finds all that hold (`explanations.compare`); souk.analysis.choose_reason says at most one.
"""

from typing import NamedTuple

from souk.core.messages import Message


class Reason(NamedTuple):
    """Something that speaks for one move against another.

    Attributes:
        key: unique within the game.
        family: shared by reasons with the same cause, of which only one is said.
        points: its part of the better move's lead, in the game's own unit
            (`explanations.POINT` converts it to win chance).
        message: the sentence; its places are what it speaks of on the board.
        last: it is about the end of the game, so it is said before all others.
    """

    key: str
    family: str
    points: float
    message: Message
    last: bool = False
