"""Entrants and settings that are refused."""

from typing import Any

import pytest

from souk.lab.tournament import check_tournament
from souk.lab.tournament.schedule import deals_for
from souk.lab.workers import Processes
from tests.lab.support.nine_games import PAIR, table_for


@pytest.mark.parametrize(
    ("entrants", "more", "message"),
    [
        (["random"], {}, "two or more"),
        (["random", "random "], {}, "named twice"),
        (["random", "vizir"], {}, "no bot 'vizir'"),
        (["random", "vizier:speed=3"], {}, "no setting 'speed'"),
        (PAIR, {"players": 9}, "players: "),
        (PAIR, {"seed": -1}, "seed: "),
        (PAIR, {"seconds": 0.0}, "seconds: "),
        (PAIR, {"options": {"dek": "souk"}}, 'Did you mean "deck"'),
        (PAIR, {"game": "bazaar", "players": 1}, "two or more"),
    ],
)
def test_bad_settings(entrants: list[str], more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        table_for(**{"entrants": entrants} | more)


def test_bad_numbers() -> None:
    with pytest.raises(ValueError, match="games: "):
        deals_for(0, 3)
    with pytest.raises(ValueError, match="processes: "):
        Processes(0)


def test_players_left_out() -> None:
    assert check_tournament("suleika", PAIR).players == 2
    assert check_tournament("basari", PAIR).players == 4
    assert (
        check_tournament("suleika", ["random", *(f"random:seed={i}" for i in range(5))]).players
        == 4
    )
