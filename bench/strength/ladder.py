"""The ladder of a game: how far apart bots are, by the matches that were kept of them.

A share of wins p is a difference of 400 log10(p / (1 - p)), as in chess ratings. Differences are added up from the apprentice, who has none, and so are the
squares of how far the ends of their intervals lie from them: matches are independent of each other.
"""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pedigree import read_figures

THINKS, MINDLESS = "vizier", "vizier, no mind"  # whose time tells
LEVELS = ("apprentice", "trader", "merchant", MINDLESS, THINKS)
FILES = ("levels", "minds")
LEAST_GAMES = 20  # fewer tell nothing

Row = dict[str, Any]
Ladder = dict["Bot", "Rung"]


class Rung(NamedTuple):
    """Where a bot stands above the apprentice, and from where to where that may be."""

    height: float = 0.0
    low: float = 0.0
    high: float = 0.0

    def beside(self, gap: "Rung") -> "Rung":
        """The rung of whoever is so much better than this one's bot."""
        height = self.height + gap.height
        down, up = (
            math.hypot(self.height - self.low, gap.height - gap.low),
            math.hypot(self.high - self.height, gap.high - gap.height),
        )
        return Rung(height, height - down, height + up)

    def turned(self) -> "Rung":
        """The same gap as the other bot sees it."""
        return Rung(-self.height, -self.high, -self.low)

    @property
    def width(self) -> float:
        return self.high - self.low


def gap(row: Row) -> Rung:
    """How far the two bots of a match are apart. Who won all has won all but a quarter of a game: nobody is endlessly better."""
    least = 1 / (4 * row["games"])

    def difference(share: float) -> float:
        within = min(max(share, least), 1 - least)
        return 400 * (math.log10(within / (1 - within)) - math.log10(row["even"] / (1 - row["even"])))

    return Rung(*(difference(row[name]) for name in ("share", "low", "high")))


class Bot(NamedTuple):
    """Whoever stands on a rung; in the order in which they are shown."""

    level: int  # in LEVELS
    seconds: float  # a move, where they tell

    def __str__(self) -> str:
        return LEVELS[self.level] + (f", {self.seconds:g} s" if self.seconds else "")


def bot_of(name: str, seconds: float) -> Bot:
    """A bot of a match: "vizier:seconds=1", and "vizier" where all have a second, are the same."""
    level, _, told = name.partition(":")
    settings = {key: value for key, _, value in (setting.partition("=") for setting in told.split(","))}
    if level != THINKS:
        return Bot(LEVELS.index(level), 0.0)
    mindless = settings.get("mind") == "none"
    return Bot(LEVELS.index(MINDLESS if mindless else THINKS), float(settings.get("seconds", seconds)))


def rungs(rows: Iterable[Row]) -> Ladder:
    """All bots that matches of one game and number of players connect with the apprentice, each by the way that tells most about it."""
    ways: list[tuple[Bot, Bot, Rung]] = []
    for row in rows:
        better, other = (bot_of(row[side], row["seconds"]) for side in ("better", "other"))
        ways += [(other, better, gap(row)), (better, other, gap(row).turned())]
    placed = {Bot(0, 0.0): Rung()}
    while reached := [
        (placed[start].beside(way), end) for start, end, way in ways if start in placed and end not in placed
    ]:
        rung, bot = min(reached, key=lambda each: each[0].width)
        placed[bot] = rung
    return dict(sorted(placed.items()))


def ladders(folder: Path) -> dict[str, dict[int, Ladder]]:
    """By game and number of players, from the matches of a folder."""
    kept = (row for name in FILES for row in read_figures(folder / f"{name}.json")[1]["rows"])
    rows = [row for row in kept if row["games"] >= LEAST_GAMES]
    tables = sorted({(row["game"], row["players"]) for row in rows})
    found: dict[str, dict[int, Ladder]] = {}
    for game, players in tables:
        of_it = (row for row in rows if (row["game"], row["players"]) == (game, players))
        found.setdefault(game, {})[players] = rungs(of_it)
    return found
