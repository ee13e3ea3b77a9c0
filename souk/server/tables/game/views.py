"""What a seat is shown of a position: the position itself, its legal moves, and what the game's scene says about it."""

from typing import Any

import msgspec

from souk.core.lessons import Lesson
from souk.core.position import Position
from souk.table.fates import Fate
from souk.table.protocol import LessonNow, LessonPage, View
from souk.table.store import Standing

MOST_MOVES = 48  # sent with a view
A_FEW = 12  # sent where there are more than that: offers, from the lowest on

encode = msgspec.json.Encoder().encode


class Looks:
    """A position as those at the table see it; what is the same for several is worked out once, and nothing before somebody looks."""

    __slots__ = ("_event", "_fate", "_json", "_lesson", "_open", "position", "secret", "standing")

    def __init__(
        self,
        position: Position,
        secret: bool,
        lesson: Lesson | None = None,
        event: int = 0,
        fate: Fate = Fate(),  # noqa: B008  it never changes
        standing: Standing | None = None,
    ) -> None:
        self.position, self._fate = position, fate
        self._lesson, self._event = lesson, event  # the number of the next event
        self.secret = secret  # whether it holds what not everybody may know
        self.standing = standing or standing_of(position, fate)
        self._open: msgspec.Struct | None = None  # the position, where everybody may know it
        self._json: msgspec.Raw | None = None  # likewise

    def view(self, seat: int, can_take_back: bool) -> View:
        """Through the eyes of a seat, or of a spectator (-1)."""
        seen, now = self._seen_by(seat), self.standing
        codes = seen.move_codes(seat, MOST_MOVES + 1) if seat in now.actors else []
        more = len(codes) > MOST_MOVES
        text = seen.game.notation.move_text
        asked = seen.game.telling.asked(seen.state, seat, codes) if codes else None
        return View(
            position=self._position(seat, seen),  # type: ignore[arg-type]
            actors=list(now.actors),
            moves=[text(seen.state, code) for code in (codes[:A_FEW] if more else codes)],
            scores=list(now.scores),
            winners=list(now.winners),
            over=now.over,
            scene=seen.game.scene.scene(seen, seat),
            secret=self.secret,
            more=more,
            can_take_back=can_take_back and not now.over,
            ended=self._fate.ended,
            lost=sorted(self._fate.lost),
            asked=asked.to_json() if asked else None,
            lesson=lesson_now(self._lesson, self._event) if self._lesson and seat == self._lesson.seat else None,
        )

    def in_passing(self) -> msgspec.Struct | None:
        """What of the scene everybody is to see where something followed at once."""
        return None if self.secret else self.position.game.scene.in_passing(self.position)

    def changed(self, end: "Looks", seat: int) -> dict[str, Any]:
        """What a seat, or a spectator, sees of the position that is another than in the end."""
        now, then = self._layout(seat), end._layout(seat)
        fields = [(name, getattr(now, name), getattr(then, name)) for name in now.__struct_fields__]
        return {name: value for name, value, later in fields if value != later}

    def _position(self, seat: int, seen: Position) -> msgspec.Raw:
        found = self._json or msgspec.Raw(seen.json_bytes(self._layout(seat, seen)))
        if not self.secret:
            self._json = found
        return found

    def _layout(self, seat: int, seen: Position | None = None) -> msgspec.Struct:
        """The position as the game's notation has it for a seat, or a spectator: `seen`, where that is known."""
        if self.secret:
            position = seen or self._seen_by(seat)
            return position.game.notation.position(position.state)
        if self._open is None:
            self._open = self.position.game.notation.position(self.position.state)
        return self._open

    def _seen_by(self, seat: int) -> Position:
        return self.position.seen_by(seat) if self.secret else self.position


def standing_of(position: Position, fate: Fate) -> Standing:
    """Whether a game is over, who is to move, and how it stands."""
    over = position.over or bool(fate.ended)
    return Standing(over, () if over else position.actors, position.scores, fate.winners(position) if over else ())


def lesson_now(lesson: Lesson, event: int) -> LessonNow:
    """What whoever learns is told before an event."""
    steps = lesson.said_before(event)
    pages = [
        LessonPage(lesson.text(step.name).to_json(), list(step.at), list(step.see), step.moves[0] if step.moves else "")
        for step in lesson.steps[steps.start : steps.stop]
    ]
    return LessonNow(lesson.passed(event), len(lesson.steps), pages, lesson.is_over(event))
