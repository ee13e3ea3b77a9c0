"""Helpers shared by the tournament tests."""

from dataclasses import replace
from typing import Any

from souk.lab.play_game import GameResult
from souk.lab.table_spec import TableSpec
from souk.lab.tournament import check_tournament

PAIR = ["random", "random:seed=1"]


def table_for(
    game: str = "basari-cards", entrants: list[str] | None = None, **more: Any
) -> TableSpec:
    return check_tournament(game, entrants or PAIR, **{"players": 3, "seed": 5} | more)


def untimed(games: list[GameResult]) -> list[GameResult]:
    """Results without the fields that differ between runs."""
    return [replace(played, seconds=[], longest=[]) for played in games]
