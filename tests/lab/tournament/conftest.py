"""Nine games that tests of tournaments compare others with."""

import pytest

from souk.lab.tournament import Tournament, play_tournament
from tests.lab.tournament.nine_games import PAIR


@pytest.fixture(scope="package")
def played() -> Tournament:
    """Nine games in this process, which others are compared with."""
    return play_tournament("basari-cards", PAIR, players=3, games=8, seed=5, processes=1)
