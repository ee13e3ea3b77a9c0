"""State of one game: the position and what must be known about the events that led to it.

Knows no sockets and no database. A move yields its events: the move itself, and the dice and cards
due after it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from souk.core.facts import Chose, Fact, FactListener
from souk.core.lessons import Lesson
from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.revealed_choices import RevealedChoices
from souk.server.dice.fair_dice import FairDice
from souk.server.protocol.table import NOBODY
from souk.server.storage.rows import EventRow, Standing
from souk.server.tables.game.game_events import GameEvent
from souk.server.tables.game.views import PositionView, encode, standing_of
from souk.server.tables.timing import game_status as game_status
from souk.server.tables.timing.game_status import GameStatus

MOST_EVENTS = 10_000  # per game
# Take-backs per game. Without a limit one move and its take-back could fill the disk.
MOST_TAKEN_BACK = 300


class UndoableMove(NamedTuple):
    """A move that can still be taken back."""

    seat: int
    text: str
    before: bytes
    secret: bool


class GameState:
    """A game from its start to now. Lessons script the chance events and the other players' moves.

    Positions are never modified, only replaced, so that views can be computed later.
    """

    __slots__ = (
        *(
            "bots",
            "dice",
            "status",
            "no_take_backs",
            "hidden",
            "lesson",
            "undoable",
            "revealed",
            "last_by_seat",
        ),
        *("_now", "position", "secret", "seq", "last_public", "taken_back"),
    )

    def __init__(
        self,
        start: Position,
        seed: bytes,
        bots: frozenset[int] = frozenset(),
        lesson: Lesson | None = None,
        no_take_backs: bool = False,
    ) -> None:
        self.position, self.lesson = start, lesson
        self.no_take_backs = no_take_backs  # no move is ever taken back
        self.bots = bots  # seats whose moves are undone together with the move before
        self.dice = FairDice(seed)
        self.seq = -1  # number of the last event
        self.last_public = -1  # the last event that was no secret choice: choosers must know it
        self.secret = False  # whether unrevealed choices exist
        self.last_by_seat: dict[int, int] = {}  # by seat: its last event
        # moves since the last die, card or revealed choice
        self.undoable: list[UndoableMove] = []
        self.taken_back = 0  # number of moves taken back
        self.hidden = 0  # number of last moves that are unrevealed choices
        self.revealed = RevealedChoices.nothing(start.players)  # choices everybody has seen
        self.status = GameStatus()
        self._now: Standing | None = None  # cached

    def copy(self) -> "GameState":
        """A copy, to try a move on before it is stored."""
        other = GameState.__new__(GameState)
        other.position, other.bots, other.lesson, other.no_take_backs = (
            self.position,
            self.bots,
            self.lesson,
            self.no_take_backs,
        )
        other.dice = FairDice(self.dice.seed, self.dice.drawn)
        other.seq, other.last_public, other.secret, other.hidden = (
            self.seq,
            self.last_public,
            self.secret,
            self.hidden,
        )
        other.last_by_seat, other.undoable, other.taken_back = (
            dict(self.last_by_seat),
            list(self.undoable),
            self.taken_back,
        )
        other.revealed, other.status, other._now = self.revealed.copy(), self.status, self._now
        return other

    def drop_cache(self) -> None:
        """Drop cached data of the position, keeping its bytes: most tables wait longer than they
        play.
        """
        self.position = self.position.copy()

    # ------------------------------------------------------------ queries

    def can_take_back(self) -> int:
        """The seat that can take its last move back, or -1. Only bots may have moved since."""
        if self.lesson or self.no_take_backs:
            return NOBODY
        return next(
            (move.seat for move in reversed(self.undoable) if move.seat not in self.bots), NOBODY
        )

    def is_stale(self, seat: int, after: int) -> bool:
        """Whether the seat missed an event after number `after`. Other players' secret choices do
        not count.
        """
        if after == self.seq:
            return False
        return not (
            self.last_public <= after < self.seq and self.last_by_seat.get(seat, -1) <= after
        )

    @property
    def over(self) -> bool:
        """Whether the game is over, by its rules or ended early."""
        return self._standing.over

    @property
    def actors(self) -> Sequence[int]:
        """Seats that may move now."""
        return self._standing.actors

    @property
    def _standing(self) -> Standing:
        """Cached until the next event."""
        if self._now is None:
            self._now = standing_of(self.position, self.status)
        return self._now

    @property
    def is_full(self) -> bool:
        """Whether the event limit is reached."""
        return self.seq + 1 >= MOST_EVENTS

    def position_view(self) -> PositionView:
        return self._position_view(self.secret)

    def _position_view(self, secret: bool) -> PositionView:
        return PositionView(
            self.position, secret, self.lesson, self.seq + 1, self.status, self._standing
        )

    def standing(self) -> Standing:
        """The standing to store; a completed lesson counts as over."""
        return self._standing._replace(over=True, actors=()) if self.lesson_over else self._standing

    @property
    def lesson_over(self) -> bool:
        return self.lesson is not None and self.lesson.is_over(self.seq + 1)

    def scripted_move(self, seat: int) -> str:
        """The scripted move of a seat in a lesson, or ""."""
        return self.lesson.scripted_move(self.seq + 1, seat) if self.lesson else ""

    # ------------------------------------------------------------ changes

    def begin(self) -> list[GameEvent]:
        """Draw the dice and cards due before the first move."""
        return self._chances()

    def play(self, seat: int, move: str) -> list[GameEvent]:
        """Play a move and draw what is due after it. Nothing changes on IllegalMove."""
        if self.lesson and seat == self.lesson.seat:
            self.lesson.check_move(self.seq + 1, seat, self.position.canonical_move(seat, move))
        return [self._move(seat, move), *self._chances()]

    def apply_status_event(self, text: str) -> GameEvent:
        """Apply a status event (`souk.server.tables.timing.game_status`)."""
        self._apply_status(text)
        return self._event(game_status.KIND, None, text, [], False)

    def _apply_status(self, text: str) -> None:
        """Status events make nobody's view stale."""
        self.status, self._now = self.status.after(text), None
        self.seq += 1

    def take_back(self, seat: int) -> list[GameEvent]:
        """Undo the seat's last move, after undoing bots' moves since."""
        events: list[GameEvent] = []
        while self.undoable[-1].seat != seat:
            events.append(self._take_one_back(self.undoable[-1].seat))
        return [*events, self._take_one_back(seat)]

    def _take_one_back(self, seat: int) -> GameEvent:
        last = self.undoable.pop()
        assert last.seat == seat
        self.taken_back += 1
        self.go_to(last.before, self.dice.drawn)
        self.hidden -= last.secret
        self.secret = self.hidden > 0
        if last.secret:
            self.revealed.undo()
        self._advance(seat, last.secret)
        return self._event("back", seat, last.text, [], last.secret)

    def go_to(self, position: bytes, drawn: int) -> None:
        """Go to an earlier position of this game. `drawn`: dice and cards drawn before it."""
        game = self.position.game
        self.position, self._now = Position(game, self.position.options, game.read(position)), None
        self.dice.drawn = drawn

    def replay(self, rows: Iterable[EventRow]) -> None:
        """Replay stored events without rendering them."""
        for row in rows:
            if row.kind == "back":
                assert row.seat is not None
                self._take_one_back(row.seat)
            elif row.kind == game_status.KIND:
                self._apply_status(row.text)
            elif row.seat is None:
                self._apply_outcome(row.text, None)
            else:
                self._apply_move(row.seat, row.text, None)

    def replayed_events(self, rows: Iterable[EventRow]) -> Iterator[GameEvent]:
        """Replay stored events, yielding each as viewers see it."""
        for row in rows:
            if row.kind == "back":
                assert row.seat is not None
                yield self._take_one_back(row.seat)
            elif row.kind == game_status.KIND:
                yield self.apply_status_event(row.text)
            elif row.seat is None:
                facts: list[Fact] = []
                self._apply_outcome(row.text, facts.append)
                yield self._event("chance", None, row.text, facts, False)
            else:
                yield self._move(row.seat, row.text)

    # ------------------------------------------------------------ single events

    def _move(self, seat: int, move: str) -> GameEvent:
        facts: list[Fact] = []
        text = self._apply_move(seat, move, facts.append)
        if self.secret:
            facts = [Chose(seat)]  # all the game may tell about a secret choice
        return self._event("move", seat, text, facts, self.secret)

    def _apply_move(self, seat: int, move: str, tell: FactListener | None) -> str:
        before, after = self.position, self.position.copy()
        text = after.play(seat, move, tell)
        self.position, self._now = after, None
        revealed = self.secret
        self.secret = self.position.has_secrets
        self.hidden = self.hidden + 1 if self.secret else 0
        self.revealed.add(seat, text, self.secret)
        if (revealed and not self.secret) or after.over:
            self.undoable = []  # choices are public now, or the seed is: nothing can be taken back
        else:
            self.undoable.append(UndoableMove(seat, text, before.packed, self.secret))
        self._advance(seat, self.secret)
        return text

    def _chances(self) -> list[GameEvent]:
        """Draw everything due, one after the other."""
        events: list[GameEvent] = []
        while not self.actors and not self.over and not self.lesson_over:
            facts: list[Fact] = []
            text = self._draw(facts.append)
            self._after_chance()
            events.append(self._event("chance", None, text, facts, False))
        return events

    def _draw(self, tell: FactListener) -> str:
        after = self.position.copy()
        if self.lesson:
            text = after.resolve(self.lesson.events[self.seq + 1].text, tell)
        else:
            text = after.draw(self.dice, tell)
        self.position, self._now = after, None
        return text

    def _apply_outcome(self, outcome: str, tell: FactListener | None) -> None:
        """Apply a known chance outcome."""
        after = self.position.copy()
        after.resolve(outcome, tell)
        self.position, self._now = after, None
        self.dice.drawn += 1
        self._after_chance()

    def _after_chance(self) -> None:
        """After a chance event nothing before it can be taken back."""
        self.undoable = []
        self._advance(None, False)

    def _advance(self, seat: int | None, secret: bool) -> None:
        self.seq += 1
        if not secret:
            self.last_public = self.seq
        if seat is not None:
            self.last_by_seat[seat] = self.seq

    def _event(
        self, kind: str, seat: int | None, text: str, facts: list[Fact], secret: bool
    ) -> GameEvent:
        words = encode([message.to_json() for message in self._messages(kind, seat, text, facts)])
        position_view = self._position_view(self.secret or secret)
        return GameEvent(
            self.seq, kind, seat, text, words, facts, position_view, self.can_take_back()
        )

    def _messages(self, kind: str, seat: int | None, text: str, facts: list[Fact]) -> list[Message]:
        if kind == game_status.KIND:
            return [game_status.status_message(text)]
        return (
            self._take_back_messages(seat or 0)
            if kind == "back"
            else list(self.position.game.describe(facts))
        )

    def _take_back_messages(self, seat: int) -> list[Message]:
        """Bots do not take moves back themselves."""
        return [] if seat in self.bots else [Message("table.takes_back", who=Seat(seat))]
