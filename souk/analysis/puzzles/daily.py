"""The puzzles of the day: three errands, or a position, of every game for every day of the year.

An errand is a game alone in which all dice are known beforehand: it is done in as few actions as can be. A position has one move that is clearly
the best. Both are in `puzzles.jsonl` of the game's room, a line for each day; after a year they come again. `souk puzzles make` has made them.
"""

import datetime
from collections.abc import Iterator, Sequence
from functools import cache
from math import hypot
from pathlib import Path
from typing import Any

import msgspec

from souk.core.errors import suggestion
from souk.core.facts import Fact
from souk.core.game import Game
from souk.core.position import Position
from souk.games import game as find_game
from souk.games import names

DAYS = 366
_LEAP_YEAR = 2000
FILE = "puzzles.jsonl"


class SoloPuzzle(msgspec.Struct, frozen=True):
    """An errand: a game alone whose dice are all known."""

    options: dict[str, Any]
    coming: list[str]  # what comes up, one after the other; after the last the first again
    way: list[str]  # the moves of a shortest way

    def start(self, game: Game) -> Position:
        return game.start(1, **_tuples(self.options))


class RankedMove(msgspec.Struct, frozen=True, array_like=True):
    """A move that was looked at: the chance to win that it leaves, and the standard error of that."""

    move: str
    win: float
    error: float


class PositionPuzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position in which a seat is to find the best move."""

    position: dict[str, Any]
    seat: int
    topic: str  # what is to be decided
    weighed: list[RankedMove]  # the best first
    playouts: int  # of the deep search, all moves and both seeds together; 0 where it is exact
    seed: int = 0  # of the game it comes from

    def start(self, game: Game) -> Position:
        return game.from_json({"game": game.name, **self.position})

    @property
    def best(self) -> str:
        return self.weighed[0].move

    @property
    def gap(self) -> tuple[float, float]:
        """By how much the best move's chance is better than the next one's, and the standard error of that."""
        first, second = self.weighed[:2]
        return first.win - second.win, hypot(first.error, second.error)


class PuzzleLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A day's line of a game's file."""

    day: int
    solos: dict[str, SoloPuzzle] = {}  # by grade
    position: PositionPuzzle | None = None


def _tuples(options: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


# ---------------------------------------------------------------- days


def day_of(date: datetime.date) -> int:
    """The number of a day, from 1 on, as a leap year counts: the same date has the same number every year."""
    return date.replace(year=_LEAP_YEAR).timetuple().tm_yday


def read_date(text: object) -> datetime.date:
    """A date as in 2026-11-16; ValueError says what is wrong with it."""
    try:
        return datetime.date.fromisoformat(text if isinstance(text, str) and len(text) == 10 else "")
    except ValueError:
        raise ValueError(f"date: write it as 2026-11-16, not {str(text)[:20]!r}") from None


# ---------------------------------------------------------------- the shelf


def file_of(game: Game) -> Path:
    """Where a game's puzzles are."""
    return game.room / FILE


def read_lines(path: Path) -> Iterator[PuzzleLine]:
    """The lines of a file; ValueError names one that is wrong."""
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            yield msgspec.json.decode(line, type=PuzzleLine)
        except msgspec.MsgspecError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None


@cache
def puzzles_of(name: str) -> dict[int, PuzzleLine]:
    """A game's puzzles by day; none where it has no file."""
    path = file_of(find_game(name))
    return {line.day: line for line in read_lines(path)} if path.is_file() else {}


def games_with_puzzles() -> list[str]:
    """The games that have puzzles, in the order in which games are introduced."""
    return sorted(filter(puzzles_of, names()), key=lambda name: find_game(name).place)


def solo_of(name: str, date: datetime.date, grade: str) -> SoloPuzzle:
    """An errand; ValueError where there is none."""
    errands = line_of(name, date).solos
    if grade not in errands:
        raise ValueError(f"grade: there is no {grade!r} of {name}. {suggestion(grade, errands)}")
    return errands[grade]


def position_of(name: str, date: datetime.date) -> PositionPuzzle:
    """A position; ValueError where there is none."""
    found = line_of(name, date).position
    if found is None:
        raise ValueError(f"game: {name} has no position of the day")
    return found


def line_of(name: str, date: datetime.date) -> PuzzleLine:
    """A game's puzzles for a day; ValueError where it has none at all. A day that has none yet borrows another's."""
    if name not in names() or not puzzles_of(name):
        raise ValueError(f"game: there are no puzzles of {name!r}. {suggestion(name, games_with_puzzles())}")
    lines = puzzles_of(name)
    return lines.get(day_of(date)) or _borrowed(lines, date)


def _borrowed(lines: dict[int, PuzzleLine], date: datetime.date) -> PuzzleLine:
    """From day to day the next one that there is, but not that of the day before or after."""
    days, first = sorted(lines), date.toordinal()
    beside = [day_of(date + datetime.timedelta(days=n)) for n in (-1, 1)]
    picked = [days[(first + n) % len(days)] for n in (0, 2, 3)]
    return lines[next((day for day in picked if day not in beside), picked[0])]


# ---------------------------------------------------------------- stars


def stars(actions: int, best: int) -> int:
    """Three for as few actions as can be, two for one more, one for two more."""
    return max(0, 3 - (actions - best))


Tried = tuple[int | None, str, list[Fact]]  # a move by its seat, or what came up; and what that did


class Attempt:
    """A puzzle under way: moves, and in an errand what comes up after each."""

    def __init__(self, position: Position, seat: int = 0, coming: Sequence[str] = ()) -> None:
        self.position, self.seat, self.coming, self.used = position, seat, coming, 0

    @classmethod
    def of(cls, puzzle: SoloPuzzle | PositionPuzzle, game: Game) -> "Attempt":
        if isinstance(puzzle, SoloPuzzle):
            return cls(puzzle.start(game), 0, puzzle.coming)
        return cls(puzzle.start(game), puzzle.seat)

    def play(self, move: str) -> Iterator[Tried]:
        """Make a move, and let come up what comes; IllegalMove where it is not allowed."""
        facts: list[Fact] = []
        yield self.seat, self.position.play(self.seat, move, facts.append), facts
        while self.coming and not self.position.over and not self.position.actors:
            facts = []
            outcome = self.coming[self.used % len(self.coming)]
            self.used += 1
            yield None, self.position.resolve(outcome, facts.append), facts

    def play_all(self, moves: Sequence[str]) -> "Attempt":
        for move in moves:
            for _ in self.play(move):
                pass
        return self


def fewest(errand: SoloPuzzle, game: Game) -> int:
    """How many actions an errand takes."""
    return Attempt.of(errand, game).play_all(errand.way).position.scores[0]
