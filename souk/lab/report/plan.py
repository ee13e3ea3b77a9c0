"""What a report is to tell of: which tables, and how many games of each."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from souk.core.game import Game
from souk.games import game as find_game
from souk.lab.checks import check_whole
from souk.lab.report.gathering import check_games
from souk.lab.table_spec import RANDOM, TableSpec, check_table

USUAL = 1000  # games looked at, where no number is given;
FEWER = {"vizier": 100, "search": 100, "uct": 100}  # of bots that take their time
SIMULATED = 1_000_000  # random games that give the results
SECONDS = 0.05  # for a move
PLAYS = f"{RANDOM},merchant,vizier"


@dataclass(frozen=True)
class Outline:
    """What a report is to tell of."""

    tables: dict[int, list[TableSpec]]  # by the number of players, the kinds of play
    games: int | None  # to look at, of each kind; None: as many as is usual for the kind
    simulated: int
    command: list[str]  # that makes the report again

    def games_of(self, table: TableSpec) -> int:
        return self.games or FEWER.get(table.bot.partition(":")[0], USUAL)


def split_plays(text: str) -> list[str]:
    """Names with commas between. A name may have commas of its own, in its settings: "vizier:playouts=500,seed=3"."""
    found: list[str] = []
    for part in (each.strip() for each in text.split(",")):
        if found and "=" in part and ":" not in part and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part)
    if len(set(found)) < len(found):
        raise ValueError(f"play: {text} names a bot twice")
    return found


def split_players(text: str | None, game: Game) -> list[int]:
    """Numbers with commas between; None: every number the game is for."""
    if text is None:
        return list(game.players)
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f'players: must be numbers with commas between, such as "2,3,4", not {text!r}') from None
    if len(set(found)) < len(found):
        raise ValueError(f"players: {text} names a number twice")
    return found


def check_outline(
    game: str,
    players: str | None = None,
    play: str = PLAYS,
    *,
    games: int | None = None,
    simulated: int = SIMULATED,
    seconds: float = SECONDS,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Outline:
    """A report that can be made; ValueError says what cannot be."""
    found, bots = find_game(game), split_plays(play)
    if games is not None:
        check_games(games)
    check_whole("simulated", simulated, 1, 100_000_000)
    chosen, usual = dict(options or {}), dict(found.report.options)
    tables = {
        count: [
            check_table(
                found.name, count, bot, seconds=seconds, seed=seed, options=(usual if count > 1 else {}) | chosen
            )
            for bot in bots
        ]
        for count in split_players(players, found)
    }
    words = ["souk", "report", found.name, "--players", ",".join(map(str, tables)), "--play", ",".join(bots)]
    words += ["--games", str(games)] if games else []
    words += ["--simulated", str(simulated)] if simulated != SIMULATED else []
    words += ["--seconds", f"{seconds:g}"] if seconds != SECONDS else []
    words += ["--seed", str(seed)]
    words += [word for name, value in chosen.items() for word in ("--option", f"{name}={json.dumps(value)}")]
    return Outline(tables, games, simulated, words)
