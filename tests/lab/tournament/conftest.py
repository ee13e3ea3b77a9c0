"""Nine games that tournament tests compare with."""

import pytest

from souk.lab.tournament import Tournament, play_tournament
from tests.lab.support.nine_games import PAIR


@pytest.fixture(scope="package")
def played() -> Tournament:
    """Nine games played in this process."""
    return play_tournament("basari-cards", PAIR, players=3, games=8, seed=5, processes=1)
