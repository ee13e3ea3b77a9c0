"""A guided first game: a real game whose dice and other players are written down, told step by step to whoever learns it.

It lies in the game's room, in `texts/lesson.toml`; what is said is in the language files beside it, in their table `lesson`. docs/new-game.md
shows how one is written. Reading a lesson plays it from beginning to end, so that one that could not be played is refused, with the step that is wrong.
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
from souk.core.message import Message, texts

if TYPE_CHECKING:
    from souk.core.game import Game
    from souk.core.position import Position

FEWEST, MOST = 8, 14  # steps that can be taken in without a pause
_ANY_OTHER = "*"
_MARK = re.compile(r"[a-z-]+ [^+]+( \+ [a-z-]+ [^+]+)*")  # by which a page finds what a step is about


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something said to whoever learns, and the move that is waited for. What is said is the text `lesson.NAME` of the game."""

    name: str
    at: tuple[
        str, ...
    ]  # what it is about, such as "move left" or "field d5 + field e5"; the first that is there counts
    see: tuple[str, ...] = ()  # what must stay in sight besides
    moves: tuple[str, ...] = ()  # those that are right; none where it is read and passed on
    wrong: dict[str, str] = {}  # by move, or a pattern of several: the text that explains why it is not right
    then: tuple[str, ...] = ()  # what follows, as in a record: "chance 3", "seat 1 left"


class _LessonFile(msgspec.Struct, forbid_unknown_fields=True):
    """A lesson as it is written down."""

    players: int
    names: tuple[str, ...]  # of the others, in the order of their seats
    step: tuple[LessonStep, ...]
    seat: int = 0  # whoever learns
    options: dict[str, Any] = {}
    before: tuple[str, ...] = ()  # what happens before the first step


class LessonEvent(NamedTuple):
    """What comes next in a lesson: a move, or what a die or card shows. `moves`: where whoever learns is to make one, all that are right."""

    seat: int | None
    text: str
    moves: tuple[str, ...] = ()


class NotInLesson(IllegalMove):
    """A move that the rules allow and the lesson does not, as it would lead away from what it shows."""


class Lesson:
    """A game's lesson. Its events are numbered from 0, as those of a table are."""

    def __init__(self, game: "Game", path: Path) -> None:
        self.game, self._path = game, path
        raw = path.read_bytes()
        self.digest = hashlib.sha256(raw).hexdigest()[:16]  # a game that was begun by another cannot go on by this one
        found = self._read(raw)
        self.players, self.options, self.seat = found.players, found.options, found.seat
        self.names, self.steps = found.names, found.step
        self.events: list[LessonEvent] = [self._event(line, "before") for line in found.before]
        self._said: dict[int, range] = {}  # by event: the steps that come before it
        self._lay_out()
        self._check()

    # ------------------------------------------------------------ what is so

    def start(self) -> "Position":
        """The game before its first event."""
        return self.game.start(self.players, **self.options)

    def is_over(self, event: int) -> bool:
        """Whether there is no event of this number any more."""
        return event >= len(self.events)

    def said_before(self, event: int) -> range:
        """The steps that lead up to an event: none where somebody else is to move, or a die to fall."""
        return self._said.get(event, range(0))

    def passed(self, event: int) -> int:
        """How many steps have been taken before an event."""
        return max((steps.stop for at, steps in self._said.items() if at < event), default=0)

    def text(self, name: str) -> Message:
        return Message(self._key(name))

    def check_move(self, event: int, seat: int, move: str) -> None:
        """NotInLesson where this legal move is not what comes next, with what there is to say about it."""
        due = None if self.is_over(event) else self.events[event]
        if due is None or due.seat != seat:
            raise NotInLesson(Message("reason.core.lesson_waits"))
        if move not in due.moves:
            raise NotInLesson(self.text(self._why_not(self.steps[self._said[event][-1]], move)))

    def written(self, event: int, seat: int) -> str:
        """The move that another seat is to make now, or ""."""
        due = None if self.is_over(event) else self.events[event]
        return due.text if due and due.seat == seat != self.seat else ""

    def _why_not(self, step: LessonStep, move: str) -> str:
        return next(name for pattern, name in step.wrong.items() if fnmatchcase(move, pattern))

    def _key(self, name: str) -> str:
        return f"{self.game.name}.lesson.{name}"

    # ------------------------------------------------------------ reading it

    def _read(self, raw: bytes) -> _LessonFile:
        try:
            return msgspec.convert(tomllib.loads(raw.decode()), _LessonFile)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
            raise self._wrong("", str(error)) from None

    def _lay_out(self) -> None:
        """Put the events one after the other, with the steps that lead up to each."""
        first = 0
        for number, step in enumerate(self.steps):
            if step.moves:
                self._said[len(self.events)] = range(first, number + 1)
                self.events.append(LessonEvent(self.seat, step.moves[0], step.moves))
                first = number + 1
            self.events += [self._event(line, step.name) for line in step.then]
        if first < len(self.steps):
            self._said[len(self.events)] = range(first, len(self.steps))

    def _event(self, line: str, step: str) -> LessonEvent:
        kind, _, rest = line.partition(" ")
        if kind == "chance" and rest:
            return LessonEvent(None, rest)
        seat, _, move = rest.partition(" ")
        if kind == "seat" and seat.isdecimal() and int(seat) != self.seat and move:
            return LessonEvent(int(seat), move)
        raise self._wrong(step, f'"{line}": must be "chance OUTCOME" or "seat NUMBER MOVE" of another seat')

    def _wrong(self, step: str, problem: str) -> ValueError:
        where = f", step {step}" if step else ""
        return ValueError(f"{self._path.name} of {self.game.name}{where}: {problem}")

    # ------------------------------------------------------------ checking it

    def _check(self) -> None:
        if not FEWEST <= len(self.steps) <= MOST:
            raise self._wrong("", f"has {len(self.steps)} steps, and should have {FEWEST} to {MOST}")
        if len(self.names) != self.players - 1 or not 0 <= self.seat < self.players:
            raise self._wrong("", "names: must be those of all other seats")
        try:
            self.start()
        except ValueError as error:
            raise self._wrong("", str(error)) from None
        for step in self.steps:
            for problem in self._faults(step):
                raise self._wrong(step.name, problem)
        for events in self._ways():
            self._play(events)

    def _faults(self, step: LessonStep) -> Iterator[str]:
        """What is wrong with a step by itself."""
        for mark in (*step.at, *step.see):
            if not _MARK.fullmatch(mark):
                yield f'at: "{mark}" must be a kind and a name, such as "move left", or several with " + " between them'
        if not step.at:
            yield "at: must name what it is about"
        if step.moves and _ANY_OTHER not in step.wrong:
            yield f'wrong: must explain any other move ("{_ANY_OTHER}")'
        if step.then and not step.moves:
            yield "then: nothing follows where no move is made"
        for name in (step.name, *step.wrong.values()):
            if self._key(name) not in texts("en"):
                yield f"there is no text {self._key(name)}"

    def _ways(self) -> Iterator[list[LessonEvent]]:
        """All ways through the lesson that differ from the usual one in one move."""
        yield self.events
        for number, event in enumerate(self.events):
            for move in event.moves[1:]:
                yield [*self.events[:number], event._replace(text=move), *self.events[number + 1 :]]

    def _play(self, events: Sequence[LessonEvent]) -> None:
        """Play it; ValueError names the step after which it cannot go on."""
        position = self.start()
        for number, event in enumerate(events):
            try:
                found = position.resolve(event.text) if event.seat is None else position.play(event.seat, event.text)
            except IllegalMove as error:
                step = self.steps[max(self.passed(number + 1) - 1, 0)].name
                raise self._wrong(step, f'"{event.text}" (event {number}): {error}') from None
            if found != event.text:
                raise self._wrong("", f'"{event.text}" (event {number}): is written "{found}"')
