"""One table: its game, its seats, and those who watch. What is asked of it is carried out one after the other."""

import asyncio
import time
from collections.abc import Sequence
from typing import Protocol

import msgspec

from souk.core.errors import IllegalMove
from souk.core.position import Position
from souk.core.shelf import find_game
from souk.table import protocol
from souk.table.course import MOST_TAKEN_BACK, Course, Happening
from souk.table.protocol import NOBODY, VERSION
from souk.table.refusals import Refuse, illegal
from souk.table.relics import is_old
from souk.table.store import EventRow, NotKept, SeatRow, Store, TableRow
from souk.table.thinkers import Thinkers, Turn
from souk.table.views import encode


class Watcher(Protocol):
    """A socket at a table."""

    player: bytes  # the digest by which the person is known
    address: str  # under which limits count it
    here: bool  # until its connection ends
    seat: int  # through whose eyes it looks; NOBODY for a spectator's

    def post(self, message: bytes) -> None: ...


class Table:
    """A table in memory."""

    __slots__ = (
        "_opened",
        "_seen",
        "away",
        "course",
        "created",
        "digest",
        "grace",
        "guests",
        "hurried",
        "id",
        "lock",
        "moved",
        "old",
        "options",
        "rematch",
        "result_told",
        "seats",
        "store",
        "thinkers",
        "thinking",
        "told_seats",
        "watchers",
    )

    def __init__(self, row: TableRow, seats: Sequence[SeatRow], store: Store, thinkers: Thinkers, grace: float) -> None:
        self.id, self.digest, self.options, self.rematch = row.id, row.digest, row.options, row.rematch
        self.created = row.created
        self.old = is_old(row)  # played by other rules than today's: it is looked at, as by a spectator
        self.seats, self.store, self.thinkers = list(seats), store, thinkers
        self.course = Course(find_game(row.game).start(row.players, **row.options), row.seed)
        self.guests = 0  # how many sockets and questions need it in memory
        self.watchers: list[Watcher] = []
        self.grace = grace
        self.away: set[int] = set()  # seats of persons who have had no page open for so many seconds
        self._seen: dict[int, float] = {}  # when a seat's person last closed a page
        self._opened = time.monotonic()
        self.told_seats: list[protocol.SeatNow] = []  # as everybody knows them
        self.result_told = False
        self.thinking: dict[int, tuple[int, Turn]] = {}  # by seat: bots that are at it, and the last event they know
        self.hurried: set[int] = set()  # seats whose bots had less time than their levels have
        self.lock = asyncio.Lock()
        self.moved = time.monotonic()  # when something last happened

    # ------------------------------------------------------------ who is who

    @property
    def position(self) -> Position:
        return self.course.position

    def seats_of(self, player: bytes) -> list[int]:
        return [] if self.old else [seat.seat for seat in self.seats if seat.player == player]

    def check_owner(self, player: bytes, seat: int) -> None:
        if seat not in self.seats_of(player):
            raise Refuse("not_your_seat", 403)

    def note_who_is_here(self) -> None:
        """Away is whoever has had no page open for as long as the grace lasts."""
        here, now = {watcher.player for watcher in self.watchers}, time.monotonic()
        gone = [row.seat for row in self.seats if row.kind == "person" and row.player not in here]
        self.away = {seat for seat in gone if now - self._seen.get(seat, self._opened) >= self.grace}

    def bot_of(self, seat: int) -> str:
        """The level of the bot that plays for a seat now, or ""."""
        row = self.seats[seat]
        return row.level if row.kind == "bot" else row.stand_in

    def asked_from(self) -> str:
        """The address that bots think for here: of somebody who sits here and looks on, or else of whoever looks on."""
        seated = {row.player for row in self.seats if row.player}
        first = sorted(self.watchers, key=lambda watcher: watcher.player not in seated)[:1]
        return first[0].address if first else ""

    def waits_for(self, seq: int, turn: Turn) -> bool:
        """Whether anybody waits for what a bot thinks: somebody looks on, the seat is still that bot's, and nothing has happened since the
        event `seq` that it should know."""
        is_its = self.bot_of(turn.seat) == turn.level and turn.seat in self.position.actors
        return bool(self.watchers) and is_its and not self.course.is_stale(turn.seat, seq)

    def note_hurry(self, seat: int, hurried: bool) -> None:
        """Whether a bot had less time than its level has; everybody is told where that is new."""
        if hurried != (seat in self.hurried):
            self.hurried ^= {seat}
            self.tell_seats()

    # ------------------------------------------------------------ what is carried out

    async def play(self, seat: int, move: str, after: int) -> int:
        """Make a move; returns the number of its event once it is kept."""
        async with self.lock:
            if self.course.is_stale(seat, after):
                raise Refuse("stale", 409)
            course = self.course.copy()
            try:
                happenings = course.play(seat, move)
            except IllegalMove as error:
                raise illegal(error) from None
            await self._keep(course, happenings)
            return happenings[0].seq

    async def take_back(self, seat: int, after: int) -> int:
        """Take a move back; returns the number of that event once it is kept."""
        async with self.lock:
            if after != self.course.seq:
                raise Refuse("stale", 409)
            if self.course.can_take_back() != seat:
                raise Refuse("cannot_take_back", 409)
            if self.course.taken_back >= MOST_TAKEN_BACK:
                raise Refuse("enough_taken_back", 409, most=MOST_TAKEN_BACK)
            course = self.course.copy()
            happening = course.take_back(seat)
            await self._keep(course, [happening])
            return happening.seq

    async def change_seat(self, row: SeatRow) -> None:
        """Somebody sits down, or a bot stands in. The caller holds the lock."""
        try:
            await self.store.change_seat(self.id, self.seats[row.seat], row)
        except NotKept:
            await self.reload()
            raise Refuse("not_kept", 503) from None
        self.seats[row.seat] = row

    async def _keep(self, course: Course, happenings: Sequence[Happening]) -> None:
        """Write down what is to happen; once it is on disk it has happened, and is told. Until then nobody, whatever they ask, hears of it."""
        try:
            await self.store.add_events(self.id, [each.row() for each in happenings], course.standing())
        except NotKept:
            await self.reload()
            raise Refuse("not_kept", 503) from None
        self.course, self.moved = course, time.monotonic()
        for happening in happenings:
            self.tell_views(happening)

    async def reload(self) -> None:
        """Go back to what is kept, and show it to everybody: another server at the same file may have written what is not known here."""
        found = await self.store.table(self.id)
        if found is not None:
            self.rematch, self.seats = found[0].rematch, found[1]
        await asyncio.to_thread(self.load, await self.store.events(self.id))
        self.note_who_is_here()
        for watcher in self.watchers:
            watcher.post(encode(self.now(watcher, [])))

    def load(self, rows: Sequence[EventRow]) -> None:
        """Replay events from the start."""
        position = self.position
        course = Course(position.game.start(position.players, **self.options), self.course.dice.seed)
        course.replay(rows)
        self.course = course

    # ------------------------------------------------------------ what is told

    async def watch(self, watcher: Watcher, after: int) -> None:
        """Somebody looks on from now: they are told all there is to know, and from then on what happens."""
        async with self.lock:
            rows = await self.store.events(self.id, after)
            if not watcher.here:  # it left while we were reading
                return
            if watcher not in self.watchers:
                self.watchers.append(watcher)
                self.note_who_is_here()
            watcher.post(encode(self.now(watcher, rows)))

    def forget(self, watcher: Watcher) -> None:
        """Somebody looks on no longer."""
        if watcher in self.watchers:
            self.watchers.remove(watcher)
            for seat in self.seats_of(watcher.player):
                self._seen[seat] = time.monotonic()

    def now(self, watcher: Watcher, rows: Sequence[EventRow]) -> protocol.TableNow:
        """All there is to know, with the given events in words."""
        seat, course = NOBODY if self.old else watcher.seat, self.course
        return protocol.TableNow(
            version=VERSION,
            table=self.id,
            game=self.position.game.name,
            box=self.position.game.scene.box(self.position),
            seats=self.seats_now(),
            mine=self.seats_of(watcher.player),
            seat=seat,
            seq=course.seq,
            lines=[protocol.LogLine(row.seq, row.seat, msgspec.Raw(row.told), row.kind == "back") for row in rows],  # type: ignore[arg-type]
            view=course.looks().view(seat, seat == course.can_take_back() != NOBODY),
            dice=self.dice(),
            rematch=self.rematch,
            old=self.old,
        )

    def seats_now(self) -> list[protocol.SeatNow]:
        asleep = not self.thinkers.awake(self.position.game)
        return [
            protocol.SeatNow(
                row.name,
                row.kind,
                row.level,
                row.seat in self.away,
                row.stand_in,
                asleep and bool(self.bot_of(row.seat)),
                row.seat in self.hurried and bool(self.bot_of(row.seat)),
            )
            for row in self.seats
        ]

    def dice(self) -> protocol.DicePromise:
        return protocol.DicePromise(self.digest, self.course.dice.seed.hex() if self.position.over else "")

    def tell_views(self, happening: Happening) -> None:
        """Everybody is told what happened, each as their seat may see it."""
        messages: dict[int, bytes] = {}
        for watcher in self.watchers:
            if watcher.seat not in messages:
                messages[watcher.seat] = happening.message(watcher.seat)
            watcher.post(messages[watcher.seat])

    def tell_all(self, message: msgspec.Struct) -> None:
        data = encode(message)
        for watcher in self.watchers:
            watcher.post(data)

    def tell_seats(self) -> None:
        self.told_seats = self.seats_now()
        for watcher in self.watchers:
            watcher.post(encode(protocol.Seats(self.told_seats, self.seats_of(watcher.player))))
