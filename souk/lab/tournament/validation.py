"""Validates the table and the entrants of a tournament."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from souk.core.game import Game
from souk.core.json_fields import brief
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
    """The table of a valid tournament; ValueError names an invalid argument.

    `players` defaults to one seat per entrant, or to the most that can play.
    """
    rules = find_game(game)
    if players is None:
        players = len(entrants) if len(entrants) in rules.players else rules.players[-1]
    start = rules.start(players, **(options or {}))
    if start.players < 2:
        raise ValueError("players: a tournament needs a table for two or more")
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise ValueError(f"seconds: must be more than 0, not {brief(seconds)}")
    return table_spec(start, _check_entrants(rules, entrants, seconds), seconds, seed)


def _check_entrants(game: Game, entrants: Sequence[str], seconds: float | None) -> list[str]:
    from souk.bots.registry import make_bot

    if len(entrants) < 2:
        raise ValueError("entrants: name two or more")
    names: list[str] = []
    for text in entrants:
        with make_bot(text, seconds=seconds) as bot:
            bot.check(game)
            name = bot.name
        if name in names:
            raise ValueError(f"entrants: {name} is named twice; give the second one other settings")
        names.append(name)
    return names
