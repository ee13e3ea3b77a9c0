"""Where tables are asked for: the lobby's list, new tables and rematches, seats that are offered."""

import asyncio
import contextlib
import hmac
import time
from collections.abc import Callable, Sequence
from typing import Any

from souk.bots.nameplates import FIGURES, fitting
from souk.core.lessons import Lesson
from souk.core.position import Position
from souk.core.shelf import find_game
from souk.games import names as game_names
from souk.table import chores, lobby_protocol, protocol
from souk.table.boxes import check_options
from souk.table.branches import Opening, playable, position_after, read_position, seats_of_branch
from souk.table.classes import is_class, lesson_of, seats_for
from souk.table.clocks import Clocks, checked_terms
from souk.table.course import Course
from souk.table.fairness import digest_of, new_share
from souk.table.forbidden import Forbidden
from souk.table.happenings import Happening
from souk.table.life_rows import Life, statements
from souk.table.limits import Buckets
from souk.table.lobby import game_cards, table_card
from souk.table.logs import note
from souk.table.people import People
from souk.table.presence import note_presence
from souk.table.protocol import NOBODY
from souk.table.rated import check_complete, check_once, checked_rated
from souk.table.records import OnDisk, record_of
from souk.table.refusals import Refuse, reason_of
from souk.table.relics import is_old
from souk.table.seating import (
    check_option_texts,
    checked_digits,
    checked_level,
    checked_name,
    digest,
    new_table_id,
    seat_rows,
    unlike,
)
from souk.table.settings import Settings
from souk.table.shares import Shares, first_steps, known_steps
from souk.table.store import DiceStep, NotKept, SeatRow, Standing, Statement, Store, TableRow
from souk.table.table import Table
from souk.table.table_life import thinking
from souk.table.tables import Tables
from souk.table.thinkers import Thinkers

_MOST_LISTED = 60  # tables in a lobby
_MOST_STEPS = 100  # of a table's dice, before nobody more may sit down there


class Reception:
    """Makes tables, and shows people to their seats."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        tables: Tables,
        thinkers: Thinkers,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now = now
        self.forbidden = Forbidden()  # names
        self._settings, self._store, self._tables, self._thinkers = settings, store, tables, thinkers
        self._people = People(store)
        self.made = Buckets(settings.table_rate, settings.table_burst)

    async def lobby(self, player: bytes | None, announcement: str = "") -> lobby_protocol.Lobby:
        tables = await self._store.tables_of(player, _MOST_LISTED + 1) if player else []
        cards = [table_card(row, seats, player) for row, seats in tables[:_MOST_LISTED]]
        names = [fitting(seat) for seat in range(len(FIGURES))]
        levels, more = list(self._settings.levels), len(tables) > _MOST_LISTED
        public = self._settings.public_lobby
        return lobby_protocol.Lobby(protocol.VERSION, game_cards(), levels, names, cards, announcement, more, public)

    async def new_table(self, wish: lobby_protocol.NewTable, player: bytes, address: str) -> lobby_protocol.TableMade:
        """Lay out a new table."""
        await self.count(address)
        if wish.game not in game_names():
            raise Refuse("game_unknown")
        wish = checked_rated(wish) if wish.rated else wish
        if wish.clock:
            checked_terms(wish.clock)
        self._check_public(wish)
        for each in wish.seats:
            self.forbidden.check_name(each.name)
        if wish.begins:
            return await self._branch(wish, wish.begins, player)
        face = await self._people.face(player)
        rows, invitations = seat_rows(wish.seats, player, self._settings.levels, face)
        check_option_texts(check_options(wish.game, wish.options))
        start = _started(wish.game, len(rows), wish.options)
        new = _new_row(start, player, checked_level(wish.fill, self._settings.levels) if wish.fill else "")
        new = new._replace(free_talk=wish.free_talk, rated=wish.rated, public=wish.public)
        row = await self._lay_out(new, start, rows, _share_of_mine(wish.seats, wish.commitment), clock=wish.clock)
        return lobby_protocol.TableMade(row.id, invitations)

    def _check_public(self, wish: lobby_protocol.NewTable) -> None:
        """Strangers may come to a public table: there are only phrases to be said, and its game is one that counts."""
        if wish.public and not self._settings.public_lobby:
            raise Refuse("not_public", 409)
        if wish.public and wish.free_talk:
            raise Refuse("public_talk")
        if wish.public and wish.begins:
            raise Refuse("public_branch")

    def checked_name(self, name: str) -> str:
        """A name that can be shown, and that the host has not forbidden."""
        plain = checked_name(name)
        self.forbidden.check_name(plain)
        return plain

    async def for_strangers(
        self, game: str, seats: Sequence[SeatRow], shares: dict[int, str], clock: protocol.ClockTerms | None
    ) -> str:
        """A public table for people who were found for each other: its id."""
        start, host = _started(game, len(seats), {}), next(row.player for row in seats if row.player)
        faces = {row.seat: await self._people.face(row.player) for row in seats if row.player}
        seats = [
            row._replace(figure=faces[row.seat].figure, colour=faces[row.seat].colour) if row.seat in faces else row
            for row in seats
        ]
        return (await self._lay_out(_new_row(start, host)._replace(public=True), start, seats, shares, clock=clock)).id

    async def _branch(
        self, wish: lobby_protocol.NewTable, begins: lobby_protocol.Elsewhere, player: bytes
    ) -> lobby_protocol.TableMade:
        """A table for me against bots that begins elsewhere."""
        self.forbidden.check_name(begins.name)
        start, branch, before = await self._elsewhere(wish.game, begins)
        seats = seats_of_branch(begins, start.players, wish.seats, before, self._settings.levels)
        rows, _ = seat_rows(seats, player, self._settings.levels, await self._people.face(player))
        new = _new_row(start, player)._replace(opening=Opening.at(start, branch).text())
        row = await self._lay_out(new, start, rows, _share_of_mine(seats, wish.commitment), clock=wish.clock)
        return lobby_protocol.TableMade(row.id, {})

    async def _elsewhere(
        self, game: str, begins: lobby_protocol.Elsewhere
    ) -> tuple[Position, protocol.Branch, Sequence[SeatRow]]:
        """Where to begin, how that is said, and who sat there before."""
        if begins.position is not None:
            start = await asyncio.to_thread(read_position, find_game(game), begins.position)
            return playable(start), protocol.Branch(), ()
        async with self._tables.at(begins.table) as table:
            if table.old:
                raise Refuse("other_rules", 409)
            if not table.over or table.position.game.name != game:
                raise Refuse("branch_not_over", 409)
            async with table.lock:
                found = OnDisk.of(table, await self._store.events(table.id))
            start, step = await asyncio.to_thread(lambda: position_after(record_of(found), begins.step))
            return start, protocol.Branch(table.id, step, begins.step - step), table.seats

    async def lay_out_for_evening(
        self,
        name: str,
        game: str,
        seats: Sequence[SeatRow],
        host: bytes,
        clock: protocol.ClockTerms,
        made: Statement,
    ) -> None:
        """A table of an evening (`souk.table.organising`), under the name it was drawn with. It begins when all persons are there. `made` is
        written together with it, so that there is one such table."""
        start = _started(game, len(seats), {})
        awaited = {row.seat: "" for row in seats if row.kind == "person" and not row.stand_in}
        row = _new_row(start, host)._replace(id=name)
        await self._lay_out(row, start, seats, awaited, clock=clock, also=(made,))

    async def learn(self, wish: lobby_protocol.Learn, player: bytes, address: str) -> lobby_protocol.TableMade:
        """Go on with somebody's lesson in a game, or begin one. Of each game there is one at most: another takes its place."""
        if wish.game not in game_names():
            raise Refuse("game_unknown")
        lesson = lesson_of(find_game(wish.game))
        self.forbidden.check_name(wish.name)
        seats = seats_for(lesson, player, wish.name)
        begun = [
            row
            for row, sitting in await self._store.tables_of(player, _MOST_LISTED)
            if row.game == wish.game and is_class(sitting)
        ]
        for row in [] if wish.again else begun:
            if not row.standing.over and await self._goes_on(row, lesson):
                return lobby_protocol.TableMade(row.id, {})
        await self.count(address)
        row = _new_row(lesson.start(), player)
        course = Course(lesson.start(), row.seed, lesson=lesson)
        happenings = course.begin()
        row = row._replace(standing=course.standing())
        await self._add(row, seats, happenings, known_steps(lesson.digest))
        for old in begun:
            with contextlib.suppress(NotKept):  # then there is one too many in the list
                await self._store.carry_out(chores.deletion(old.id))
        return lobby_protocol.TableMade(row.id, {})

    async def _goes_on(self, row: TableRow, lesson: Lesson) -> bool:
        """Whether a table is still played by today's rules and lesson."""
        shares = Shares(row.id, row.seed, await self._store.steps(row.id))
        return not is_old(row) and shares.lesson == lesson.digest

    async def count(self, address: str) -> None:
        """Every new table counts, also one where the same people play again; and there must be room for it."""
        if not self.made.take(address):
            raise Refuse("too_many_tables", 429)
        if self._settings.file_bytes and await self._store.size() >= self._settings.file_bytes:
            raise Refuse("house_full", 503)

    async def rematch(self, table: Table, player: bytes, address: str, commitment: str = "") -> str:
        """The same people in the same seats, a new game, in which the next one begins: the id of its table. Where another server has laid one out already, it is that one. The caller
        holds the old table's lock. Whoever asks commits first; all others who had a share in the dice will be asked for one again."""
        check_complete(table)
        await self.count(address)
        # Nobody waits for somebody who resigned: a bot plays for them, unless they come back. Not where only people play.
        seats = [
            row._replace(stand_in="" if row.resigned is None or table.rated else row.stand_in, resigned=None)
            for row in table.seats
        ]
        others = [seat for seat in table.shares.seats if table.seats[seat].player != player]
        shares = {table.seats_of(player)[0]: checked_digits(commitment)} if commitment else {}
        shares |= dict.fromkeys(others, "")
        game = table.position.game
        opening = table.opening.text() if table.opening else ""
        again = game.box.again(len(seats), table.options)
        start = table.start if table.opening else _started(game.name, len(seats), again)
        clock = table.life.clocks.terms if table.life.clocks else None
        new = _new_row(start, player, table.fill)._replace(
            opening=opening, free_talk=table.talk.free, rated=table.rated, public=table.public
        )
        try:
            return (await self._lay_out(new, start, seats, shares, table.id, clock)).id
        except Refuse:
            await table.reload()
            if not table.rematch:
                raise
            return table.rematch

    async def sit_down(self, name: str, wish: lobby_protocol.SitDown, player: bytes) -> lobby_protocol.Seated:
        """Take a seat that was offered by a link of its own, or to anybody who has the table's address."""
        face = await self._people.face(player)
        async with self._tables.at(name) as table:
            if table.old:
                raise Refuse("other_rules", 409)
            async with table.lock:
                if table.gone:
                    raise Refuse("table_unknown", 404)
                row = _invited(table, wish.secret) if wish.secret else _open_to(table, player)
                if row.kind != "free":
                    if row.player == player:
                        return lobby_protocol.Seated(table.id, row.seat)
                    raise Refuse("seat_taken", 409)
                _check_calm(table)
                check_once(table, player)
                asked = self.checked_name(wish.name) or face.name or row.name or chores.guest(row.seat)
                plain = unlike(asked, (other.name for other in table.seats if other.seat != row.seat))
                commitment = checked_digits(wish.commitment) if wish.commitment else ""
                steps = [("commits", row.seat, commitment)] if commitment and not table.shares.closed else []
                sitting = row._replace(kind="person", name=plain, player=player, stand_in="")
                await table.change_seat(sitting._replace(figure=face.figure, colour=face.colour), *steps)
            note("sat down", table=table.id, seat=row.seat)
            note_presence(table)
            return lobby_protocol.Seated(table.id, row.seat)

    async def invitation(self, name: str, secret: str, player: bytes | None) -> lobby_protocol.Invited:
        """Whether a link still offers its seat."""
        async with self._tables.at(name) as table:
            row = _invited(table, secret)
            mine = row.player is not None and row.player == player
            return lobby_protocol.Invited(row.seat, "mine" if mine else "free" if row.kind == "free" else "taken")

    async def _lay_out(
        self,
        row: TableRow,
        start: Position,
        seats: Sequence[SeatRow],
        shares: dict[int, str],
        after: str = "",
        clock: protocol.ClockTerms | None = None,
        also: Sequence[Statement] = (),
    ) -> TableRow:
        """A table that will begin when all are there; where nobody is waited for, it has begun. `shares`: by seat, in order, the
        commitments to the dice, "" for one that is still to come."""
        steps = first_steps(shares.items())
        happenings: list[Happening] = []
        clocks = Clocks.new(clock, len(seats)) if clock else None
        if not shares and not any(seat.kind == "free" for seat in seats):  # there is nobody to wait for
            given = Shares(row.id, row.seed, steps)
            steps += given.next(("closes", NOBODY, ""), ("begins", NOBODY, ""))
            course = Course(start, given.seed())
            happenings = course.begin()
            row = row._replace(standing=course.standing())
            clocks = clocks.thinking(thinking(course, seats), self._now()) if clocks else None
        await self._add(row, seats, happenings, steps, after, Life(1, clocks), also)
        self._thinkers.waking.wanted(start.game.name)
        return row

    async def _add(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        happenings: Sequence[Happening],
        steps: Sequence[DiceStep],
        after: str = "",
        life: Life = Life(),  # noqa: B008  it never changes
        also: Sequence[Statement] = (),
    ) -> None:
        """From now on there is this table."""
        rows, kept = [each.row() for each in happenings], statements(row.id, Life(), life, self._now())
        try:
            await self._store.add_table(row, seats, rows, after, steps, [*(kept if life.clocks else ()), *also])
        except NotKept:
            raise Refuse("not_kept", 503) from None
        note("new table", table=row.id, game=row.game, players=len(seats), lesson=is_class(seats))


def _new_row(start: Position, host: bytes, fill: str = "") -> TableRow:
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
        host=host,
        fill=fill,
    )


def _invited(table: Table, secret: str) -> SeatRow:
    for row in table.seats:
        if row.invitation and hmac.compare_digest(row.invitation, digest(secret)):
            return row
    raise Refuse("invitation_unknown", 404)


def _open_to(table: Table, player: bytes) -> SeatRow:
    """A seat for somebody who came by the table's address: that which they have already, or the first that is open."""
    if mine := table.seats_of(player):
        return table.seats[mine[0]]
    if found := next((row for row in table.seats if row.is_open), None):
        return found
    raise Refuse("begun" if table.shares.closed else "no_open_seat", 409)


def _check_calm(table: Table) -> None:
    """Sitting down and getting up again is kept, so it cannot go on for ever."""
    if len(table.shares.steps) >= _MOST_STEPS:
        raise Refuse("restless", 409)


def _started(game: str, players: int, options: dict[str, Any]) -> Position:
    """A game as it begins."""
    try:
        return find_game(game).start(players, **options)
    except ValueError as error:
        refused = Refuse("options")
        refused.reason = reason_of(error)
        raise refused from None


def _share_of_mine(seats: Sequence[lobby_protocol.SeatWish], commitment: str) -> dict[int, str]:
    """By seat: the commitment of whoever asks for a table."""
    mine = next(seat for seat, each in enumerate(seats) if each.who == "me")
    return {mine: checked_digits(commitment)} if commitment else {}
