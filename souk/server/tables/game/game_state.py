"""The course of one game: the position, and what is to be known of the events that led to it.

It knows no sockets and no database. A move gives the events that follow from it: itself, and the dice and cards that are due then.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from souk.core.facts import Chose, Fact, Tell
from souk.core.lessons import Lesson
from souk.core.message import Message, Seat
from souk.core.noticed import Noticed
from souk.core.position import Position
from souk.table import fates
from souk.table.fairness import FairDice
from souk.table.fates import Fate
from souk.table.happenings import Happening
from souk.table.protocol import NOBODY
from souk.table.store import EventRow, Standing
from souk.table.views import Looks, encode, standing_of

MOST_EVENTS = 10_000  # of one game
MOST_TAKEN_BACK = 300  # moves of one game: without a bound two could fill the disk with one move and its taking back


class Made(NamedTuple):
    """A move that can be taken back."""

    seat: int
    text: str
    before: bytes
    secret: bool


class Course:
    """A game from its start to now. In a lesson all that comes up, and what the others play, is written down.

    A position that it has been at is never changed: whatever happens leads to another one. So those who look on may look at it later."""

    __slots__ = (
        *("bots", "dice", "fate", "final", "hidden", "lesson", "made", "noticed", "own"),
        *("_now", "position", "secret", "seq", "settled", "taken_back"),
    )

    def __init__(
        self,
        start: Position,
        seed: bytes,
        bots: frozenset[int] = frozenset(),
        lesson: Lesson | None = None,
        final: bool = False,
    ) -> None:
        self.position, self.lesson = start, lesson
        self.final = final  # whether no move is ever taken back
        self.bots = bots  # seats whose moves are taken back together with the one before them
        self.dice = FairDice(seed)
        self.seq = -1  # of the last event
        self.settled = -1  # the last event that was no secret choice: whoever is to choose must know it
        self.secret = False  # whether choices have been made that are not revealed
        self.own: dict[int, int] = {}  # by seat: its last event
        self.made: list[Made] = []  # all moves since a die, a card or a choice was last revealed
        self.taken_back = 0  # how many moves have been
        self.hidden = 0  # how many of the last moves are choices that are not revealed
        self.noticed = Noticed.nothing(start.players)  # what everybody has seen the seats choose
        self.fate = Fate()  # what has happened to it besides its moves
        self._now: Standing | None = None  # how it stands, where that is known

    def copy(self) -> "Course":
        """Another of the same: to see what would come of a move before it has happened."""
        other = Course.__new__(Course)
        other.position, other.bots, other.lesson, other.final = self.position, self.bots, self.lesson, self.final
        other.dice = FairDice(self.dice.seed, self.dice.drawn)
        other.seq, other.settled, other.secret, other.hidden = self.seq, self.settled, self.secret, self.hidden
        other.own, other.made, other.taken_back = dict(self.own), list(self.made), self.taken_back
        other.noticed, other.fate, other._now = self.noticed.copy(), self.fate, self._now
        return other

    def rest(self) -> None:
        """Keep of the position its bytes, and not what was read of them: most tables wait longer than they play."""
        self.position = self.position.copy()

    # ------------------------------------------------------------ what is so

    def can_take_back(self) -> int:
        """The seat that can take its last move back, or -1: nothing may have followed it, but for what bots did about it. In a lesson nobody can, nor
        where every move is final."""
        if self.lesson or self.final:
            return NOBODY
        return next((made.seat for made in reversed(self.made) if made.seat not in self.bots), NOBODY)

    def is_stale(self, seat: int, after: int) -> bool:
        """Whether something has happened since the event `after` that a seat should know before it moves. Secret choices of
        others are no such thing."""
        if after == self.seq:
            return False
        return not (self.settled <= after < self.seq and self.own.get(seat, -1) <= after)

    @property
    def over(self) -> bool:
        """Whether the game is, by its rules or before."""
        return self._standing.over

    @property
    def actors(self) -> Sequence[int]:
        """The seats that may move now; none where the game was ended."""
        return self._standing.actors

    @property
    def _standing(self) -> Standing:
        """Worked out once after each event."""
        if self._now is None:
            self._now = standing_of(self.position, self.fate)
        return self._now

    @property
    def is_full(self) -> bool:
        """Whether nothing more can be kept of this game."""
        return self.seq + 1 >= MOST_EVENTS

    def looks(self) -> Looks:
        return self._looks(self.secret)

    def _looks(self, secret: bool) -> Looks:
        return Looks(self.position, secret, self.lesson, self.seq + 1, self.fate, self._standing)

    def standing(self) -> Standing:
        """A lesson that has been gone through is over, though the game is not."""
        return self._standing._replace(over=True, actors=()) if self.lesson_over else self._standing

    @property
    def lesson_over(self) -> bool:
        return self.lesson is not None and self.lesson.is_over(self.seq + 1)

    def written(self, seat: int) -> str:
        """The move that a lesson has for a seat now, or ""."""
        return self.lesson.written(self.seq + 1, seat) if self.lesson else ""

    # ------------------------------------------------------------ what happens

    def begin(self) -> list[Happening]:
        """The dice and cards that are due before anybody can move."""
        return self._chances()

    def play(self, seat: int, move: str) -> list[Happening]:
        """A move, and the dice and cards after it. IllegalMove changes nothing."""
        if self.lesson and seat == self.lesson.seat:
            self.lesson.check_move(self.seq + 1, seat, self.position.canonical_move(seat, move))
        return [self._move(seat, move), *self._chances()]

    def befall(self, text: str) -> Happening:
        """Something happens to the game that is no move of it: see `souk.table.fates`."""
        self._befell(text)
        return self._happening(fates.KIND, None, text, [], False)

    def _befell(self, text: str) -> None:
        """Nobody has to know it before they move."""
        self.fate, self._now = self.fate.after(text), None
        self.seq += 1

    def take_back(self, seat: int) -> list[Happening]:
        """This seat's last move, which can be taken back, is: after those that bots made since."""
        found: list[Happening] = []
        while self.made[-1].seat != seat:
            found.append(self._take_one_back(self.made[-1].seat))
        return [*found, self._take_one_back(seat)]

    def _take_one_back(self, seat: int) -> Happening:
        last = self.made.pop()
        assert last.seat == seat
        self.taken_back += 1
        self.put_at(last.before, self.dice.drawn)
        self.hidden -= last.secret
        self.secret = self.hidden > 0
        if last.secret:
            self.noticed.took_back()
        self._count(seat, last.secret)
        return self._happening("back", seat, last.text, [], last.secret)

    def put_at(self, position: bytes, drawn: int) -> None:
        """Go to a position of this game, with so many dice and cards drawn before it."""
        game = self.position.game
        self.position, self._now = Position(game, self.position.options, game.read(position)), None
        self.dice.drawn = drawn

    def replay(self, rows: Iterable[EventRow]) -> None:
        """Go through events that were kept."""
        for row in rows:
            if row.kind == "back":
                assert row.seat is not None
                self._take_one_back(row.seat)
            elif row.kind == fates.KIND:
                self._befell(row.text)
            elif row.seat is None:
                self._shows(row.text, None)
            else:
                self._made_move(row.seat, row.text, None)

    def retell(self, rows: Iterable[EventRow]) -> Iterator[EventRow]:
        """Go through events that were kept, and put each into words again: those of an earlier version may be others."""
        return (happening.row() for happening in self.happenings(rows))

    def happenings(self, rows: Iterable[EventRow]) -> Iterator[Happening]:
        """Go through events that were kept, with all that those at the table saw of each."""
        for row in rows:
            if row.kind == "back":
                assert row.seat is not None
                yield self._take_one_back(row.seat)
            elif row.kind == fates.KIND:
                yield self.befall(row.text)
            elif row.seat is None:
                facts: list[Fact] = []
                self._shows(row.text, facts.append)
                yield self._happening("chance", None, row.text, facts, False)
            else:
                yield self._move(row.seat, row.text)

    # ------------------------------------------------------------ one event

    def _move(self, seat: int, move: str) -> Happening:
        facts: list[Fact] = []
        text = self._made_move(seat, move, facts.append)
        if self.secret:
            facts = [Chose(seat)]  # whatever else the game may have to tell of it
        return self._happening("move", seat, text, facts, self.secret)

    def _made_move(self, seat: int, move: str, tell: Tell | None) -> str:
        before, after = self.position, self.position.copy()
        text = after.play(seat, move, tell)
        self.position, self._now = after, None
        revealed = self.secret
        self.secret = self.position.has_secrets
        self.hidden = self.hidden + 1 if self.secret else 0
        self.noticed.moved(seat, text, self.secret)
        if (revealed and not self.secret) or after.over:
            self.made = []  # who has seen the others' choices cannot choose again; and the seed is known once it is over
        else:
            self.made.append(Made(seat, text, before.packed, self.secret))
        self._count(seat, self.secret)
        return text

    def _chances(self) -> list[Happening]:
        """All that is due now, drawn one after the other."""
        found: list[Happening] = []
        while not self.actors and not self.over and not self.lesson_over:
            facts: list[Fact] = []
            text = self._draw(facts.append)
            self._came_up()
            found.append(self._happening("chance", None, text, facts, False))
        return found

    def _draw(self, tell: Tell) -> str:
        after = self.position.copy()
        if self.lesson:
            text = after.resolve(self.lesson.events[self.seq + 1].text, tell)
        else:
            text = after.draw(self.dice, tell)
        self.position, self._now = after, None
        return text

    def _shows(self, outcome: str, tell: Tell | None) -> None:
        """A die or card shows what is known to have come up."""
        after = self.position.copy()
        after.resolve(outcome, tell)
        self.position, self._now = after, None
        self.dice.drawn += 1
        self._came_up()

    def _came_up(self) -> None:
        """A die or card has come up: nothing before it can be taken back."""
        self.made = []
        self._count(None, False)

    def _count(self, seat: int | None, secret: bool) -> None:
        self.seq += 1
        if not secret:
            self.settled = self.seq
        if seat is not None:
            self.own[seat] = self.seq

    def _happening(self, kind: str, seat: int | None, text: str, facts: list[Fact], secret: bool) -> Happening:
        words = encode([message.to_json() for message in self._told(kind, seat, text, facts)])
        looks = self._looks(self.secret or secret)
        return Happening(self.seq, kind, seat, text, words, facts, looks, self.can_take_back())

    def _told(self, kind: str, seat: int | None, text: str, facts: list[Fact]) -> list[Message]:
        if kind == fates.KIND:
            return [fates.told(text)]
        return self._told_of_taking_back(seat or 0) if kind == "back" else list(self.position.game.tell(facts))

    def _told_of_taking_back(self, seat: int) -> list[Message]:
        """Bots do not take moves back themselves."""
        return [] if seat in self.bots else [Message("table.takes_back", who=Seat(seat))]
