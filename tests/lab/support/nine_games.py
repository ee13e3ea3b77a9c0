"""What the tests of tournaments share."""

from dataclasses import replace
from typing import Any

from souk.lab.playing import Played
from souk.lab.table_spec import TableSpec
from souk.lab.tournament import check_tournament

PAIR = ["random", "random:seed=1"]


def table_for(game: str = "basari-cards", entrants: list[str] | None = None, **more: Any) -> TableSpec:
    return check_tournament(game, entrants or PAIR, **{"players": 3, "seed": 5} | more)


def untimed(games: list[Played]) -> list[Played]:
    """Games without what differs each time they are played."""
    return [replace(played, seconds=[], longest=[]) for played in games]
