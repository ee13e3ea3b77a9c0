"""Creates tables (new, rematches, branches, lessons, events) and seats people at them."""

import contextlib
import hmac
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from souk.core.game_registry import find_game
from souk.core.lessons import Lesson
from souk.core.position import Position
from souk.games import names as game_names
from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_info
from souk.server.common.rate_limits import PerClientLimits
from souk.server.common.request_pool import RequestPool
from souk.server.common.tokens import digest
from souk.server.compute.scheduler import BotScheduler
from souk.server.dice.commitments import SeedShares, first_steps, lesson_steps
from souk.server.dice.fair_dice import digest_of, new_share
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused, refusal_of
from souk.server.protocol.table import NOBODY
from souk.server.storage import maintenance
from souk.server.storage.errors import WriteFailed, refuse_failed_writes
from souk.server.storage.rows import DiceStep, Profile, SeatRow, Standing, Statement, TableRow
from souk.server.storage.store import Store
from souk.server.tables.chat.word_filter import WordFilter
from souk.server.tables.coach.fair_play import FairPlay
from souk.server.tables.game.game_events import GameEvent
from souk.server.tables.game.game_state import GameState
from souk.server.tables.game.old_games import is_old
from souk.server.tables.game.rated_rules import check_complete, check_once, checked_rated
from souk.server.tables.game.records import StoredGame, record_of
from souk.server.tables.presence import update_presence
from souk.server.tables.registry import TableRegistry
from souk.server.tables.seats import (
    checked_hex,
    checked_level,
    checked_name,
    new_table_id,
    seat_rows,
    unique_name,
)
from souk.server.tables.setup.branches import (
    StartPosition,
    playable,
    position_after,
    read_position,
    seats_of_branch,
)
from souk.server.tables.setup.lessons import is_class, lesson_of, seats_for
from souk.server.tables.table import Table
from souk.server.tables.timing.clocks import GameClock, checked_terms
from souk.server.tables.timing.table_timing import seats_on_move
from souk.server.tables.timing.timing_rows import TimingState, save_statements

_MOST_SEARCHED = 60  # tables searched for a lesson
_MOST_STEPS = 100  # dice steps of a table, after which nobody more may sit down


class TableFactory:
    """Creates tables and fills offered seats."""

    def __init__(
        self,
        config: ServerConfig,
        store: Store,
        tables: TableRegistry,
        bot_scheduler: BotScheduler,
        pool: RequestPool,
        fair_play: FairPlay,
        profile_of: Callable[[bytes | None], Awaitable[Profile]],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now, self._pool, self._fair_play = now, pool, fair_play
        self.word_filter = WordFilter()  # for names
        self._config, self._store, self._tables, self._bot_scheduler = (
            config,
            store,
            tables,
            bot_scheduler,
        )
        self._profile_of = profile_of
        self.limits = PerClientLimits(config.table_rate, config.table_burst)

    async def new_table(
        self, request: lobby_protocol.NewTable, player: bytes, address: str
    ) -> lobby_protocol.TableCreated:
        """Create a table."""
        await self.count(address)
        if request.game not in game_names():
            raise RequestRefused("game_unknown")
        request = checked_rated(request) if request.rated else request
        if request.clock:
            checked_terms(request.clock)
        self._check_public(request)
        for seat in request.seats:
            self.checked_name(seat.name)
        if request.begins:
            return await self._branch(request, request.begins, player, address)
        profile = await self._profile_of(player)
        rows, invitations = seat_rows(request.seats, player, self._config.levels, profile)
        start = await self._pool.run(
            address, _start_position, request.game, len(rows), request.options
        )
        row_at_start = _new_row(
            start, player, checked_level(request.fill, self._config.levels) if request.fill else ""
        )
        row_at_start = row_at_start._replace(
            free_talk=request.free_talk, rated=request.rated, public=request.public
        )
        row = await self._create(
            row_at_start,
            start,
            rows,
            _own_share(request.seats, request.commitment),
            clock=request.clock,
        )
        return lobby_protocol.TableCreated(row.id, invitations)

    def _check_public(self, request: lobby_protocol.NewTable) -> None:
        """Strangers may join public tables: phrases only, and only games from the start."""
        if request.public and not self._config.public_lobby:
            raise RequestRefused("not_public", 409)
        if request.public and request.free_talk:
            raise RequestRefused("public_talk")
        if request.public and request.begins:
            raise RequestRefused("public_branch")

    def checked_name(self, name: str) -> str:
        """A displayable name the host has not forbidden."""
        plain = checked_name(name)
        self.word_filter.check_name(plain)
        return plain

    async def create_public(
        self,
        game: str,
        seats: Sequence[SeatRow],
        shares: dict[int, str],
        clock: protocol.ClockTerms | None,
    ) -> str:
        """Create a public table for matched players; returns its id."""
        start, host = (
            _start_position(game, len(seats), {}),
            next(row.player for row in seats if row.player),
        )
        profiles = {row.seat: await self._profile_of(row.player) for row in seats if row.player}
        seats = [
            row._replace(figure=profiles[row.seat].figure, colour=profiles[row.seat].colour)
            if row.seat in profiles
            else row
            for row in seats
        ]
        return (
            await self._create(
                _new_row(start, host)._replace(public=True), start, seats, shares, clock=clock
            )
        ).id

    async def _branch(
        self,
        request: lobby_protocol.NewTable,
        start_from: lobby_protocol.StartFrom,
        player: bytes,
        address: str,
    ) -> lobby_protocol.TableCreated:
        """Create a table for one person against bots, from another position."""
        self.checked_name(start_from.name)
        start, branch, previous_seats = await self._start_from(request.game, start_from, address)
        if not branch.table:  # a custom position: bots and coach would give advice on it
            await self._fair_play.check(player, address, request.game, lambda: [start])
        seats = seats_of_branch(
            start_from, start.players, request.seats, previous_seats, self._config.levels
        )
        rows, _ = seat_rows(seats, player, self._config.levels, await self._profile_of(player))
        new = _new_row(start, player)._replace(opening=StartPosition.at(start, branch).text())
        row = await self._create(
            new, start, rows, _own_share(seats, request.commitment), clock=request.clock
        )
        return lobby_protocol.TableCreated(row.id, {})

    async def _start_from(
        self, game: str, start_from: lobby_protocol.StartFrom, address: str
    ) -> tuple[Position, protocol.Branch, Sequence[SeatRow]]:
        """The start position, its origin, and the seats of the original table."""
        if start_from.position is not None:
            start = await self._pool.run(
                address, read_position, find_game(game), start_from.position
            )
            return playable(start), protocol.Branch(), ()
        async with self._tables.at(start_from.table) as table:
            if table.old:
                raise RequestRefused("other_rules", 409)
            if not table.over or table.position.game.name != game:
                raise RequestRefused("branch_not_over", 409)
            async with table.lock:
                stored = StoredGame.of(table, await self._store.events(table.id))
            start, step = await self._pool.run(
                address, lambda: position_after(record_of(stored), start_from.step)
            )
            return start, protocol.Branch(table.id, step, start_from.step - step), table.seats

    async def create_for_event(
        self,
        name: str,
        game: str,
        seats: Sequence[SeatRow],
        host: bytes,
        clock: protocol.ClockTerms,
        made: Statement,
    ) -> None:
        """Create a table of an event, which starts once all its people are there.

        `made` is written in the same transaction, so that the table is created only once.
        """
        start = _start_position(game, len(seats), {})
        awaited = {row.seat: "" for row in seats if row.kind == "person" and not row.stand_in}
        row = _new_row(start, host)._replace(id=name)
        await self._create(row, start, seats, awaited, clock=clock, also=(made,))

    async def learn(
        self, request: lobby_protocol.StartLesson, player: bytes, address: str
    ) -> lobby_protocol.TableCreated:
        """Continue a player's lesson in a game or start a new one; at most one per game."""
        if request.game not in game_names():
            raise RequestRefused("game_unknown")
        lesson = lesson_of(find_game(request.game))
        self.checked_name(request.name)
        seats = seats_for(lesson, player, request.name)
        earlier = [
            row
            for row, seats_there in await self._store.tables_of(player, _MOST_SEARCHED)
            if row.game == request.game and is_class(seats_there)
        ]
        for row in [] if request.again else earlier:
            if not row.standing.over and await self._is_current(row, lesson):
                return lobby_protocol.TableCreated(row.id, {})
        await self.count(address)
        row = _new_row(lesson.start(), player)
        state = GameState(lesson.start(), row.seed, lesson=lesson)
        first_events = state.begin()
        row = row._replace(standing=state.standing())
        await self._add(row, seats, first_events, lesson_steps(lesson.digest))
        for old in earlier:
            with contextlib.suppress(WriteFailed):  # a failure leaves one too many in the list
                await self._store.write(maintenance.delete_table(old.id))
        return lobby_protocol.TableCreated(row.id, {})

    async def _is_current(self, row: TableRow, lesson: Lesson) -> bool:
        """Whether a table matches today's rules and lesson."""
        shares = SeedShares(row.id, row.seed, await self._store.steps(row.id))
        return not is_old(row) and shares.lesson == lesson.digest

    async def count(self, address: str) -> None:
        """Charge a new table to the address, rematches included, and check that the database has
        room.
        """
        if not self.limits.take(address):
            raise RequestRefused("too_many_tables", 429)
        if self._config.file_bytes and await self._store.size() >= self._config.file_bytes:
            raise RequestRefused("house_full", 503)

    async def rematch(self, table: Table, player: bytes, address: str, commitment: str = "") -> str:
        """Create a table for another game with the same seats; returns its id.

        The next player begins. If another server has already created one, that is it. The player
        asking commits to the dice first, all others are asked again. The caller holds the old
        table's lock.
        """
        check_complete(table)
        await self.count(address)
        # A bot keeps playing for a player who resigned until they return, except among people only.
        seats = [
            row._replace(
                stand_in="" if row.resigned is None or table.rated else row.stand_in, resigned=None
            )
            for row in table.seats
        ]
        others = [seat for seat in table.shares.seats if table.seats[seat].player != player]
        shares = {table.seats_of(player)[0]: checked_hex(commitment)} if commitment else {}
        shares |= dict.fromkeys(others, "")
        game = table.position.game
        opening = table.opening.text() if table.opening else ""
        again = game.box.again(len(seats), table.options)
        start = table.start if table.opening else _start_position(game.name, len(seats), again)
        clock = table.timing.clocks.terms if table.timing.clocks else None
        new = _new_row(start, player, table.fill)._replace(
            opening=opening, free_talk=table.chat.free, rated=table.rated, public=table.public
        )
        try:
            return (await self._create(new, start, seats, shares, table.id, clock)).id
        except RequestRefused:
            await table.reload()
            if not table.rematch:
                raise
            return table.rematch

    async def sit_down(
        self, name: str, request: lobby_protocol.TakeSeat, player: bytes
    ) -> lobby_protocol.SeatTaken:
        """Take a seat offered by its own link or to anybody with the table's address."""
        profile = await self._profile_of(player)
        async with self._tables.at(name) as table:
            if table.old:
                raise RequestRefused("other_rules", 409)
            async with table.lock:
                if table.deleted:
                    raise RequestRefused("table_unknown", 404)
                row = (
                    _invited_seat(table, request.secret)
                    if request.secret
                    else _open_seat(table, player)
                )
                if row.kind != "free":
                    if row.player == player:
                        return lobby_protocol.SeatTaken(table.id, row.seat)
                    raise RequestRefused("seat_taken", 409)
                _check_step_limit(table)
                check_once(table, player)
                shown_name = self._name_at(table, row, request.name, profile, player)
                commitment = checked_hex(request.commitment) if request.commitment else ""
                steps = []
                if commitment and not table.shares.closed:
                    steps.append(("commits", row.seat, commitment))
                taken = row._replace(kind="person", name=shown_name, player=player, stand_in="")
                await table.change_seat(
                    taken._replace(figure=profile.figure, colour=profile.colour), *steps
                )
            log_info("sat down", table=table.id, seat=row.seat)
            update_presence(table)
            return lobby_protocol.SeatTaken(table.id, row.seat)

    def _name_at(
        self, table: Table, row: SeatRow, wanted: str, profile: Profile, player: bytes
    ) -> str:
        """The name for somebody who sits down, unlike any other at the table and in its chat."""
        name = (
            self.checked_name(wanted)
            or profile.name
            or row.name
            or maintenance.guest_name(row.seat)
        )
        others = [other.name for other in table.seats if other.seat != row.seat]
        return unique_name(name, [*others, *table.chat.names_of_others(player)])

    async def invitation(
        self, name: str, secret: str, player: bytes | None
    ) -> lobby_protocol.Invited:
        """Whether a link still offers its seat."""
        async with self._tables.at(name) as table:
            row = _invited_seat(table, secret)
            mine = row.player is not None and row.player == player
            return lobby_protocol.Invited(
                row.seat, "mine" if mine else "free" if row.kind == "free" else "taken"
            )

    async def _create(
        self,
        row: TableRow,
        start: Position,
        seats: Sequence[SeatRow],
        shares: dict[int, str],
        after: str = "",
        clock: protocol.ClockTerms | None = None,
        also: Sequence[Statement] = (),
    ) -> TableRow:
        """Store a new table; it starts at once if nobody is awaited.

        Args:
            shares: by seat, in order, the commitments to the dice; "" for one still to come.
        """
        steps = first_steps(shares.items())
        first_events: list[GameEvent] = []
        clocks = GameClock.new(clock, len(seats)) if clock else None
        if not shares and not any(seat.kind == "free" for seat in seats):
            dice = SeedShares(row.id, row.seed, steps)
            steps += dice.next(("closes", NOBODY, ""), ("begins", NOBODY, ""))
            state = GameState(start, dice.seed())
            first_events = state.begin()
            row = row._replace(standing=state.standing())
            clocks = clocks.thinking(seats_on_move(state, seats), self._now()) if clocks else None
        await self._add(row, seats, first_events, steps, after, TimingState(1, clocks), also)
        self._bot_scheduler.precompiler.prioritise(start.game.name)
        return row

    async def _add(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        first_events: Sequence[GameEvent],
        steps: Sequence[DiceStep],
        after: str = "",
        timing: TimingState = TimingState(),  # noqa: B008  immutable
        also: Sequence[Statement] = (),
    ) -> None:
        """Insert the table."""
        rows, kept = (
            [event.row() for event in first_events],
            save_statements(row.id, TimingState(), timing, self._now()),
        )
        with refuse_failed_writes():
            await self._store.add_table(
                row, seats, rows, after, steps, [*(kept if timing.clocks else ()), *also]
            )
        log_info(
            "new table", table=row.id, game=row.game, players=len(seats), lesson=is_class(seats)
        )


def _new_row(start: Position, host: bytes, fill: str = "") -> TableRow:
    """The row of a table that has not started: nobody is to move."""
    share, now = new_share(), time.time()
    return TableRow(
        new_table_id(),
        start.game.name,
        start.game.version,
        start.players,
        start.options,
        share,
        digest_of(share),
        now,
        now,
        Standing(False, (), start.scores, ()),
        host=host,
        fill=fill,
    )


def _invited_seat(table: Table, secret: str) -> SeatRow:
    for row in table.seats:
        if row.invitation and hmac.compare_digest(row.invitation, digest(secret)):
            return row
    raise RequestRefused("invitation_unknown", 404)


def _open_seat(table: Table, player: bytes) -> SeatRow:
    """The seat for somebody with the table's address: their own, or the first open one."""
    if mine := table.seats_of(player):
        return table.seats[mine[0]]
    if row := next((row for row in table.seats if row.is_open), None):
        return row
    raise RequestRefused("begun" if table.shares.closed else "no_open_seat", 409)


def _check_step_limit(table: Table) -> None:
    """Limit joining and leaving, as every step is stored."""
    if len(table.shares.steps) >= _MOST_STEPS:
        raise RequestRefused("restless", 409)


def _start_position(game: str, players: int, options: dict[str, Any]) -> Position:
    """The game's start position."""
    try:
        return find_game(game).start_with(players, options)
    except ValueError as error:
        raise refusal_of(error, "options") from None


def _own_share(seats: Sequence[lobby_protocol.SeatRequest], commitment: str) -> dict[int, str]:
    """The creator's commitment by seat, if given."""
    mine = next(seat for seat, seat_request in enumerate(seats) if seat_request.who == "me")
    return {mine: checked_hex(commitment)} if commitment else {}
