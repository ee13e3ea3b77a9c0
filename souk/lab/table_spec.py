"""Who plays what at a table: one description for simulations, tournaments, reports and exports, here and on other machines."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from souk.core.fields import brief
from souk.core.furniture import Options
from souk.core.game import Game
from souk.core.position import Position
from souk.games import game as find_game
from souk.lab.checks import check_seed

RANDOM = "random"  # play at random, as `souk.simulate` plays


@dataclass(frozen=True)
class TableSpec:
    """All that decides which games are played at a table. How many of them is not among it: there can always be more."""

    game: str
    rules: int  # their version
    opening: str  # a digest of the start position, which holds the box data: boards and decks may come from files
    players: int
    options: dict[str, Any]
    bots: tuple[str, ...]  # who takes part, at every table or in turn; a single one sits in every seat
    seconds: float | None  # for a move, of those bots that take a time and whose name says none
    seed: int

    @property
    def bot(self) -> str:
        """The one that sits in every seat."""
        [name] = self.bots
        return name

    @property
    def at_random(self) -> bool:
        """Whether its games are those of `souk.simulate`."""
        return self.bots == (RANDOM,)

    @property
    def thinking(self) -> bool:
        """Whether anybody thinks with compiled kernels: all but the random bot do."""
        return any(name.partition(":")[0] != RANDOM for name in self.bots)

    def start(self) -> Position:
        """Where its games begin."""
        return find_game(self.game).start(self.players, **self.options)

    def found_here(self) -> Game:
        """The game, on another machine than the one that asks. Where rules or data files differ, it refuses to play."""
        start = self.start()
        if (start.game.version, _digest(start)) != (self.rules, self.opening):
            raise RuntimeError("a machine of the Ray cluster has another data file for this game than this one")
        return start.game


def _digest(start: Position) -> str:
    return hashlib.sha256(start.array.tobytes()).hexdigest()[:16]


def table_spec(
    start: Position, bots: Sequence[str] = (RANDOM,), seconds: float | None = None, seed: int = 0
) -> TableSpec:
    """The description of a table where games begin so."""
    game = start.game
    check_seed(seed)
    return TableSpec(
        game.name, game.version, _digest(start), start.players, start.options, tuple(bots), seconds, int(seed)
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
    """A table at which one kind of bot holds every seat (as many as can be, where nobody says how many); ValueError says what cannot be."""
    from souk.bots.registry import named

    found = find_game(game)
    start = found.start(found.players[-1] if players is None else players, **(options or {}))
    if seconds is not None and not 0.001 <= seconds <= 3600:
        raise ValueError(f"seconds: must be a number from 0.001 to 3600, not {brief(seconds)}")
    with named(bot, seconds=seconds) as checked:
        checked.check(found)
        return table_spec(start, [checked.name], seconds, seed)


def prepare_bots(table: TableSpec) -> None:
    """Load what the bots think with, so that nobody's first move has to wait for it."""
    from souk.bots import prepare

    if table.thinking:
        prepare(find_game(table.game))
