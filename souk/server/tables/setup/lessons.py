"""Tables where a game is learned: how they are laid out, and which lesson is gone through at one."""

from collections.abc import Sequence

from souk.core.game import Game
from souk.core.lessons import Lesson
from souk.table.refusals import Refuse
from souk.table.seating import named_like_nobody
from souk.table.shares import Shares
from souk.table.store import SeatRow

LESSON = "lesson"  # the level of all seats at such a table


def lesson_of(game: Game) -> Lesson:
    """A game's lesson; refused where there is none."""
    if game.lesson is None:
        raise Refuse("no_lesson", 404)
    return game.lesson


def seats_for(lesson: Lesson, player: bytes, name: str) -> list[SeatRow]:
    """Whoever learns, and those who play as the lesson has it."""
    rows = [SeatRow(0, "bot", each, LESSON) for each in lesson.names]
    rows.insert(lesson.seat, SeatRow(0, "person", named_like_nobody(name, lesson.names), LESSON, player))
    return [row._replace(seat=seat) for seat, row in enumerate(rows)]


def is_class(seats: Sequence[SeatRow]) -> bool:
    """Whether a lesson is gone through at a table."""
    return any(seat.level == LESSON for seat in seats)


def lesson_at(game: Game, shares: Shares) -> Lesson | None:
    """The lesson that is gone through at a table, or None."""
    return game.lesson if shares.lesson else None


def is_other_lesson(game: Game, shares: Shares) -> bool:
    """Whether a table was laid out for a lesson that has been rewritten since: what it would go on with does not follow from what was."""
    return bool(shares.lesson) and (game.lesson is None or game.lesson.digest != shares.lesson)
