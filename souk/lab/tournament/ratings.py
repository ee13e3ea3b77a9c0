"""Openskill ratings of a tournament's entrants, game by game."""

from collections.abc import Sequence

from souk.core.skill_rating import Rating, after_game, initial_rating
from souk.lab.tournament.results import GameResults


class Ratings:
    """Ratings of all entrants after each game.

    Ratings depend slightly on the order of games, so it is always that of their numbers.
    """

    def __init__(self, entrants: int) -> None:
        self.now = [initial_rating()] * entrants
        # initially, then after each game
        self.history = [self.now]

    def follow(self, results: GameResults) -> "Ratings":
        """Rate the games not rated yet."""
        for seats, ranks in zip(
            results.seats[len(self.history) - 1 :],
            results.ranks[len(self.history) - 1 :],
            strict=True,
        ):
            self._rate(seats.tolist(), ranks.tolist())
        return self

    def _rate(self, seats: Sequence[int], ranks: Sequence[int]) -> None:
        """Rate one game; an entrant with several seats gets the mean of its new ratings."""
        updated: dict[int, list[Rating]] = {}
        for entrant, rating in zip(
            seats, after_game([self.now[entrant] for entrant in seats], ranks), strict=True
        ):
            updated.setdefault(entrant, []).append(rating)
        self.now = list(self.now)
        for entrant, values_of_seats in updated.items():
            self.now[entrant] = Rating(
                *(
                    sum(values) / len(values_of_seats)
                    for values in zip(*values_of_seats, strict=True)
                )
            )
        self.history.append(self.now)
