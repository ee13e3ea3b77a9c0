"""Ratings of a tournament's entrants, game by game."""

from collections.abc import Sequence
from typing import NamedTuple

from souk.lab.tournament.ledger import Ledger


class Rating(NamedTuple):
    """A strength as openskill sees it, and how unsure it is: about 95 % within two `sigma`."""

    mu: float
    sigma: float


class Ratings:
    """Ratings of all entrants (openskill's Plackett-Luce model), game by game. The order of the games matters a little, so
    they are always taken in the order of their numbers."""

    def __init__(self, entrants: int) -> None:
        from openskill.models import PlackettLuce  # not before it is needed

        self._model = PlackettLuce()
        start = self._model.rating()
        self.now = [Rating(start.mu, start.sigma)] * entrants
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
        teams = [[self._model.rating(mu=self.now[entrant].mu, sigma=self.now[entrant].sigma)] for entrant in seats]
        rated = self._model.rate(teams, ranks=list(map(float, ranks)))
        found: dict[int, list[Rating]] = {}
        for entrant, (team,) in zip(seats, rated, strict=True):
            found.setdefault(entrant, []).append(Rating(team.mu, team.sigma))
        self.now = list(self.now)
        for entrant, seen in found.items():
            self.now[entrant] = Rating(*(sum(values) / len(seen) for values in zip(*seen, strict=True)))
        self.history.append(self.now)
