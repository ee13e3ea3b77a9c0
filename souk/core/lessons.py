"""Lessons: scripted first games that teach a game step by step.

A lesson is `texts/lesson.toml` in the game package; its texts are in the table `lesson` of the
language files next to it. docs/program/new-game.md shows how to write one. Loading a lesson plays
it through, and an unplayable one is rejected with the step that is wrong.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from souk.core.errors import IllegalMove
from souk.core.messages import Message, texts

if TYPE_CHECKING:
    from souk.core.game import Game
    from souk.core.position import Position

MIN_STEPS, MAX_STEPS = 8, 14
_ANY_OTHER = "*"
# Names elements of the page, for highlighting.
_MARK = re.compile(r"[a-z-]+ [^+]+( \+ [a-z-]+ [^+]+)*")


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step: the game's text `lesson.NAME`, and the move the learner is to make, if any."""

    name: str
    # What the step is about: "move left", "field d5 + field e5"; the first one present counts.
    at: tuple[str, ...]
    # What else must stay visible.
    see: tuple[str, ...] = ()
    # The right moves; empty for a step that is only read.
    moves: tuple[str, ...] = ()
    # By wrong move or pattern of moves: the text that explains it.
    wrong: dict[str, str] = {}
    # The events that follow, as in a record: "chance 3", "seat 1 left".
    then: tuple[str, ...] = ()


class _LessonFile(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of `lesson.toml`."""

    players: int
    # Names of the other players, by seat.
    names: tuple[str, ...]
    step: tuple[LessonStep, ...]
    # The learner's seat.
    seat: int = 0
    options: dict[str, Any] = {}
    # Events before the first step.
    before: tuple[str, ...] = ()


class LessonEvent(NamedTuple):
    """An event of a lesson. For a move of the learner, `moves` lists all right ones."""

    seat: int | None
    text: str
    moves: tuple[str, ...] = ()


class NotInLesson(IllegalMove):
    """A legal move that the lesson does not allow."""


class Lesson:
    """A game's lesson. Events are numbered from 0, as at a table."""

    def __init__(self, game: "Game", path: Path) -> None:
        self.game, self._path = game, path
        raw = path.read_bytes()
        # A game begun with another version of the lesson cannot continue with this one.
        self.digest = hashlib.sha256(raw).hexdigest()[:16]
        lesson = self._read(raw)
        self.players, self.options, self.seat = lesson.players, lesson.options, lesson.seat
        self.names, self.steps = lesson.names, lesson.step
        self.events: list[LessonEvent] = [self._event(line, "before") for line in lesson.before]
        self._steps_before: dict[int, range] = {}  # by event
        self._schedule()
        self._check()

    # ------------------------------------------------------------ progress

    def start(self) -> "Position":
        """The start position."""
        return self.game.start(self.players, **self.options)

    def is_over(self, event: int) -> bool:
        """Whether the lesson ends before this event."""
        return event >= len(self.events)

    def steps_before(self, event: int) -> range:
        """The steps shown before an event; empty unless the learner is to act."""
        return self._steps_before.get(event, range(0))

    def steps_taken(self, event: int) -> int:
        """The number of steps completed before an event."""
        done = (steps.stop for number, steps in self._steps_before.items() if number < event)
        return max(done, default=0)

    def text(self, name: str) -> Message:
        return Message(self._key(name))

    def check_move(self, event: int, seat: int, move: str) -> None:
        """Raise NotInLesson, with an explanation, unless this legal move comes next."""
        due = None if self.is_over(event) else self.events[event]
        if due is None or due.seat != seat:
            raise NotInLesson(Message("reason.core.lesson_waits"))
        if move not in due.moves:
            raise NotInLesson(
                self.text(self._why_not(self.steps[self._steps_before[event][-1]], move))
            )

    def scripted_move(self, event: int, seat: int) -> str:
        """The move scripted for another seat at this event, or ""."""
        due = None if self.is_over(event) else self.events[event]
        return due.text if due and due.seat == seat != self.seat else ""

    def _why_not(self, step: LessonStep, move: str) -> str:
        return next(name for pattern, name in step.wrong.items() if fnmatchcase(move, pattern))

    def _key(self, name: str) -> str:
        return f"{self.game.name}.lesson.{name}"

    # ------------------------------------------------------------ reading

    def _read(self, raw: bytes) -> _LessonFile:
        try:
            return msgspec.convert(tomllib.loads(raw.decode()), _LessonFile)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
            raise self._wrong("", str(error)) from None

    def _schedule(self) -> None:
        """Append all events, and note the steps before each."""
        first = 0
        for number, step in enumerate(self.steps):
            if step.moves:
                self._steps_before[len(self.events)] = range(first, number + 1)
                self.events.append(LessonEvent(self.seat, step.moves[0], step.moves))
                first = number + 1
            self.events += [self._event(line, step.name) for line in step.then]
        if first < len(self.steps):
            self._steps_before[len(self.events)] = range(first, len(self.steps))

    def _event(self, line: str, step: str) -> LessonEvent:
        kind, _, rest = line.partition(" ")
        if kind == "chance" and rest:
            return LessonEvent(None, rest)
        seat, _, move = rest.partition(" ")
        if kind == "seat" and seat.isdecimal() and int(seat) != self.seat and move:
            return LessonEvent(int(seat), move)
        raise self._wrong(
            step, f'"{line}": must be "chance OUTCOME" or "seat NUMBER MOVE" of another seat'
        )

    def _wrong(self, step: str, problem: str) -> ValueError:
        where = f", step {step}" if step else ""
        return ValueError(f"{self._path.name} of {self.game.name}{where}: {problem}")

    # ------------------------------------------------------------ checking

    def _check(self) -> None:
        if not MIN_STEPS <= len(self.steps) <= MAX_STEPS:
            raise self._wrong(
                "", f"has {len(self.steps)} steps, and should have {MIN_STEPS} to {MAX_STEPS}"
            )
        if len(self.names) != self.players - 1 or not 0 <= self.seat < self.players:
            raise self._wrong("", "names: must be those of all other seats")
        try:
            self.start()
        except ValueError as error:
            raise self._wrong("", str(error)) from None
        for step in self.steps:
            for problem in self._problems(step):
                raise self._wrong(step.name, problem)
        for events in self._variations():
            self._play(events)

    def _problems(self, step: LessonStep) -> Iterator[str]:
        """Problems of a single step."""
        for mark in (*step.at, *step.see):
            if not _MARK.fullmatch(mark):
                yield (
                    f'at: "{mark}" must be a kind and a name, such as "move left", '
                    'or several with " + " between them'
                )
        if not step.at:
            yield "at: must name what it is about"
        if step.moves and _ANY_OTHER not in step.wrong:
            yield f'wrong: must explain any other move ("{_ANY_OTHER}")'
        if step.then and not step.moves:
            yield "then: nothing follows where no move is made"
        for name in (step.name, *step.wrong.values()):
            if self._key(name) not in texts("en"):
                yield f"there is no text {self._key(name)}"

    def _variations(self) -> Iterator[list[LessonEvent]]:
        """The main line, and every line that differs from it in one right move."""
        yield self.events
        for number, event in enumerate(self.events):
            for move in event.moves[1:]:
                yield [*self.events[:number], event._replace(text=move), *self.events[number + 1 :]]

    def _play(self, events: Sequence[LessonEvent]) -> None:
        """Play a line; the ValueError for an impossible event names the step before it."""
        position = self.start()
        for number, event in enumerate(events):
            try:
                text = (
                    position.resolve(event.text)
                    if event.seat is None
                    else position.play(event.seat, event.text)
                )
            except IllegalMove as error:
                step = self.steps[max(self.steps_taken(number + 1) - 1, 0)].name
                raise self._wrong(step, f'"{event.text}" (event {number}): {error}') from None
            if text != event.text:
                raise self._wrong("", f'"{event.text}" (event {number}): is written "{text}"')
