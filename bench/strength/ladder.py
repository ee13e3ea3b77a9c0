"""Ratings of bots from the matches between them.

A win share p is a difference of 400 log10(p / (1 - p)) points, as in chess. Differences add up from
the apprentice, who has 0, and so do the variances of independent matches.
"""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from bench.support.provenance import read_figures

THINKS, WITHOUT_NET = "vizier", "vizier, no net"  # levels that use their time
LEVELS = ("apprentice", "trader", "merchant", WITHOUT_NET, THINKS)
FILES = ("levels", "nets")
LEAST_GAMES = 20

Row = dict[str, Any]
Ladder = dict["Bot", "Rung"]


class Rung(NamedTuple):
    """Points above the apprentice, with a 95 % interval."""

    height: float = 0.0
    low: float = 0.0
    high: float = 0.0

    def plus(self, gap: "Rung") -> "Rung":
        """The rung of a bot better by `gap`."""
        height = self.height + gap.height
        down = math.hypot(self.height - self.low, gap.height - gap.low)
        up = math.hypot(self.high - self.height, gap.high - gap.height)
        return Rung(height, height - down, height + up)

    def turned(self) -> "Rung":
        """The same gap from the other bot's side."""
        return Rung(-self.height, -self.high, -self.low)

    @property
    def width(self) -> float:
        return self.high - self.low


def gap(row: Row) -> Rung:
    """The gap between two bots. Who won all is taken to have lost a quarter of a game."""
    least = 1 / (4 * row["games"])

    def logit(share: float) -> float:
        return 400 * math.log10(share / (1 - share))

    def difference(share: float) -> float:
        return logit(min(max(share, least), 1 - least)) - logit(row["even"])

    return Rung(*(difference(row[name]) for name in ("share", "low", "high")))


class Bot(NamedTuple):
    """A rated bot; sorts in display order."""

    level: int  # in LEVELS
    seconds: float  # per move, or 0 for levels that do not use them

    def __str__(self) -> str:
        return LEVELS[self.level] + (f", {self.seconds:g} s" if self.seconds else "")


def bot_of(name: str, seconds: float) -> Bot:
    """Parse a bot's name; "vizier:seconds=1" equals "vizier" in a match at one second."""
    level, _, options = name.partition(":")
    settings = dict(option.split("=", 1) for option in options.split(",") if option)
    if level != THINKS:
        return Bot(LEVELS.index(level), 0.0)
    level = WITHOUT_NET if settings.get("net") == "none" else THINKS
    return Bot(LEVELS.index(level), float(settings.get("seconds", seconds)))


def rungs(rows: Iterable[Row]) -> Ladder:
    """Rate all bots that matches connect with the apprentice, each by its narrowest interval."""
    edges: list[tuple[Bot, Bot, Rung]] = []
    for row in rows:
        better, other = (bot_of(row[side], row["seconds"]) for side in ("better", "other"))
        edges += [(other, better, gap(row)), (better, other, gap(row).turned())]
    rated = {Bot(0, 0.0): Rung()}
    while reached := [
        (rated[start].plus(edge), end)
        for start, end, edge in edges
        if start in rated and end not in rated
    ]:
        rung, bot = min(reached, key=lambda candidate: candidate[0].width)
        rated[bot] = rung
    return dict(sorted(rated.items()))


def ladders(folder: Path) -> dict[str, dict[int, Ladder]]:
    """Ladders by game and number of players, from the matches of a folder."""
    matches: dict[tuple[str, int], list[Row]] = {}
    for name in FILES:
        for row in read_figures(folder / f"{name}.json")[1]["rows"]:
            if row["games"] >= LEAST_GAMES:
                matches.setdefault((row["game"], row["players"]), []).append(row)
    by_game: dict[str, dict[int, Ladder]] = {}
    for (game, players), rows in sorted(matches.items()):
        by_game.setdefault(game, {})[players] = rungs(rows)
    return by_game
