"""What a seat is shown of a position: the position itself, its legal moves, and what the game's scene says about it."""

import msgspec

from souk.core.lessons import Lesson
from souk.core.position import Position
from souk.table.fates import Fate
from souk.table.protocol import LessonNow, LessonPage, View

MOST_MOVES = 48  # sent with a view
A_FEW = 12  # sent where there are more than that: offers, from the lowest on

encode = msgspec.json.Encoder().encode


class Looks:
    """A position as those at the table see it; what is the same for several is worked out once."""

    def __init__(
        self,
        position: Position,
        secret: bool,
        lesson: Lesson | None = None,
        event: int = 0,
        fate: Fate = Fate(),  # noqa: B008  it never changes
    ) -> None:
        self.position, self._fate = position, fate
        self._lesson, self._event = lesson, event  # the number of the next event
        self.secret = secret  # whether it holds what not everybody may know
        self.over, self.scores = position.over or bool(fate.ended), position.scores
        self.actors, self.winners = [] if self.over else list(position.actors), list(fate.winners(position))
        self._json = None if secret else _position_json(position)

    def view(self, seat: int, can_take_back: bool) -> View:
        """Through the eyes of a seat, or of a spectator (-1)."""
        seen = self.position.seen_by(seat) if self.secret else self.position
        codes = seen.move_codes(seat, MOST_MOVES + 1) if seat in self.actors else []
        more = len(codes) > MOST_MOVES
        text = seen.game.notation.move_text
        asked = seen.game.telling.asked(seen.state, seat, codes) if codes else None
        return View(
            position=self._json or _position_json(seen),  # type: ignore[arg-type]
            actors=self.actors,
            moves=[text(seen.state, code) for code in (codes[:A_FEW] if more else codes)],
            scores=self.scores,
            winners=self.winners,
            over=self.over,
            scene=seen.game.scene.scene(seen, seat),
            secret=self.secret,
            more=more,
            can_take_back=can_take_back and not self.over,
            ended=self._fate.ended,
            lost=sorted(self._fate.lost),
            asked=asked.to_json() if asked else None,
            lesson=lesson_now(self._lesson, self._event) if self._lesson and seat == self._lesson.seat else None,
        )


def _position_json(position: Position) -> msgspec.Raw:
    """A position as `to_json` gives it, without a detour by dicts."""
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in position.options.items()}
    common = encode({"game": position.game.name, "players": position.players, "options": options})
    own = encode(position.game.notation.position(position.state))
    return msgspec.Raw(common[:-1] + b"," + own[1:])


def lesson_now(lesson: Lesson, event: int) -> LessonNow:
    """What whoever learns is told before an event."""
    steps = lesson.said_before(event)
    pages = [
        LessonPage(lesson.text(step.name).to_json(), list(step.at), list(step.see), step.moves[0] if step.moves else "")
        for step in lesson.steps[steps.start : steps.stop]
    ]
    return LessonNow(lesson.passed(event), len(lesson.steps), pages, lesson.is_over(event))
