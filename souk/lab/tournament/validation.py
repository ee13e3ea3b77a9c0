"""Who may enter a tournament, and at what table."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from souk.core.fields import brief
from souk.core.game import Game
from souk.games import game as find_game
from souk.lab.table_spec import TableSpec, table_spec


def check_tournament(
    game: str,
    entrants: Sequence[str],
    *,
    players: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> TableSpec:
    """The table of a tournament that can be played, with a seat for every entrant if that can be and nobody says how many; ValueError says
    what cannot be."""
    found = find_game(game)
    if players is None:
        players = len(entrants) if len(entrants) in found.players else found.players[-1]
    start = found.start(players, **(options or {}))
    if start.players < 2:
        raise ValueError("players: a tournament needs a table for two or more")
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise ValueError(f"seconds: must be more than 0, not {brief(seconds)}")
    return table_spec(start, _check_entrants(found, entrants, seconds), seconds, seed)


def _check_entrants(game: Game, entrants: Sequence[str], seconds: float | None) -> list[str]:
    from souk.bots.registry import named

    if len(entrants) < 2:
        raise ValueError("entrants: name two or more")
    found: list[str] = []
    for text in entrants:
        with named(text, seconds=seconds) as bot:
            bot.check(game)
            name = bot.name
        if name in found:
            raise ValueError(f"entrants: {name} is named twice; give the second one other settings")
        found.append(name)
    return found
