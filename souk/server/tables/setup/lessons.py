"""Lesson tables: their seats, and which lesson they follow."""

from collections.abc import Sequence

from souk.core.game import Game
from souk.core.lessons import Lesson
from souk.server.dice.commitments import SeedShares
from souk.server.protocol.errors import RequestRefused
from souk.server.storage.rows import SeatRow
from souk.server.tables.seats import unique_or_default_name

LESSON = "lesson"  # level of all seats at such a table


def lesson_of(game: Game) -> Lesson:
    """A game's lesson; refused if there is none."""
    if game.lesson is None:
        raise RequestRefused("no_lesson", 404)
    return game.lesson


def seats_for(lesson: Lesson, player: bytes, name: str) -> list[SeatRow]:
    """The learner and the scripted players."""
    rows = [SeatRow(0, "bot", bot, LESSON) for bot in lesson.names]
    rows.insert(
        lesson.seat,
        SeatRow(0, "person", unique_or_default_name(name, lesson.names), LESSON, player),
    )
    return [row._replace(seat=seat) for seat, row in enumerate(rows)]


def is_class(seats: Sequence[SeatRow]) -> bool:
    """Whether these seats belong to a lesson table."""
    return any(seat.level == LESSON for seat in seats)


def lesson_at(game: Game, shares: SeedShares) -> Lesson | None:
    """The lesson of a table, or None."""
    return game.lesson if shares.lesson else None


def is_other_lesson(game: Game, shares: SeedShares) -> bool:
    """Whether the lesson has been rewritten since the table was created, so that it cannot
    continue.
    """
    return bool(shares.lesson) and (game.lesson is None or game.lesson.digest != shares.lesson)
