"""One table in memory: its game, seats and viewers. A lock serialises everything that writes."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NoReturn

import msgspec

from souk.core.errors import IllegalMove
from souk.core.game_registry import find_game
from souk.core.position import Position
from souk.server.compute.scheduler import BotRequest, BotScheduler
from souk.server.dice.commitments import SeedShares
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused, StaleTable, refusal_of_illegal_move
from souk.server.protocol.table import NOBODY
from souk.server.storage.errors import ReadFailed, Unreachable, WriteConflict, WriteFailed
from souk.server.storage.rows import (
    NO_SEATS,
    Change,
    CoachNote,
    DiceStep,
    SeatRow,
    Statement,
    TableRow,
    TransactionStep,
    update_seat,
)
from souk.server.storage.store import Store
from souk.server.tables.chat.chat_log import ChatLog, load_chat
from souk.server.tables.coach.coach_log import CoachLog
from souk.server.tables.full_state_message import full_state, seats_now
from souk.server.tables.game.game_events import GameEvent, moments
from souk.server.tables.game.game_state import MOST_EVENTS, MOST_TAKEN_BACK, GameState
from souk.server.tables.game.old_games import is_old
from souk.server.tables.game.rating_eligibility import result_steps
from souk.server.tables.game.snapshots import EVERY, is_due, restored, snapshot_of
from souk.server.tables.game.views import encode
from souk.server.tables.seats import event_of
from souk.server.tables.setup.branches import opening_of, start_of
from souk.server.tables.setup.lessons import is_other_lesson, lesson_at
from souk.server.tables.sync_from_database import catch_up
from souk.server.tables.timing.clocks import GameClock
from souk.server.tables.timing.table_timing import TableTiming, seats_on_move
from souk.server.tables.timing.timing_rows import TimingState, load_timing, save_statements
from souk.server.tables.viewers import LocalViewer, Viewer
from souk.server.tables.votes.proposal_state import ProposalState
from souk.server.tables.votes.voters import voters

# Factors on the usual pause before a bot's move.
_PACES: dict[protocol.Pace, float] = {"relaxed": 2.0, "normal": 1.0, "fast": 0.2, "instant": 0.0}
_PATIENT = 8  # consecutive bot moves shown at normal pace
_HURRYING = 0.25  # factor from then on: two haggling bots may make thirty moves


OnStored = Callable[[int], None]  # called with the number of an event once it is on disk


class TableLock(asyncio.Lock):
    """An asyncio lock that frees its waiter queue when empty: saves over 500 bytes a table."""

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
        "bot_requests",
        "bot_scheduler",
        "bots_in_a_row",
        "chat",
        "coach",
        "created",
        "deleted",
        "dice_step_taken",
        "fill",
        "grace",
        "host",
        "hurried",
        "id",
        "is_starting",
        "last_event_at",
        "lock",
        "old",
        "opening",
        "options",
        "pins",
        "public",
        "rated",
        "rematch",
        "remote_viewers",
        "result_sent",
        "seats",
        "sent_seats",
        "sent_timing",
        "shares",
        "state",
        "store",
        "timing",
        "viewers",
        "watched_events",
    )

    def __init__(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        store: Store,
        bot_scheduler: BotScheduler,
        grace: float,
        steps: Sequence[DiceStep] = (),
        notes: Sequence[CoachNote] = (),
        timing: TimingState = TimingState(),  # noqa: B008  immutable
        now: Callable[[], float] = time.monotonic,
        away_time: float = 0.0,
        watched_events: Collection[str] = (),
    ) -> None:
        self.timing = TableTiming(timing, now, away_time)
        self.coach, self.chat = CoachLog(notes), ChatLog(row.free_talk)
        self._row = row
        self.id, self.options, self.rematch = row.id, row.options, row.rematch
        self.opening = opening_of(row)
        self.created, self.host, self.fill = row.created, row.host, row.fill
        self.rated, self.public = row.rated, row.public
        self.seats, self.store, self.bot_scheduler = list(seats), store, bot_scheduler
        self.shares = SeedShares(row.id, row.seed, steps)
        # Played by other rules or another version of a lesson: view only.
        self.old = is_old(row) or is_other_lesson(find_game(row.game), self.shares)
        self.is_starting = False  # whether the game's start is in progress
        # set when a dice share is revealed or skipped, while `GameStart` waits for one
        self.dice_step_taken: asyncio.Event | None = None
        self.state = self._start()
        self.watched_events = watched_events  # events with viewers: bots of all their tables move
        self.deleted = False  # deleted while in memory
        self.pins = 0  # sockets and requests that pin it in memory
        self.viewers: list[LocalViewer] = []
        # by process: viewers connected there
        self.remote_viewers: Mapping[str, Sequence[Viewer]] = {}
        self.grace = grace
        self.away = NO_SEATS  # seats of people without an open page for `grace` seconds
        self._seen: dict[int, float] = {}  # by seat: when its player last closed a page
        self._opened = time.monotonic()
        self.sent_seats: list[protocol.SeatNow] = []  # as last sent
        self.sent_timing = protocol.TimingNow()
        self.result_sent = False
        # by seat: the pending bot request and the last event it knows
        self.bot_requests: dict[int, tuple[int, BotRequest]] = {}
        self.hurried = NO_SEATS  # bots that had less time than their level allows
        self.lock = TableLock()
        self.last_event_at = time.monotonic()  # time of the last event
        self.bots_in_a_row = 0  # moves since a person last moved

    # ------------------------------------------------------------ seats and viewers

    @property
    def position(self) -> Position:
        return self.state.position

    def seats_of(self, player: bytes) -> list[int]:
        """The seats a player owns, resigned ones excepted."""
        return (
            []
            if self.old
            else [row.seat for row in self.seats if row.player == player and row.resigned is None]
        )

    def check_owner(self, player: bytes, seat: int) -> None:
        if seat not in self.seats_of(player):
            raise RequestRefused("not_your_seat", 403)

    @property
    def all_viewers(self) -> list[Viewer]:
        """All pages at this table, on any process."""
        return [
            *self.viewers,
            *(viewer for pages in self.remote_viewers.values() for viewer in pages),
        ]

    @property
    def people(self) -> set[bytes]:
        """Everybody with an open page."""
        return {viewer.player for viewer in self.all_viewers}

    def note_page_closed(self, player: bytes) -> None:
        """A player closed a page, here or on another process."""
        for seat in self.seats_of(player):
            self._seen[seat] = time.monotonic()

    def note_long_absence(self, seat: int) -> None:
        """Another process reports a longer absence than this one has had the table open."""
        self._seen[seat] = time.monotonic() - self.grace

    def update_away(self) -> None:
        """Update `away`: people without an open page for `grace` seconds."""
        present, now = self.people, time.monotonic()
        playing = [row for row in self.seats if row.kind == "person" and row.resigned is None]
        absent = [row.seat for row in playing if row.player not in present]
        away = frozenset(
            seat for seat in absent if now - self._seen.get(seat, self._opened) >= self.grace
        )
        self.away = away or NO_SEATS

    def is_visible_to(self, seat: int) -> bool:
        """Whether the seat's player has the table visible on screen."""
        return any(
            viewer.visible and viewer.player == self.seats[seat].player
            for viewer in self.all_viewers
        )

    @property
    def is_multiplayer(self) -> bool:
        """Whether several people on separate devices play here, or will."""
        return len({row.player or row.seat for row in self.seats if row.kind != "bot"}) > 1

    @property
    def bots_active(self) -> bool:
        """Whether bots should move: somebody watches, several people play (they may wait to be
        called), or a clock runs.

        At events, where clocks always run: somebody plays here, or watches any of the event's
        tables or its page.
        """
        if self.event_id:
            return bool(self.all_viewers or self.voters()) or self.event_id in self.watched_events
        return bool(self.all_viewers) or self.is_multiplayer or self.timing.clocks is not None

    def bot_of(self, seat: int) -> str:
        """The level of the bot now playing for a seat, or ""."""
        row = self.seats[seat]
        return row.level if row.kind == "bot" else row.stand_in

    def bots(self) -> frozenset[int]:
        """Seats whose moves are undone together with the move they answer: bots in a game with one
        person, or where all must agree to a take-back.
        """
        bots = frozenset(row.seat for row in self.seats if row.kind == "bot") or NO_SEATS
        people = {row.player for row in self.seats if row.kind == "person"}
        return bots if len(bots) == len(self.seats) - 1 or len(people) > 1 else NO_SEATS

    def voters(self) -> list[int]:
        """One seat of each person who plays: the electorate for proposals."""
        return voters(self.seats, self.state.status)

    def present(self) -> list[int]:
        """Voters who have the table open."""
        players = self.people
        return [seat for seat in self.voters() if self.seats[seat].player in players]

    def voting_seat(self, player: bytes) -> int:
        """The seat a player votes with, or NOBODY."""
        return next((seat for seat in self.voters() if self.seats[seat].player == player), NOBODY)

    def bot_pause(self, usual: float) -> float:
        """Seconds before a bot's move, by the slowest pace among seated viewers, or else among
        spectators. Shorter after many bot moves in a row.
        """
        pages = self.all_viewers
        seated = [viewer for viewer in pages if viewer.seat != NOBODY]
        pace = max((_PACES[viewer.pace] for viewer in seated or pages), default=1.0)
        return usual * pace * (1.0 if self.bots_in_a_row < _PATIENT else _HURRYING)

    def is_bot_to_move(self, seat: int) -> bool:
        """Whether a bot should move for a seat; in lessons bots follow the script."""
        return bool(self.bot_of(seat)) and (
            self.state.lesson is None or bool(self.state.scripted_move(seat))
        )

    def bot_client_address(self) -> str:
        """The client address bot requests are charged to, preferring seated viewers."""
        seated = {row.player for row in self.seats if row.player}
        first = sorted(self.all_viewers, key=lambda viewer: viewer.player not in seated)[:1]
        return first[0].address if first else ""

    def is_wanted(self, seq: int, request: BotRequest) -> bool:
        """Whether a bot request is still relevant: bots should move here, the seat is still this
        bot's, and nothing it should know happened since event `seq`.
        """
        is_its = self.bot_of(request.seat) == request.level and request.seat in self.state.actors
        goes_on = self.bots_active and not self.state.over and not self.state.status.paused
        return goes_on and is_its and not self.state.is_stale(request.seat, seq)

    def note_hurry(self, seat: int, hurried: bool) -> None:
        """Record whether a bot was short of time, and tell everybody if that changed."""
        if hurried != (seat in self.hurried):
            self.hurried ^= {seat}
            self.broadcast_seats()

    @property
    def begun(self) -> bool:
        return self.shares.begun

    @property
    def over(self) -> bool:
        """Whether a game has finished here; lessons do not count."""
        return self.begun and self.state.over and self.state.lesson is None

    @property
    def start(self) -> Position:
        """The position before the first event."""
        return start_of(self._row)

    @property
    def event_id(self) -> str:
        """The id of the event this table belongs to, or "". Events allow no coach and no solo
        take-backs.
        """
        return event_of(self.host)

    def check_begun(self) -> None:
        if not self.begun:
            raise RequestRefused("not_begun", 409)
        if self.state.status.ended:
            raise RequestRefused("ended", 409)

    def _check_goes_on(self) -> None:
        self.check_begun()
        if self.state.status.paused:
            raise RequestRefused("paused", 409)

    def is_complete(self) -> bool:
        """Whether every seat is taken and every expected dice commitment is there."""
        return all(
            row.stand_in or not (row.kind == "free" or self.shares.awaits(row.seat))
            for row in self.seats
        )

    # ------------------------------------------------------------ start

    async def add_dice_step(self, kind: str, seat: int = NOBODY, value: str = "") -> None:
        """Store and announce a step of the dice protocol. The caller holds the lock."""
        if self.deleted:
            raise RequestRefused("deleted", 404)
        steps = self.shares.next((kind, seat, value))
        try:
            await self.store.add_steps(self.id, steps)
        except WriteFailed as error:
            await self.handle_failed_write(error)
        self.apply_dice_steps(steps)

    async def begin(self) -> None:
        """Start the game: make the seed and draw everything due before the first move. The caller
        holds the lock.
        """
        steps = self.shares.next(("begins", NOBODY, ""))
        state = GameState(
            self.state.position.copy(), self.shares.seed(), self.bots(), no_take_backs=self.rated
        )
        game_events = state.begin()
        rows, timing = [event.row() for event in game_events], self.timing.next(state, self.seats)
        try:
            await self.store.add_events(
                self.id, rows, state.standing(), steps=steps, also=self._timing_statements(timing)
            )
        except WriteFailed as error:
            await self.handle_failed_write(error)
        self.shares.take(steps[0])
        self.state, self.last_event_at, self.timing.saved = state, time.monotonic(), timing
        for viewer in self.viewers:
            viewer.post(encode(full_state(self, viewer, rows)))

    def _signal_dice_step(self) -> None:
        if self.dice_step_taken is not None:
            self.dice_step_taken.set()

    def apply_dice_steps(self, steps: Sequence[DiceStep]) -> None:
        for step in steps:
            self.shares.take(step)
        self._signal_dice_step()
        if steps:
            self.broadcast(protocol.DiceNow(self.dice()))

    # ------------------------------------------------------------ changes

    async def play(
        self,
        seat: int,
        move: str,
        after: int,
        at: float | None = None,
        lag: float = 0.0,
        on_stored: OnStored | None = None,
    ) -> int:
        """Play a move and return the number of its event.

        Nobody sees the move before it is on disk.

        Args:
            at: when a person's move arrived, in server uptime.
            lag: round-trip time of the connection.
            on_stored: called with the number once the move is on disk.
        """
        async with self.lock:
            self._check_goes_on()
            if self.state.is_stale(seat, after):
                raise RequestRefused("stale", 409)
            clocks = self.timing.clocks
            if clocks and at is not None and clocks.is_up(seat, at, lag):
                raise RequestRefused("time_up", 409)
            self._check_room()
            state = self.state.copy()
            try:
                game_events = state.play(seat, move)
            except IllegalMove as error:
                raise refusal_of_illegal_move(error) from None
            stopped = clocks.moved(seat, at, lag) if clocks and at is not None else clocks
            await self._save(
                state, game_events, self.timing.next(state, self.seats, stopped), on_stored
            )
            self.bots_in_a_row = self.bots_in_a_row + 1 if self.bot_of(seat) else 0
            return game_events[0].seq

    async def take_back(self, seat: int, after: int) -> int:
        """Take a move back; returns the number of the last event."""
        async with self.lock:
            return await self.take_back_agreed(seat, after, self.timing.saved.asking)

    async def take_back_agreed(self, seat: int, after: int, asking: ProposalState) -> int:
        """Take a move back under the caller's lock. `asking`: the proposals from then on."""
        self._check_goes_on()
        if self.state.can_take_back() != seat:
            raise RequestRefused("cannot_take_back", 409)
        if after < self.state.last_by_seat[seat]:
            raise RequestRefused("stale", 409)
        if self.state.taken_back >= MOST_TAKEN_BACK:
            raise RequestRefused("enough_taken_back", 409, most=MOST_TAKEN_BACK)
        self._check_room()
        state, clocks = self.state.copy(), self.timing.clocks
        game_events = state.take_back(seat)
        clocks_after = clocks.took_back(seat) if clocks else None
        await self._save(
            state, game_events, self.timing.next(state, self.seats, clocks_after, asking, same=True)
        )
        return game_events[-1].seq

    async def apply_status_event(
        self,
        *texts: str,
        seats: Sequence[SeatRow] = (),
        clocks: GameClock | None = None,
        asking: ProposalState | None = None,
    ) -> int:
        """Store status events (`souk.server.tables.timing.game_status`) and the seat, clock and
        proposal changes they imply.

        Returns the number of the last event. The caller holds the lock.
        """
        state, rows = self.state.copy(), list(self.seats)
        game_events = [state.apply_status_event(text) for text in texts]
        changes = [update_seat(self.id, rows[row.seat], row) for row in seats]
        for row in seats:
            rows[row.seat] = row
        timing = self.timing.next(state, rows, clocks, asking, same=True)
        try:
            also: list[Change] = [
                *changes,
                *self._timing_statements(timing),
                *self._result_steps(state, rows),
            ]
            await self.store.add_events(
                self.id, [event.row() for event in game_events], state.standing(), also=also
            )
        except WriteFailed as error:
            await self.handle_failed_write(error)
        self.seats = rows
        self.apply_saved(state, game_events, timing)
        return state.seq

    async def save_timing(self, timing: TimingState) -> None:
        """Store changed proposals only. The caller holds the lock."""
        try:
            await self.store.write(self._timing_statements(timing), self.id)
        except WriteFailed as error:
            await self.handle_failed_write(error)
        self.timing.saved = timing
        self.broadcast_timing()

    def _timing_statements(self, timing: TimingState) -> list[Statement]:
        return save_statements(self.id, self.timing.saved, timing, self.timing.now())

    def _result_steps(self, state: GameState, seats: Sequence[SeatRow]) -> list[TransactionStep]:
        """The result, to be stored with the game's last event if the game counts."""
        return result_steps(
            self.id, self.rated, state, seats, self.opening is not None, bool(self.coach.given)
        )

    def _check_room(self) -> None:
        if self.state.is_full:
            raise RequestRefused("table_full", 409, most=MOST_EVENTS)

    async def change_seat(self, row: SeatRow, *about_dice: tuple[str, int, str]) -> None:
        """Store a changed seat and related dice steps. The caller holds the lock."""
        await self.change_seats([row], *about_dice)

    async def change_seats(
        self, rows: Sequence[SeatRow], *about_dice: tuple[str, int, str]
    ) -> None:
        """Change several seats atomically."""
        steps = self.shares.next(*about_dice)
        seats = list(self.seats)
        for row in rows:
            seats[row.seat] = row
        timing = self.timing.next(self.state, seats, same=True) if self.begun else self.timing.saved
        try:
            changes = [(self.seats[row.seat], row) for row in rows]
            await self.store.change_seats(self.id, changes, steps, self._timing_statements(timing))
        except WriteFailed as error:
            await self.handle_failed_write(error)
        self.seats, self.timing.saved = seats, timing
        self.state.bots = self.bots()
        self.apply_dice_steps(steps)

    async def _save(
        self,
        state: GameState,
        game_events: Sequence[GameEvent],
        timing: TimingState,
        on_stored: OnStored | None = None,
    ) -> None:
        """Write events, then apply and broadcast them. Nobody learns of them before they are on
        disk.
        """
        snapshot, rows = (
            snapshot_of(state) if is_due(self.state.seq, state.seq) else None,
            [event.row() for event in game_events],
        )
        try:
            also: list[Change] = [
                *self._timing_statements(timing),
                *self._result_steps(state, self.seats),
            ]
            await self.store.add_events(self.id, rows, state.standing(), snapshot, also=also)
        except WriteFailed as error:
            await self.handle_failed_write(error)
        self.state, self.timing.saved = state, timing
        if on_stored:
            on_stored(game_events[0].seq)
            # let other movers whose events are on disk be acknowledged first
            await asyncio.sleep(0)
        self.apply_saved(state, game_events, timing)

    def apply_saved(
        self, state: GameState, game_events: Sequence[GameEvent], timing: TimingState
    ) -> None:
        """Apply stored events and broadcast them."""
        self.state, self.last_event_at, self.timing.saved = state, time.monotonic(), timing
        for moment in moments(game_events, one_by_one=state.lesson is not None):
            for viewer in self.viewers:
                viewer.post(moment.message(viewer.seat))
        state.drop_cache()
        self.broadcast_timing()

    async def handle_failed_write(self, error: WriteFailed) -> NoReturn:
        """Raise after a failed write. The caller holds the lock.

        If another server wrote first, its rows are applied and the command can be retried;
        otherwise the table is reloaded.
        """
        if isinstance(error, WriteConflict):
            with contextlib.suppress(ReadFailed):
                await catch_up(self)
            if self.deleted:
                raise RequestRefused("deleted", 404) from None
            raise StaleTable from None
        # If the database is unreachable, reading would fail too; the caller should hear soon.
        if not isinstance(error, Unreachable):
            await self.reload()
        raise RequestRefused("not_kept", 503) from None

    def note_deleted(self) -> None:
        self.deleted = True
        self.broadcast(protocol.Refused(None, RequestRefused("deleted").reason))

    async def reload(self) -> None:
        """Reload from the store and send everybody the complete state. If the database does not
        answer, keep what is known: the next write is then refused as well.
        """
        with contextlib.suppress(ReadFailed):
            await self._reload()

    async def _reload(self) -> None:
        row_and_seats = await self.store.table(self.id)
        if row_and_seats is None:
            self.note_deleted()
            return
        self.rematch, self.host, self.seats = (
            row_and_seats[0].rematch,
            row_and_seats[0].host,
            row_and_seats[1],
        )
        self.shares.reset(await self.store.steps(self.id))
        self.coach = CoachLog(await self.store.notes(self.id))
        self.timing.saved = await load_timing(self.store, self.id)
        self.chat.lines = await load_chat(self.store, self.id)
        self._signal_dice_step()
        await self.load()
        self.update_away()
        for viewer in self.viewers:
            self.send_full_state(viewer)

    async def load(self) -> None:
        """Restore the game from its latest usable snapshot and the events since."""
        snapshot = await self.store.snapshot(self.id)
        state = self._start()
        with contextlib.suppress(ValueError):
            state = restored(state, snapshot) if snapshot and not self.old else state
        rows = await self.store.events(self.id, state.seq)
        await asyncio.to_thread(state.replay, rows)  # long games take a while
        self.state = state
        if len(rows) > EVERY and not self.old:
            with contextlib.suppress(WriteFailed):  # if it fails, the next load takes as long again
                await self.store.save_snapshot(self.id, snapshot_of(state))

    def _start(self) -> GameState:
        """The game before its first event."""
        start = start_of(self._row)
        lesson = None if self.old else lesson_at(start.game, self.shares)
        return GameState(start, self.shares.seed(), self.bots(), lesson, self.rated)

    # ------------------------------------------------------------ messages

    async def watch(self, viewer: LocalViewer, after: int) -> None:
        """Add a viewer and send the complete state, with events after `after`."""
        async with self.lock:
            rows = await self.store.events(self.id, after)
            # another server has written events that were not announced here yet
            if (rows[-1].seq if rows else after) > self.state.seq:
                await catch_up(self)
                if self.deleted:
                    raise RequestRefused("deleted", 404)
                rows = [
                    row
                    for row in await self.store.events(self.id, after)
                    if row.seq <= self.state.seq
                ]
            if not viewer.connected:  # it disconnected while we were reading
                return
            if viewer not in self.viewers:
                self.viewers.append(viewer)
                self.update_away()
            viewer.post(encode(full_state(self, viewer, rows)))

    def send_full_state(self, viewer: LocalViewer) -> None:
        """Send the complete state to a viewer who changed seats."""
        viewer.post(encode(full_state(self, viewer, [])))

    def remove_viewer(self, viewer: LocalViewer) -> None:
        """Remove a viewer."""
        if viewer in self.viewers:
            self.viewers.remove(viewer)
            self.note_page_closed(viewer.player)

    def timing_now(self) -> protocol.TimingNow | None:
        """Clocks, proposals and absences for everybody; None where there are none."""
        if self.state.lesson or self.old or not (self.begun or self.timing.clocks):
            return None
        self.timing.note_absent(
            [] if self.timing.by_days or self.rated or not self.begun else self._absent()
        )
        return self.timing.message(
            self.state, self.seats, self.present() if self.timing.away else []
        )

    def _absent(self) -> list[int]:
        """Seats everybody waits for whose players are away."""
        return (
            [seat for seat in seats_on_move(self.state, self.seats) if seat in self.away]
            if self.away
            else []
        )

    def coach_status(self) -> protocol.Coaching | None:
        """The coach's status for everybody; None without a coach."""
        unaided = self.old or self.rated or bool(self.event_id)
        return None if self.state.lesson or unaided else self.coach.status(self.seats)

    def chat_settings(self) -> protocol.ChatSettings | None:
        """Chat settings and lines; None with nobody to talk to."""
        return (
            self.chat.settings(self.position.game.name)
            if self.is_multiplayer and not self.old
            else None
        )

    def dice(self) -> protocol.DicePromise:
        return self.shares.promise(self.over)

    def broadcast(self, message: msgspec.Struct) -> None:
        data = encode(message)
        for viewer in self.viewers:
            viewer.post(data)

    def broadcast_seats(self) -> None:
        self.sent_seats = seats_now(self)
        for viewer in self.viewers:
            viewer.post(encode(protocol.Seats(self.sent_seats, self.seats_of(viewer.player))))
        self.broadcast(protocol.CoachNow(self.coach_status()))
        self.broadcast_timing()

    def broadcast_timing(self) -> None:
        """Broadcast timing if it changed, and measure the lag of players whose clocks run."""
        timing = self.timing_now()
        if timing is None or (timing == self.sent_timing and timing.clocks is None):
            return
        self.sent_timing = timing
        self.broadcast(timing)
        for viewer in self.viewers:
            if timing.clocks and set(timing.clocks.running) & set(self.seats_of(viewer.player)):
                viewer.measure_lag()
