"""The description of a table: game, options, bots and seed.

Shared by simulations, tournaments, reports and exports; it can be sent to other machines.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from souk.core.game import Game
from souk.core.game_modules import Options
from souk.core.json_fields import brief
from souk.core.position import Position
from souk.games import game as find_game
from souk.lab.validation import check_seed

# Uniformly random play, as in `souk.simulate`.
RANDOM = "random"


@dataclass(frozen=True)
class TableSpec:
    """Determines every game at a table.

    The number of games is not part of it, so more can be added.
    """

    game: str
    # version of the rules
    rules: int
    # Digest of the start position including the box data: boards and decks may come from files.
    opening: str
    players: int
    options: dict[str, Any]
    # All participants; a single bot takes every seat.
    bots: tuple[str, ...]
    # Per move, for bots limited by time whose name does not set it.
    seconds: float | None
    seed: int

    @property
    def bot(self) -> str:
        """The only bot, if one bot takes every seat."""
        [name] = self.bots
        return name

    @property
    def is_random(self) -> bool:
        """Whether the games are those of `souk.simulate`."""
        return self.bots == (RANDOM,)

    @property
    def needs_kernels(self) -> bool:
        """Whether any bot needs compiled kernels; all but the random bot do."""
        return any(name.partition(":")[0] != RANDOM for name in self.bots)

    def start(self) -> Position:
        """The start position."""
        return find_game(self.game).start(self.players, **self.options)

    def local_game(self) -> Game:
        """The game on a worker machine; RuntimeError if its rules or data files differ."""
        start = self.start()
        if (start.game.version, _digest(start)) != (self.rules, self.opening):
            raise RuntimeError(
                "a machine of the Ray cluster has another data file for this game than this one"
            )
        return start.game


def _digest(start: Position) -> str:
    return hashlib.sha256(start.array.tobytes()).hexdigest()[:16]


def table_spec(
    start: Position, bots: Sequence[str] = (RANDOM,), seconds: float | None = None, seed: int = 0
) -> TableSpec:
    """Describe a table whose games begin at `start`."""
    game = start.game
    check_seed(seed)
    return TableSpec(
        game.name,
        game.version,
        _digest(start),
        start.players,
        start.options,
        tuple(bots),
        seconds,
        int(seed),
    )


def check_table(
    game: str,
    players: int | None = None,
    bot: str = RANDOM,
    *,
    seconds: float | None = None,
    seed: int = 0,
    options: Options | None = None,
) -> TableSpec:
    """A table with one bot in every seat; ValueError if it is invalid.

    `players` defaults to the most that can play.
    """
    from souk.bots.registry import make_bot

    rules = find_game(game)
    start = rules.start(rules.players[-1] if players is None else players, **(options or {}))
    if seconds is not None and not 0.001 <= seconds <= 3600:
        raise ValueError(f"seconds: must be a number from 0.001 to 3600, not {brief(seconds)}")
    with make_bot(bot, seconds=seconds) as checked_bot:
        checked_bot.check(rules)
        return table_spec(start, [checked_bot.name], seconds, seed)


def prepare_bots(table: TableSpec) -> None:
    """Load the bots' kernels, so that no move is delayed by it."""
    from souk.bots import prepare

    if table.needs_kernels:
        prepare(find_game(table.game))
