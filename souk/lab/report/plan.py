"""The plan of a report: tables, and the number of games for each."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from souk.core.game import Game
from souk.games import game as find_game
from souk.lab.report.sampling import check_games
from souk.lab.table_spec import RANDOM, TableSpec, check_table
from souk.lab.validation import check_whole

# default number of games
DEFAULT_GAMES = 1000
# of slow bots
SLOW_BOT_GAMES = {"vizier": 100, "search": 100, "uct": 100}
# random games for the results
SIMULATED = 1_000_000
# per move
SECONDS = 0.05
PLAYS = f"{RANDOM},merchant,vizier"


@dataclass(frozen=True)
class ReportPlan:
    """The contents of a report."""

    # kinds of play by number of players
    tables: dict[int, list[TableSpec]]
    # Games per kind of play; None: the default of the kind.
    games: int | None
    simulated: int
    # command that makes the report again
    command: list[str]

    def games_of(self, table: TableSpec) -> int:
        return self.games or SLOW_BOT_GAMES.get(table.bot.partition(":")[0], DEFAULT_GAMES)


def split_plays(text: str) -> list[str]:
    """Split bot names at commas, except within a name's settings ("vizier:playouts=500,seed=3")."""
    bots: list[str] = []
    for part in (word.strip() for word in text.split(",")):
        if bots and "=" in part and ":" not in part and ":" in bots[-1]:
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    if len(set(bots)) < len(bots):
        raise ValueError(f"play: {text} names a bot twice")
    return bots


def split_players(text: str | None, game: Game) -> list[int]:
    """Split numbers at commas; None: every number of players."""
    if text is None:
        return list(game.players)
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(
            f'players: must be numbers separated by commas, such as "2,3,4", not {text!r}'
        ) from None
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"players: {text} names a number twice")
    return numbers


def check_plan(
    game: str,
    players: str | None = None,
    play: str = PLAYS,
    *,
    games: int | None = None,
    simulated: int = SIMULATED,
    seconds: float = SECONDS,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> ReportPlan:
    """A valid plan; ValueError names an invalid argument."""
    rules, bots = find_game(game), split_plays(play)
    if games is not None:
        check_games(games)
    check_whole("simulated", simulated, 1, 100_000_000)
    chosen, defaults = dict(options or {}), dict(rules.report.options)
    tables = {
        count: [
            check_table(
                rules.name,
                count,
                bot,
                seconds=seconds,
                seed=seed,
                options=(defaults if count > 1 else {}) | chosen,
            )
            for bot in bots
        ]
        for count in split_players(players, rules)
    }
    words = [
        "souk",
        "report",
        rules.name,
        "--players",
        ",".join(map(str, tables)),
        "--play",
        ",".join(bots),
    ]
    words += ["--games", str(games)] if games else []
    words += ["--simulated", str(simulated)] if simulated != SIMULATED else []
    words += ["--seconds", f"{seconds:g}"] if seconds != SECONDS else []
    words += ["--seed", str(seed)]
    words += [
        word
        for name, value in chosen.items()
        for word in ("--option", f"{name}={json.dumps(value)}")
    ]
    return ReportPlan(tables, games, simulated, words)
