"""How strong players are, by the results of their games: openskill's Plackett-Luce model, for any number of players.

Only what goes in decides what comes out, to the last bit: the same results in the same order always give the same ratings.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


class Rating(NamedTuple):
    """A strength as openskill sees it, and how unsure it is: about 95 % within two `sigma`."""

    mu: float
    sigma: float


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # not before it is needed

    return PlackettLuce()


@cache
def unknown() -> Rating:
    """Of somebody who has not played yet."""
    start = _model().rating()
    return Rating(start.mu, start.sigma)


def after_game(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """What becomes of the ratings of those who played a game, by the places they came in; equals share one."""
    model = _model()
    teams = [[model.rating(mu=each.mu, sigma=each.sigma)] for each in before]
    return [Rating(team.mu, team.sigma) for (team,) in model.rate(teams, ranks=list(map(float, places)))]
