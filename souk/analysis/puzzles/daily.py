"""The daily puzzles: for every day of the year a position, or solitaire puzzles of several grades.

A solitaire puzzle is a game whose dice are all known in advance, to be finished in as few actions
as possible. A position has one clearly best move. `puzzles.jsonl` in each game's folder has one
line per day, written by `souk puzzles make`; the puzzles repeat every year.
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
    """A solitaire game whose dice are all known."""

    options: dict[str, Any]
    coming: list[str]  # the dice in order, repeated from the start
    way: list[str]  # the moves of a shortest solution

    def start(self, game: Game) -> Position:
        return game.start(1, **_tuples(self.options))


class RankedMove(msgspec.Struct, frozen=True, array_like=True):
    """A move with its win chance and standard error."""

    move: str
    win: float
    error: float


class PositionPuzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """Find the best move of a seat."""

    position: dict[str, Any]
    seat: int
    topic: str
    weighed: list[RankedMove]  # best first
    playouts: int  # of the deep search, over all moves and both seeds; 0 if exact
    seed: int = 0  # of the game it comes from

    def start(self, game: Game) -> Position:
        return game.from_json({"game": game.name, **self.position})

    @property
    def best(self) -> str:
        return self.weighed[0].move

    @property
    def gap(self) -> tuple[float, float]:
        """The lead of the best move over the second, with its standard error."""
        first, second = self.weighed[:2]
        return first.win - second.win, hypot(first.error, second.error)


class PuzzleLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The puzzles of one day, a line of a game's file."""

    day: int
    solos: dict[str, SoloPuzzle] = {}  # by grade
    position: PositionPuzzle | None = None


def _tuples(options: dict[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in options.items()
    }


# ---------------------------------------------------------------- days


def day_of(date: datetime.date) -> int:
    """The day of the year, counted as in a leap year so that every date keeps its number."""
    return date.replace(year=_LEAP_YEAR).timetuple().tm_yday


def read_date(text: object) -> datetime.date:
    """Parse a date such as 2026-11-16."""
    try:
        return datetime.date.fromisoformat(
            text if isinstance(text, str) and len(text) == 10 else ""
        )
    except ValueError:
        raise ValueError(f"date: write it as 2026-11-16, not {str(text)[:20]!r}") from None


# ---------------------------------------------------------------- puzzle files


def file_of(game: Game) -> Path:
    """The puzzle file of a game."""
    return game.folder / FILE


def read_lines(path: Path) -> Iterator[PuzzleLine]:
    """Read a file; the ValueError for a bad line gives its number."""
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            yield msgspec.json.decode(line, type=PuzzleLine)
        except msgspec.MsgspecError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None


@cache
def puzzles_of(name: str) -> dict[int, PuzzleLine]:
    """The puzzles of a game by day; empty without a file."""
    path = file_of(find_game(name))
    return {line.day: line for line in read_lines(path)} if path.is_file() else {}


def games_with_puzzles() -> list[str]:
    """The games that have puzzles, in their usual order."""
    return sorted(filter(puzzles_of, names()), key=lambda name: find_game(name).order)


def solo_of(name: str, date: datetime.date, grade: str) -> SoloPuzzle:
    """A solitaire puzzle of a day."""
    solos = line_of(name, date).solos
    if grade not in solos:
        raise ValueError(f"grade: there is no {grade!r} of {name}. {suggestion(grade, solos)}")
    return solos[grade]


def position_of(name: str, date: datetime.date) -> PositionPuzzle:
    """The position of a day."""
    puzzle = line_of(name, date).position
    if puzzle is None:
        raise ValueError(f"game: {name} has no position of the day")
    return puzzle


def line_of(name: str, date: datetime.date) -> PuzzleLine:
    """The puzzles of a game for a day; a missing day borrows those of another."""
    if name not in names() or not puzzles_of(name):
        raise ValueError(
            f"game: there are no puzzles of {name!r}. {suggestion(name, games_with_puzzles())}"
        )
    lines = puzzles_of(name)
    return lines.get(day_of(date)) or _borrowed(lines, date)


def _borrowed(lines: dict[int, PuzzleLine], date: datetime.date) -> PuzzleLine:
    """Another day's puzzles: different ones on consecutive days, and none of an adjacent day."""
    days, first = sorted(lines), date.toordinal()
    neighbours = [day_of(date + datetime.timedelta(days=n)) for n in (-1, 1)]
    picked = [days[(first + n) % len(days)] for n in (0, 2, 3)]
    return lines[next((day for day in picked if day not in neighbours), picked[0])]


# ---------------------------------------------------------------- stars


def stars(actions: int, best: int) -> int:
    """Three for the optimum, one less for every action more."""
    return max(0, 3 - (actions - best))


Tried = tuple[int | None, str, list[Fact]]  # seat (None: a die), event, and its facts


class Attempt:
    """A puzzle in progress: the player's moves, and in solitaire the dice after each."""

    def __init__(self, position: Position, seat: int = 0, coming: Sequence[str] = ()) -> None:
        self.position, self.seat, self.coming, self.used = position, seat, coming, 0

    @classmethod
    def of(cls, puzzle: SoloPuzzle | PositionPuzzle, game: Game) -> "Attempt":
        if isinstance(puzzle, SoloPuzzle):
            return cls(puzzle.start(game), 0, puzzle.coming)
        return cls(puzzle.start(game), puzzle.seat)

    def play(self, move: str) -> Iterator[Tried]:
        """Play a move and the dice after it; raise IllegalMove for an illegal one."""
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


def fewest_actions(puzzle: SoloPuzzle, game: Game) -> int:
    """The optimum of a solitaire puzzle."""
    return Attempt.of(puzzle, game).play_all(puzzle.way).position.scores[0]
