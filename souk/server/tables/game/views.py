"""What a seat sees of a position: the position, its legal moves, and the game's board info."""

from typing import Any

import msgspec

from souk.core.lessons import Lesson
from souk.core.position import Position
from souk.server.protocol.table import LessonNow, LessonPage, View
from souk.server.storage.rows import Standing
from souk.server.tables.timing.game_status import GameStatus

MOST_MOVES = 48  # sent with a view
A_FEW = 12  # sent if there are more: offers, lowest first

encode = msgspec.json.Encoder().encode


class PositionView:
    """A position as players see it. Everything is computed lazily, and once if several seats see
    the same.
    """

    __slots__ = ("_event", "_json", "_lesson", "_open", "_status", "position", "secret", "standing")

    def __init__(
        self,
        position: Position,
        secret: bool,
        lesson: Lesson | None = None,
        event: int = 0,
        status: GameStatus = GameStatus(),  # noqa: B008  immutable
        standing: Standing | None = None,
    ) -> None:
        self.position, self._status = position, status
        self._lesson, self._event = lesson, event  # number of the next event
        self.secret = secret  # whether it holds secrets
        self.standing = standing or standing_of(position, status)
        self._open: msgspec.Struct | None = None  # the position, if public
        self._json: msgspec.Raw | None = None  # likewise

    def view(self, seat: int, can_take_back: bool) -> View:
        """The view of a seat or spectator (-1)."""
        seen, now = self._seen_by(seat), self.standing
        codes = seen.move_codes(seat, MOST_MOVES + 1) if seat in now.actors else []
        more = len(codes) > MOST_MOVES
        text = seen.game.notation.move_text
        prompt = seen.game.messages.prompt(seen.state, seat, codes) if codes else None
        return View(
            position=self._position(seat, seen),  # type: ignore[arg-type]
            actors=list(now.actors),
            moves=[text(seen.state, code) for code in (codes[:A_FEW] if more else codes)],
            scores=list(now.scores),
            winners=list(now.winners),
            over=now.over,
            scene=seen.game.board_info.scene(seen, seat),
            secret=self.secret,
            more=more,
            can_take_back=can_take_back and not now.over,
            ended=self._status.ended,
            lost=sorted(self._status.lost),
            asked=prompt.to_json() if prompt else None,
            lesson=lesson_now(self._lesson, self._event)
            if self._lesson and seat == self._lesson.seat
            else None,
        )

    def in_passing(self) -> msgspec.Struct | None:
        """Public parts of the board info, for events followed by others at once."""
        return None if self.secret else self.position.game.board_info.in_passing(self.position)

    def changed(self, end: "PositionView", seat: int) -> dict[str, Any]:
        """The fields a seat or spectator sees differently in the final view."""
        now, then = self._layout(seat), end._layout(seat)
        fields = [(name, getattr(now, name), getattr(then, name)) for name in now.__struct_fields__]
        return {name: value for name, value, later in fields if value != later}

    def _position(self, seat: int, seen: Position) -> msgspec.Raw:
        data = self._json or msgspec.Raw(seen.json_bytes(self._layout(seat, seen)))
        if not self.secret:
            self._json = data
        return data

    def _layout(self, seat: int, seen: Position | None = None) -> msgspec.Struct:
        """The position in the game's notation for a seat or spectator, from `seen` if given."""
        if self.secret:
            position = seen or self._seen_by(seat)
            return position.game.notation.position(position.state)
        if self._open is None:
            self._open = self.position.game.notation.position(self.position.state)
        return self._open

    def _seen_by(self, seat: int) -> Position:
        return self.position.seen_by(seat) if self.secret else self.position


def standing_of(position: Position, status: GameStatus) -> Standing:
    """Whether the game is over, who is to move, scores and winners."""
    over = position.over or bool(status.ended)
    return Standing(
        over,
        () if over else position.actors,
        position.scores,
        status.winners(position) if over else (),
    )


def lesson_now(lesson: Lesson, event: int) -> LessonNow:
    """What the learner reads before an event."""
    steps = lesson.steps_before(event)
    pages = [
        LessonPage(
            lesson.text(step.name).to_json(),
            list(step.at),
            list(step.see),
            step.moves[0] if step.moves else "",
        )
        for step in lesson.steps[steps.start : steps.stop]
    ]
    return LessonNow(lesson.steps_taken(event), len(lesson.steps), pages, lesson.is_over(event))
