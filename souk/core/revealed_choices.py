"""Tallies of secret choices that have since been revealed to the whole table."""

from collections.abc import Sequence
from dataclasses import dataclass

# By seat: how often it chose each move.
ChoiceCounts = Sequence[dict[str, int]]

# Shared by all empty tallies: tables are many, and dicts are never changed in place.
_EMPTY: dict[str, int] = {}


@dataclass(slots=True)
class RevealedChoices:
    """Counts of revealed choices, and the choices that are still hidden.

    Nothing is changed in place, so copies, made on every move, share everything.
    """

    chosen: tuple[dict[str, int], ...]
    # Seats and moves, in the order made.
    hidden: tuple[tuple[int, str], ...] = ()

    @classmethod
    def nothing(cls, players: int) -> "RevealedChoices":
        return cls((_EMPTY,) * players)

    def copy(self) -> "RevealedChoices":
        return RevealedChoices(self.chosen, self.hidden)

    def add(self, seat: int, move: str, secret: bool) -> None:
        """Add a move. `secret`: whether the position holds secrets after it.

        The first move after hidden choices that leaves no secrets reveals them all, itself
        included.
        """
        if secret or self.hidden:
            self.hidden = (*self.hidden, (seat, move))
        if not secret and self.hidden:
            chosen = list(self.chosen)
            for chooser, choice in self.hidden:
                tally = chosen[chooser]
                chosen[chooser] = tally | {choice: tally.get(choice, 0) + 1}
            self.chosen, self.hidden = tuple(chosen), ()

    def undo(self) -> None:
        """Drop the last choice, which is still hidden."""
        self.hidden = self.hidden[:-1]
