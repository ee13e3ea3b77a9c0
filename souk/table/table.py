"""One table: its game, its seats, and those who watch. What is asked of it is carried out one after the other."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

import msgspec

from souk.core.errors import IllegalMove
from souk.core.position import Position
from souk.core.shelf import find_game
from souk.table import protocol
from souk.table.branches import opening_of, start_of
from souk.table.catching_up import catch_up
from souk.table.classes import is_other_lesson, lesson_at
from souk.table.clocks import Clocks
from souk.table.coach_notes import CoachLog
from souk.table.course import MOST_EVENTS, MOST_TAKEN_BACK, Course
from souk.table.evening_rows import evening_of
from souk.table.happenings import Happening, moments
from souk.table.life_rows import Life, kept_life, seat_statement, statements
from souk.table.outcomes import kept_with_end
from souk.table.proposals import Asking
from souk.table.protocol import NOBODY
from souk.table.refusals import Behind, Refuse, illegal
from souk.table.relics import is_old
from souk.table.sayings import TalkLog, kept
from souk.table.shares import Shares
from souk.table.snapshots import EVERY, is_due, restored, snapshot_of
from souk.table.store import (
    NO_SEATS,
    Change,
    CoachNote,
    Deed,
    DiceStep,
    NotKept,
    Overtaken,
    SeatRow,
    Statement,
    Store,
    TableRow,
    Unanswered,
    Unreachable,
)
from souk.table.table_life import TableLife, thinking, voices
from souk.table.table_now import seats_now, table_now
from souk.table.thinkers import Thinkers, Turn
from souk.table.views import encode
from souk.table.watchers import Onlooker, Watcher

_PACES: dict[protocol.Pace, float] = {"relaxed": 2.0, "normal": 1.0, "fast": 0.2, "instant": 0.0}  # of the usual pause
_PATIENT = 8  # moves of bots one after the other that people look on at the usual pace
_HURRYING = 0.25  # of the pause from then on: two who haggle may go on for thirty moves


Kept = Callable[[int], None]  # told the number of an event that is on disk


class TableLock(asyncio.Lock):
    """asyncio's keeps the line in which somebody has ever waited, and looks through it each time: more than half a kilobyte for each table."""

    def release(self) -> None:
        super().release()
        if not self._waiters:
            self._waiters = None


class Table:
    """A table in memory."""

    __slots__ = (
        "_opened",
        "_row",
        "_seen",
        "away",
        "beginning",
        "bots_in_a_row",
        "coach",
        "course",
        "created",
        "elsewhere",
        "fill",
        "gone",
        "grace",
        "guests",
        "host",
        "hurried",
        "id",
        "life",
        "lock",
        "moved",
        "old",
        "opening",
        "options",
        "public",
        "rated",
        "rematch",
        "result_told",
        "seats",
        "shares",
        "stirred",
        "store",
        "talk",
        "thinkers",
        "thinking",
        "told_life",
        "told_seats",
        "watchers",
    )

    def __init__(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        store: Store,
        thinkers: Thinkers,
        grace: float,
        steps: Sequence[DiceStep] = (),
        notes: Sequence[CoachNote] = (),
        life: Life = Life(),  # noqa: B008  it never changes
        now: Callable[[], float] = time.monotonic,
        away_time: float = 0.0,
    ) -> None:
        self.life = TableLife(life, now, away_time)
        self.coach, self.talk = CoachLog(notes), TalkLog(row.free_talk)
        self._row = row
        self.id, self.options, self.rematch = row.id, row.options, row.rematch
        self.opening = opening_of(row)
        self.created, self.host, self.fill = row.created, row.host, row.fill
        self.rated, self.public = row.rated, row.public
        self.seats, self.store, self.thinkers = list(seats), store, thinkers
        self.shares = Shares(row.id, row.seed, steps)
        # Played by other rules than today's, or by another lesson: it is looked at, as by a spectator.
        self.old = is_old(row) or is_other_lesson(find_game(row.game), self.shares)
        self.beginning = False  # whether somebody sees to it
        self.stirred: asyncio.Event | None = None  # a share was opened, or left out: while somebody waits for that
        self.course = self._start()
        self.gone = False  # deleted, while somebody looked on
        self.guests = 0  # how many sockets and questions need it in memory
        self.watchers: list[Watcher] = []
        self.elsewhere: Mapping[str, Sequence[Onlooker]] = {}  # by server: pages that are connected there
        self.grace = grace
        self.away = NO_SEATS  # those of persons who have had no page open for so many seconds
        self._seen: dict[int, float] = {}  # when a seat's person last closed a page
        self._opened = time.monotonic()
        self.told_seats: list[protocol.SeatNow] = []  # as everybody knows them
        self.told_life = protocol.LifeNow()
        self.result_told = False
        self.thinking: dict[int, tuple[int, Turn]] = {}  # by seat: bots that are at it, and the last event they know
        self.hurried = NO_SEATS  # those whose bots had less time than their levels have
        self.lock = TableLock()
        self.moved = time.monotonic()  # when something last happened
        self.bots_in_a_row = 0  # how many moves bots have made since a person made one

    # ------------------------------------------------------------ who is who

    @property
    def position(self) -> Position:
        return self.course.position

    def seats_of(self, player: bytes) -> list[int]:
        """Those that somebody plays; one that they resigned is theirs no longer."""
        return [] if self.old else [row.seat for row in self.seats if row.player == player and row.resigned is None]

    def check_owner(self, player: bytes, seat: int) -> None:
        if seat not in self.seats_of(player):
            raise Refuse("not_your_seat", 403)

    @property
    def onlookers(self) -> list[Onlooker]:
        """All pages here, at whichever server."""
        return [*self.watchers, *(each for pages in self.elsewhere.values() for each in pages)]

    @property
    def people(self) -> set[bytes]:
        """Whoever has a page open here."""
        return {each.player for each in self.onlookers}

    def left(self, player: bytes) -> None:
        """Somebody has closed a page, here or elsewhere."""
        for seat in self.seats_of(player):
            self._seen[seat] = time.monotonic()

    def left_before(self, seat: int) -> None:
        """Another server says that a seat's person has been away for longer than this one has had the table open."""
        self._seen[seat] = time.monotonic() - self.grace

    def note_who_is_here(self) -> None:
        """Away is whoever has had no page open for as long as the grace lasts."""
        here, now = self.people, time.monotonic()
        playing = [row for row in self.seats if row.kind == "person" and row.resigned is None]
        gone = [row.seat for row in playing if row.player not in here]
        away = frozenset(seat for seat in gone if now - self._seen.get(seat, self._opened) >= self.grace)
        self.away = away or NO_SEATS

    def is_in_sight(self, seat: int) -> bool:
        """Whether a seat's person has the table before them."""
        return any(each.in_sight and each.player == self.seats[seat].player for each in self.onlookers)

    @property
    def has_company(self) -> bool:
        """Whether several people play here, or will: each at a device of their own."""
        return len({row.player or row.seat for row in self.seats if row.kind != "bot"}) > 1

    @property
    def attended(self) -> bool:
        """Whether bots are to move: somebody looks on, several people play, who may all have closed their pages until they are called, or a clock
        waits for what comes after it."""
        return bool(self.onlookers) or self.has_company or self.life.clocks is not None

    def bot_of(self, seat: int) -> str:
        """The level of the bot that plays for a seat now, or ""."""
        row = self.seats[seat]
        return row.level if row.kind == "bot" else row.stand_in

    def bots(self) -> frozenset[int]:
        """The seats of bots whose moves go back with the one they answer: where one person plays with nobody else, or where all who play have to
        agree to it anyway."""
        bots = frozenset(row.seat for row in self.seats if row.kind == "bot") or NO_SEATS
        people = {row.player for row in self.seats if row.kind == "person"}
        return bots if len(bots) == len(self.seats) - 1 or len(people) > 1 else NO_SEATS

    def voices(self) -> list[int]:
        """Who is asked where all are to agree: every person who plays here, by one seat."""
        return voices(self.seats, self.course.fate)

    def present(self) -> list[int]:
        """Those of them who are here."""
        here = self.people
        return [seat for seat in self.voices() if self.seats[seat].player in here]

    def voice_of(self, player: bytes) -> int:
        """By which of their seats a person speaks; NOBODY where they have no voice here."""
        return next((seat for seat in self.voices() if self.seats[seat].player == player), NOBODY)

    def pause(self, usual: float) -> float:
        """Seconds between an event and a bot's move: as the slowest of those who sit here wants it, or else of those who look on. Whoever
        has looked on for long would like to play again."""
        pages = self.onlookers
        seated = [each for each in pages if each.seat != NOBODY]
        pace = max((_PACES[each.pace] for each in seated or pages), default=1.0)
        return usual * pace * (1.0 if self.bots_in_a_row < _PATIENT else _HURRYING)

    def is_bots_turn(self, seat: int) -> bool:
        """Whether a bot is to move for a seat; in a lesson they move in the order in which it has them."""
        return bool(self.bot_of(seat)) and (self.course.lesson is None or bool(self.course.written(seat)))

    def asked_from(self) -> str:
        """The address that bots think for here: of somebody who sits here and looks on, or else of whoever looks on."""
        seated = {row.player for row in self.seats if row.player}
        first = sorted(self.onlookers, key=lambda each: each.player not in seated)[:1]
        return first[0].address if first else ""

    def waits_for(self, seq: int, turn: Turn) -> bool:
        """Whether anybody waits for what a bot thinks: the table is attended, the seat is still that bot's, and nothing has happened since the
        event `seq` that it should know."""
        is_its = self.bot_of(turn.seat) == turn.level and turn.seat in self.course.actors
        goes_on = self.attended and not self.course.over and not self.course.fate.paused
        return goes_on and is_its and not self.course.is_stale(turn.seat, seq)

    def note_hurry(self, seat: int, hurried: bool) -> None:
        """Whether a bot had less time than its level has; everybody is told where that is new."""
        if hurried != (seat in self.hurried):
            self.hurried ^= {seat}
            self.tell_seats()

    @property
    def begun(self) -> bool:
        return self.shares.begun

    @property
    def over(self) -> bool:
        """Whether a game has been played to its end here; a lesson is none."""
        return self.begun and self.course.over and self.course.lesson is None

    @property
    def start(self) -> Position:
        """The game before its first event."""
        return start_of(self._row)

    @property
    def evening(self) -> str:
        """The event of which it is a table, or "". There is no coach, and nobody takes moves back alone."""
        return evening_of(self.host)

    def check_begun(self) -> None:
        if not self.begun:
            raise Refuse("not_begun", 409)
        if self.course.fate.ended:
            raise Refuse("ended", 409)

    def _check_goes_on(self) -> None:
        self.check_begun()
        if self.course.fate.paused:
            raise Refuse("paused", 409)

    def is_complete(self) -> bool:
        """Whether somebody sits on every seat, and all who are to have a share in the dice have committed to it."""
        return all(row.stand_in or not (row.kind == "free" or self.shares.awaits(row.seat)) for row in self.seats)

    # ------------------------------------------------------------ how it begins

    async def add_step(self, kind: str, seat: int = NOBODY, value: str = "") -> None:
        """Something about the dice is so from now on, and is told. The caller holds the lock."""
        if self.gone:
            raise Refuse("deleted", 404)
        steps = self.shares.next((kind, seat, value))
        try:
            await self.store.add_steps(self.id, steps)
        except NotKept as error:
            await self.refuse(error)
        self.take_steps(steps)

    async def begin(self) -> None:
        """Make the seed, and draw whatever is due before anybody can move. The caller holds the lock."""
        steps = self.shares.next(("begins", NOBODY, ""))
        course = Course(self.course.position.copy(), self.shares.seed(), self.bots(), final=self.rated)
        happenings = course.begin()
        rows, life = [each.row() for each in happenings], self.life.next(course, self.seats)
        try:
            await self.store.add_events(self.id, rows, course.standing(), steps=steps, also=self._kept_with(life))
        except NotKept as error:
            await self.refuse(error)
        self.shares.take(steps[0])
        self.course, self.moved, self.life.kept = course, time.monotonic(), life
        for watcher in self.watchers:
            watcher.post(encode(table_now(self, watcher, rows)))

    def _stir(self) -> None:
        if self.stirred is not None:
            self.stirred.set()

    def take_steps(self, steps: Sequence[DiceStep]) -> None:
        for step in steps:
            self.shares.take(step)
        self._stir()
        if steps:
            self.tell_all(protocol.DiceNow(self.dice()))

    # ------------------------------------------------------------ what is carried out

    async def play(
        self, seat: int, move: str, after: int, at: float | None = None, lag: float = 0.0, kept: Kept | None = None
    ) -> int:
        """Make a move; returns the number of its event. `at`: when a person's came, by the house's time, over a line with such a lag. `kept` is told
        that number once it is on disk; only then anybody is shown what the move did."""
        async with self.lock:
            self._check_goes_on()
            if self.course.is_stale(seat, after):
                raise Refuse("stale", 409)
            clocks = self.life.clocks
            if clocks and at is not None and clocks.is_up(seat, at, lag):
                raise Refuse("time_up", 409)
            self._check_room()
            course = self.course.copy()
            try:
                happenings = course.play(seat, move)
            except IllegalMove as error:
                raise illegal(error) from None
            stopped = clocks.moved(seat, at, lag) if clocks and at is not None else clocks
            await self._keep(course, happenings, self.life.next(course, self.seats, stopped), kept)
            self.bots_in_a_row = self.bots_in_a_row + 1 if self.bot_of(seat) else 0
            return happenings[0].seq

    async def take_back(self, seat: int, after: int) -> int:
        """Take a move back; returns the number of that event once it is kept."""
        async with self.lock:
            return await self.take_back_agreed(seat, after, self.life.kept.asking)

    async def take_back_agreed(self, seat: int, after: int, asking: Asking) -> int:
        """The same, where the caller holds the lock; `asking`: what is asked from then on."""
        self._check_goes_on()
        if self.course.can_take_back() != seat:
            raise Refuse("cannot_take_back", 409)
        if after < self.course.own[seat]:
            raise Refuse("stale", 409)
        if self.course.taken_back >= MOST_TAKEN_BACK:
            raise Refuse("enough_taken_back", 409, most=MOST_TAKEN_BACK)
        self._check_room()
        course, clocks = self.course.copy(), self.life.clocks
        happenings = course.take_back(seat)
        again = clocks.took_back(seat) if clocks else None
        await self._keep(course, happenings, self.life.next(course, self.seats, again, asking, same=True))
        return happenings[-1].seq

    async def befall(
        self,
        *texts: str,
        seats: Sequence[SeatRow] = (),
        clocks: Clocks | None = None,
        asking: Asking | None = None,
    ) -> int:
        """Something happens to the game that is no move (see `souk.table.fates`), with what it means for seats, clocks and what is asked; returns
        the number of the last event. The caller holds the lock."""
        course, rows = self.course.copy(), list(self.seats)
        happenings = [course.befall(text) for text in texts]
        changes = [seat_statement(self.id, rows[row.seat], row) for row in seats]
        for row in seats:
            rows[row.seat] = row
        life = self.life.next(course, rows, clocks, asking, same=True)
        try:
            also: list[Change] = [*changes, *self._kept_with(life), *self._kept_at_end(course, rows)]
            await self.store.add_events(self.id, [each.row() for each in happenings], course.standing(), also=also)
        except NotKept as error:
            await self.refuse(error)
        self.seats = rows
        self.take(course, happenings, life)
        return course.seq

    async def keep_life(self, life: Life) -> None:
        """What is asked has changed, and nothing else. The caller holds the lock."""
        try:
            await self.store.carry_out(self._kept_with(life), self.id)
        except NotKept as error:
            await self.refuse(error)
        self.life.kept = life
        self.tell_life()

    def _kept_with(self, life: Life) -> list[Statement]:
        return statements(self.id, self.life.kept, life, self.life.now())

    def _kept_at_end(self, course: Course, seats: Sequence[SeatRow]) -> list[Deed]:
        """The result, where the game has one that counts."""
        return kept_with_end(self.id, self.rated, course, seats, self.opening is not None, bool(self.coach.given))

    def _check_room(self) -> None:
        if self.course.is_full:
            raise Refuse("table_full", 409, most=MOST_EVENTS)

    async def change_seat(self, row: SeatRow, *about_dice: tuple[str, int, str]) -> None:
        """Somebody sits down, or a bot stands in, with what that means for the dice. The caller holds the lock."""
        await self.change_seats([row], *about_dice)

    async def change_seats(self, rows: Sequence[SeatRow], *about_dice: tuple[str, int, str]) -> None:
        """Several seats at once, or none of them."""
        steps = self.shares.next(*about_dice)
        after = list(self.seats)
        for row in rows:
            after[row.seat] = row
        life = self.life.next(self.course, after, same=True) if self.begun else self.life.kept
        try:
            changes = [(self.seats[row.seat], row) for row in rows]
            await self.store.change_seats(self.id, changes, steps, self._kept_with(life))
        except NotKept as error:
            await self.refuse(error)
        self.seats, self.life.kept = after, life
        self.course.bots = self.bots()
        self.take_steps(steps)

    async def _keep(
        self, course: Course, happenings: Sequence[Happening], life: Life, kept: Kept | None = None
    ) -> None:
        """Write down what is to happen; once it is on disk it has happened, and is told. Until then nobody, whatever they ask, hears of it."""
        snapshot, rows = (
            snapshot_of(course) if is_due(self.course.seq, course.seq) else None,
            [each.row() for each in happenings],
        )
        try:
            also: list[Change] = [*self._kept_with(life), *self._kept_at_end(course, self.seats)]
            await self.store.add_events(self.id, rows, course.standing(), snapshot, also=also)
        except NotKept as error:
            await self.refuse(error)
        self.course, self.life.kept = course, life
        if kept:
            kept(happenings[0].seq)
            await asyncio.sleep(0)  # others whose moves are kept by now are told so first, too
        self.take(course, happenings, life)

    def take(self, course: Course, happenings: Sequence[Happening], life: Life) -> None:
        """What is kept is so, and is told."""
        self.course, self.moved, self.life.kept = course, time.monotonic(), life
        for moment in moments(happenings, one_by_one=course.lesson is not None):
            for watcher in self.watchers:
                watcher.post(moment.message(watcher.seat))
        course.rest()
        self.tell_life()

    async def refuse(self, error: NotKept) -> NoReturn:
        """Something could not be written. Where another server at the same store was first, what it wrote is taken over, and it can be tried again; else
        all goes back to what is kept. The caller holds the lock."""
        if isinstance(error, Overtaken):
            with contextlib.suppress(Unanswered):
                await catch_up(self)
            if self.gone:
                raise Refuse("deleted", 404) from None
            raise Behind from None
        # Where nobody answers, nothing more can be known either, and whoever waits is to be told soon.
        if not isinstance(error, Unreachable):
            await self.reload()
        raise Refuse("not_kept", 503) from None

    def note_deleted(self) -> None:
        self.gone = True
        self.tell_all(protocol.Refused(None, Refuse("deleted").reason))

    async def reload(self) -> None:
        """Go back to what is kept, and show it to everybody: another server at the same store may have written what is not known here. Where the
        database does not answer, the table stays as it was known: should it be another by now, the next write is refused as well."""
        with contextlib.suppress(Unanswered):
            await self._read_again()

    async def _read_again(self) -> None:
        found = await self.store.table(self.id)
        if found is None:
            self.note_deleted()
            return
        self.rematch, self.host, self.seats = found[0].rematch, found[0].host, found[1]
        self.shares.take_again(await self.store.steps(self.id))
        self.coach = CoachLog(await self.store.notes(self.id))
        self.life.kept = await kept_life(self.store, self.id)
        self.talk.said = await kept(self.store, self.id)
        self._stir()
        await self.load()
        self.note_who_is_here()
        for watcher in self.watchers:
            self.show(watcher)

    async def load(self) -> None:
        """Go to where the game stands: from its snapshot, where there is one that can be used, else from the start."""
        snapshot = await self.store.snapshot(self.id)
        course = self._start()
        with contextlib.suppress(ValueError):
            course = restored(course, snapshot) if snapshot and not self.old else course
        rows = await self.store.events(self.id, course.seq)
        await asyncio.to_thread(course.replay, rows)  # as it may be a long game
        self.course = course
        if len(rows) > EVERY and not self.old:
            with contextlib.suppress(NotKept):  # then the next who loads it takes as long again
                await self.store.keep_snapshot(self.id, snapshot_of(course))

    def _start(self) -> Course:
        """The game before its first event."""
        start = start_of(self._row)
        lesson = None if self.old else lesson_at(start.game, self.shares)
        return Course(start, self.shares.seed(), self.bots(), lesson, self.rated)

    # ------------------------------------------------------------ what is told

    async def watch(self, watcher: Watcher, after: int) -> None:
        """Somebody looks on from now: they are told all there is to know, and from then on what happens."""
        async with self.lock:
            found = await self.store.events(self.id, after)
            rows = [
                row for row in found if row.seq <= self.course.seq
            ]  # what another server wrote just now comes later
            if not watcher.here:  # it left while we were reading
                return
            if watcher not in self.watchers:
                self.watchers.append(watcher)
                self.note_who_is_here()
            watcher.post(encode(table_now(self, watcher, rows)))

    def show(self, watcher: Watcher) -> None:
        """Somebody sees the table with other eyes from now on."""
        watcher.post(encode(table_now(self, watcher, [])))

    def forget(self, watcher: Watcher) -> None:
        """Somebody looks on no longer."""
        if watcher in self.watchers:
            self.watchers.remove(watcher)
            self.left(watcher.player)

    def living(self) -> protocol.LifeNow | None:
        """What everybody is told of time and agreement; None where there is none."""
        if self.course.lesson or self.old or not (self.begun or self.life.clocks):
            return None
        self.life.note_absent([] if self.life.by_days or self.rated or not self.begun else self._absent())
        return self.life.told(self.course, self.seats, self.present() if self.life.away else [])

    def _absent(self) -> list[int]:
        """Who is waited for although they are away."""
        return [seat for seat in thinking(self.course, self.seats) if seat in self.away] if self.away else []

    def coaching(self) -> protocol.Coaching | None:
        """What everybody is told of the coach; None where there is none."""
        unaided = self.old or self.rated or bool(self.evening)
        return None if self.course.lesson or unaided else self.coach.told(self.seats)

    def talking(self) -> protocol.Talking | None:
        """What everybody is told of the talk; None where there is nobody to talk to."""
        return self.talk.told(self.position.game.name) if self.has_company and not self.old else None

    def dice(self) -> protocol.DicePromise:
        return self.shares.promise(self.over)

    def tell_all(self, message: msgspec.Struct) -> None:
        data = encode(message)
        for watcher in self.watchers:
            watcher.post(data)

    def tell_seats(self) -> None:
        self.told_seats = seats_now(self)
        for watcher in self.watchers:
            watcher.post(encode(protocol.Seats(self.told_seats, self.seats_of(watcher.player))))
        self.tell_all(protocol.CoachNow(self.coaching()))
        self.tell_life()

    def tell_life(self) -> None:
        """What there is to know of time and agreement, where that is anything new. Those whose clock runs are asked how far away they are."""
        life = self.living()
        if life is None or (life == self.told_life and life.clocks is None):
            return
        self.told_life = life
        self.tell_all(life)
        for watcher in self.watchers:
            if life.clocks and set(life.clocks.running) & set(self.seats_of(watcher.player)):
                watcher.measure_lag()
