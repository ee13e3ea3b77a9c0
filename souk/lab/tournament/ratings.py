"""Ratings of a tournament's entrants, game by game."""

from collections.abc import Sequence

from souk.core.skill import Rating, after_game, unknown
from souk.lab.tournament.ledger import Ledger


class Ratings:
    """Ratings of all entrants, game by game. The order of the games matters a little, so they are always taken in the order of their numbers."""

    def __init__(self, entrants: int) -> None:
        self.now = [unknown()] * entrants
        self.history = [self.now]  # at the start, then after each game

    def follow(self, ledger: Ledger) -> "Ratings":
        """Take in the games that have not been rated yet."""
        for seats, ranks in zip(
            ledger.seats[len(self.history) - 1 :], ledger.ranks[len(self.history) - 1 :], strict=True
        ):
            self._rate(seats.tolist(), ranks.tolist())
        return self

    def _rate(self, seats: Sequence[int], ranks: Sequence[int]) -> None:
        """One game. An entrant with several seats plays each of them with its rating, and takes the mean of what becomes of it."""
        found: dict[int, list[Rating]] = {}
        for entrant, after in zip(seats, after_game([self.now[entrant] for entrant in seats], ranks), strict=True):
            found.setdefault(entrant, []).append(after)
        self.now = list(self.now)
        for entrant, seen in found.items():
            self.now[entrant] = Rating(*(sum(values) / len(seen) for values in zip(*seen, strict=True)))
        self.history.append(self.now)
