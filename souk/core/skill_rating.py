"""Skill ratings: openskill's Plackett-Luce model, for any number of players.

Deterministic: the same results in the same order give the same ratings, to the last bit.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


class Rating(NamedTuple):
    """Estimated skill and its uncertainty: about 95 % within two `sigma`."""

    mu: float
    sigma: float


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # slow to import

    return PlackettLuce()


@cache
def initial_rating() -> Rating:
    """The rating of a new player."""
    start = _model().rating()
    return Rating(start.mu, start.sigma)


def after_game(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Updated ratings of a game's players, by their places; ties share a place."""
    model = _model()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    return [
        Rating(team.mu, team.sigma) for (team,) in model.rate(teams, ranks=list(map(float, places)))
    ]
