"""Where tables are asked for: the lobby's list, new tables and rematches, seats that are offered by link."""

import contextlib
import hmac
import re
import time
from collections.abc import Sequence
from typing import Any

from souk.bots.nameplates import FIGURES, fitting
from souk.core.lessons import Lesson
from souk.core.position import Position
from souk.core.shelf import find_game
from souk.games import names as game_names
from souk.table import chores, protocol
from souk.table.boxes import check_options
from souk.table.classes import is_class, lesson_of, seats_for
from souk.table.course import Course, Happening
from souk.table.fairness import digest_of, new_share
from souk.table.limits import Buckets
from souk.table.lobby import game_cards, table_card
from souk.table.logs import note
from souk.table.presence import note_presence
from souk.table.protocol import NOBODY
from souk.table.refusals import Refuse, reason_of
from souk.table.relics import is_old
from souk.table.seating import checked_digits, checked_name, digest, new_table_id, seat_rows, unlike
from souk.table.settings import Settings
from souk.table.shares import Shares, first_steps, known_steps
from souk.table.store import DiceStep, NotKept, SeatRow, Standing, Store, TableRow
from souk.table.table import Table
from souk.table.tables import Tables
from souk.table.thinkers import Thinkers

_MOST_LISTED = 60  # tables in a lobby
_OPTION_TEXT = re.compile(r"\w{1,20}")  # names of what is in the box; never the path of a file


class Reception:
    """Makes tables, and shows people to their seats."""

    def __init__(self, settings: Settings, store: Store, tables: Tables, thinkers: Thinkers) -> None:
        self._settings, self._store, self._tables, self._thinkers = settings, store, tables, thinkers
        self._made = Buckets(settings.table_rate, settings.table_burst)

    async def lobby(self, player: bytes | None, announcement: str = "") -> protocol.Lobby:
        tables = await self._store.tables_of(player, _MOST_LISTED) if player else []
        cards = [table_card(row, seats, player) for row, seats in tables]
        names = [fitting(seat) for seat in range(len(FIGURES))]
        return protocol.Lobby(protocol.VERSION, game_cards(), list(self._settings.levels), names, cards, announcement)

    async def new_table(self, wish: protocol.NewTable, player: bytes, address: str) -> protocol.TableMade:
        """Lay out a new table."""
        await self._count(address)
        if wish.game not in game_names():
            raise Refuse("game_unknown")
        rows, invitations = seat_rows(wish.seats, player, self._settings.levels)
        _check_options(check_options(wish.game, wish.options))
        mine = next(seat for seat, each in enumerate(wish.seats) if each.who == "me")
        shares = {mine: checked_digits(wish.commitment)} if wish.commitment else {}
        row = await self._lay_out(wish.game, wish.options, rows, shares)
        return protocol.TableMade(row.id, invitations)

    async def learn(self, wish: protocol.Learn, player: bytes, address: str) -> protocol.TableMade:
        """Go on with somebody's lesson in a game, or begin one. Of each game there is one at most: another takes its place."""
        if wish.game not in game_names():
            raise Refuse("game_unknown")
        lesson = lesson_of(find_game(wish.game))
        seats = seats_for(lesson, player, wish.name)
        begun = [
            row
            for row, sitting in await self._store.tables_of(player, _MOST_LISTED)
            if row.game == wish.game and is_class(sitting)
        ]
        for row in [] if wish.again else begun:
            if not row.standing.over and await self._goes_on(row, lesson):
                return protocol.TableMade(row.id, {})
        await self._count(address)
        row = _new_row(lesson.start())
        course = Course(lesson.start(), row.seed, lesson=lesson)
        happenings = course.begin()
        row = row._replace(standing=course.standing())
        await self._add(row, seats, happenings, known_steps(lesson.digest))
        for old in begun:
            with contextlib.suppress(NotKept):  # then there is one too many in the list
                await self._store.carry_out(chores.deletion(old.id))
        return protocol.TableMade(row.id, {})

    async def _goes_on(self, row: TableRow, lesson: Lesson) -> bool:
        """Whether a table is still played by today's rules and lesson."""
        shares = Shares(row.id, row.seed, await self._store.steps(row.id))
        return not is_old(row) and shares.lesson == lesson.digest

    async def _count(self, address: str) -> None:
        """Every new table counts, also one where the same people play again; and there must be room for it."""
        if not self._made.take(address):
            raise Refuse("too_many_tables", 429)
        if self._settings.file_bytes and await self._store.size() >= self._settings.file_bytes:
            raise Refuse("house_full", 503)

    async def rematch(self, table: Table, player: bytes, address: str, commitment: str = "") -> str:
        """The same people in the same seats, a new game, in which the next one begins: the id of its table. Where another server has laid one out already, it is that one. The caller
        holds the old table's lock. Whoever asks commits first; all others who had a share in the dice will be asked for one again."""
        await self._count(address)
        seats = [seat._replace(stand_in="") for seat in table.seats]
        others = [seat for seat in table.shares.seats if table.seats[seat].player != player]
        shares = {table.seats_of(player)[0]: checked_digits(commitment)} if commitment else {}
        shares |= dict.fromkeys(others, "")
        game = table.position.game
        options = game.box.again(len(seats), table.options)
        try:
            return (await self._lay_out(game.name, options, seats, shares, table.id)).id
        except Refuse:
            await table.reload()
            if not table.rematch:
                raise
            return table.rematch

    async def sit_down(self, name: str, wish: protocol.SitDown, player: bytes) -> protocol.Seated:
        """Take a seat that was offered by link."""
        async with self._tables.at(name) as table:
            if table.old:
                raise Refuse("other_rules", 409)
            async with table.lock:
                row = _invited(table, wish.secret)
                if row.kind != "free":
                    if row.player == player:
                        return protocol.Seated(table.id, row.seat)
                    raise Refuse("seat_taken", 409)
                asked = checked_name(wish.name) or row.name or f"Guest {row.seat + 1}"
                plain = unlike(asked, (other.name for other in table.seats if other.seat != row.seat))
                commitment = checked_digits(wish.commitment) if wish.commitment else ""
                steps = [("commits", row.seat, commitment)] if commitment and not table.shares.closed else []
                await table.change_seat(row._replace(kind="person", name=plain, player=player, stand_in=""), *steps)
            note("sat down", table=table.id, seat=row.seat)
            note_presence(table)
            return protocol.Seated(table.id, row.seat)

    async def _lay_out(
        self, game: str, options: dict[str, Any], seats: Sequence[SeatRow], shares: dict[int, str], after: str = ""
    ) -> TableRow:
        """A table that will begin when all are there; where nobody is waited for, it has begun. `shares`: by seat, in order, the
        commitments to the dice, "" for one that is still to come."""
        try:
            start = find_game(game).start(len(seats), **options)
        except ValueError as error:
            refused = Refuse("options")
            refused.reason = reason_of(error)
            raise refused from None
        row, steps = _new_row(start), first_steps(shares.items())
        happenings: list[Happening] = []
        if not shares and not any(seat.kind == "free" for seat in seats):  # there is nobody to wait for
            given = Shares(row.id, row.seed, steps)
            steps += given.next(("closes", NOBODY, ""), ("begins", NOBODY, ""))
            course = Course(start, given.seed())
            happenings = course.begin()
            row = row._replace(standing=course.standing())
        await self._add(row, seats, happenings, steps, after)
        self._thinkers.waking.wanted(game)
        return row

    async def _add(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        happenings: Sequence[Happening],
        steps: Sequence[DiceStep],
        after: str = "",
    ) -> None:
        """From now on there is this table."""
        try:
            await self._store.add_table(row, seats, [each.row() for each in happenings], after, steps)
        except NotKept:
            raise Refuse("not_kept", 503) from None
        note("new table", table=row.id, game=row.game, players=len(seats), lesson=is_class(seats))


def _new_row(start: Position) -> TableRow:
    """A table that has not begun: nobody is to move."""
    own, now = new_share(), time.time()
    return TableRow(
        new_table_id(),
        start.game.name,
        start.game.version,
        start.players,
        start.options,
        own,
        digest_of(own),
        now,
        now,
        Standing(False, (), start.scores, ()),
    )


def _invited(table: Table, secret: str) -> SeatRow:
    for row in table.seats:
        if row.invitation and hmac.compare_digest(row.invitation, digest(secret)):
            return row
    raise Refuse("invitation_unknown", 404)


def _check_options(options: dict[str, Any]) -> None:
    """Texts in options are names; the path of a file on this machine is nobody's business."""
    for name, value in options.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and not _OPTION_TEXT.fullmatch(each):
                raise Refuse("option_text", option=name[:20])
