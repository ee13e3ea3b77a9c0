"""Invitations: ask people you have played with to a table, or everybody at a table to a rematch.

The inviter knows others only by their name at a shared table, and addresses them by that table and
seat. An invitation is stored before it is shown. Against pestering: after a refusal the same person
cannot invite again for a day, people can turn invitations off, and both the invitations a person
sends and those waiting for one are limited.
"""

import time
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from souk.server.common.rate_limits import PerClientLimits
from souk.server.lobby.direct_messages import DirectMessages
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.meeting import InvitationCard, InvitationsNow, PastPlayer, PastPlayers
from souk.server.push.notifier import PushNotifier
from souk.server.storage.connection import Connection
from souk.server.storage.errors import refuse_failed_writes
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store
from souk.server.tables.game.views import encode
from souk.server.tables.registry import TableRegistry
from souk.server.tables.table import Table

MAX_PAST_PLAYERS = 24  # shown
MAX_WAITING = 8  # invitations waiting for one person
_MAX_PER_TABLE = 12
_RATE, _BURST = 1 / 60, 12  # invitations per second and person
# After a refusal, the same person cannot invite again for this long.
_SECONDS_AFTER_DECLINE = 86_400.0

_BEGUN = """EXISTS (SELECT 1 FROM dice WHERE dice."table" = invites."table" AND kind = 'closes')"""
_HAS_OPEN_SEAT = """EXISTS (SELECT 1 FROM seats
    WHERE seats."table" = invites."table" AND kind = 'free' AND invitation IS NULL)"""


class Invitations:
    """Sends and answers invitations."""

    def __init__(
        self, store: Store, tables: TableRegistry, messages: DirectMessages, push: PushNotifier
    ) -> None:
        self._store, self._tables = store, tables
        self._direct_messages, self._push_notifier = messages, push
        self.sent = PerClientLimits(_RATE, _BURST)

    async def past_players(self, player: bytes | None, table: str = "") -> PastPlayers:
        """People this person has shared a table with, and the state of invitations to `table`."""
        return PastPlayers(
            [past_player.shown() for past_player in await self._past_players(player, table)]
        )

    async def _past_players(self, player: bytes | None, table: str) -> "list[_PastPlayer]":
        return await self._store.query(_past_players, player, table) if player else []

    async def waiting_for(self, player: bytes | None) -> InvitationsNow:
        return await self._store.query(_waiting_for, player) if player else InvitationsNow([])

    # ------------------------------------------------------------ inviting

    async def invite(self, name: str, player: bytes | None, common: str, seat: int) -> PastPlayers:
        """Invite a past player to a table of this host that has not begun."""
        async with self._tables.at(name) as table:
            if player is None or player != table.host:
                raise RequestRefused("not_host", 403)
            if table.shares.closed:
                raise RequestRefused("begun", 409)
            if not any(row.is_open for row in table.seats):
                raise RequestRefused("no_open_seat", 409)
            other = await self._find_past_player(player, common, seat)
            if table.seats_of(other.player):
                raise RequestRefused("here_already", 409)
            if not self.sent.take(player.hex()):
                raise RequestRefused("too_many_invitations", 429)
            await self._store_invitation(table.id, player, other)
            await self._announce(table, player, [other.player], rematch=False)
            await self.tell_host(table)
        return await self.past_players(player, name)

    async def _find_past_player(self, player: bytes, common: str, seat: int) -> "_PastPlayer":
        """Find a person by a table both have sat at."""
        other = await self._store.query(_sat_at, player, common, seat)
        if other is None:
            raise RequestRefused("fellow_unknown", 404)
        return other

    async def _store_invitation(self, table: str, player: bytes, other: "_PastPlayer") -> None:
        why = await self._store.query(_why_not_invited, table, player, other.player)
        if why:
            raise RequestRefused(why, 409)
        await self._carry_out(
            [_invitation(table, other.player, player, other.name, "asked")], table
        )

    async def rematch(self, old: Table, table: str, player: bytes) -> None:
        """Invite everybody else who played to a rematch; their seats are reserved whether they
        answer or not.
        """
        player_rows = [row for row in old.seats if row.player and row.resigned is None]
        others = {
            row.player: row.name for row in player_rows if row.player and row.player != player
        }
        await self._carry_out(
            [_invitation(table, person, player, name, "again") for person, name in others.items()]
        )
        async with self._tables.at(table) as new:
            # people still at the old table see it there
            away = [person for person in others if person not in old.people]
            await self._announce(new, player, away, rematch=True)

    async def _announce(
        self, table: Table, player: bytes, people: Iterable[bytes], rematch: bool
    ) -> None:
        """Tell people in the lobby, at another table, or by push notification."""
        mine = table.seats_of(player)
        message = protocol.InvitedElsewhere(
            table.id, table.position.game.name, table.seats[mine[0]].name if mine else "", rematch
        )
        for person in people:
            if not (now := await self.waiting_for(person)).wanted:
                continue
            if not await self._direct_messages.reach(person, now, message):
                self._push_notifier.invite(person, message.game, table.id, rematch)

    # ------------------------------------------------------------ answering

    async def arrived(self, table: Table, player: bytes) -> None:
        """An invited person has come to the table: delete the invitation."""
        if table.begun or not await self._store.query(_invited_by, table.id, player):
            return
        delete = "DELETE FROM invites WHERE \"table\" = ? AND player = ? AND (state = 'again' OR ?)"
        await self._carry_out(
            [Statement(delete, (table.id, player, bool(table.seats_of(player))))], table.id
        )
        self._direct_messages.send(player, await self.waiting_for(player))
        await self.tell_host(table)

    async def decline(self, name: str, player: bytes | None) -> InvitationsNow:
        """Decline an invitation; the host sees it, and cannot ask again for a day."""
        host = await self._store.query(_invited_by, name, player)
        if player is None or not host:
            raise RequestRefused("not_invited", 404)
        declined = """UPDATE invites SET state = 'declined'
            WHERE "table" = ? AND player = ? AND state != 'declined'"""
        blocked = """INSERT INTO declines VALUES (?, ?, ?)
            ON CONFLICT (player, host) DO UPDATE SET until = excluded.until"""
        until = time.time() + _SECONDS_AFTER_DECLINE
        changes = [
            Statement(declined, (name, player), exactly_one=True),
            Statement(blocked, (player, host, until)),
        ]
        await self._carry_out(changes, name)
        async with self._tables.at(name) as table:
            await self.tell_host(table)
        return await self._updated(player)

    async def set_wanted(self, player: bytes | None, wanted: bool) -> InvitationsNow:
        """Turn invitations on or off."""
        if player is None:
            raise RequestRefused("no_cookie", 403)
        switch_on = "DELETE FROM uninvited WHERE player = ?"
        # others cannot be invited anyway
        has_seat = "EXISTS (SELECT 1 FROM seats WHERE player = ?)"
        switch_off = Statement(
            f"INSERT INTO uninvited SELECT ? WHERE {has_seat} ON CONFLICT DO NOTHING",
            (player, player),
        )
        await self._carry_out([Statement(switch_on, (player,)) if wanted else switch_off])
        return await self._updated(player)

    async def _updated(self, player: bytes) -> InvitationsNow:
        now = await self.waiting_for(player)
        self._direct_messages.send(player, now)
        return now

    async def tell_host(self, table: Table) -> None:
        """Show the host who was invited, and who has declined."""
        looking = [watcher for watcher in table.viewers if watcher.player == table.host]
        if looking and not table.begun:
            message = encode(protocol.InvitedNow(await self._store.query(_invitees, table.id)))
            for watcher in looking:
                watcher.post(message)

    async def _carry_out(self, changes: list[Statement], table: str = "") -> None:
        with refuse_failed_writes("not_invited", 404):
            await self._store.write(changes, table)


def _invitation(table: str, player: bytes, host: bytes, name: str, state: str) -> Statement:
    insert = """INSERT INTO invites SELECT ?, ?, ?, ?, ?, ?
        WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?) ON CONFLICT DO NOTHING"""
    return Statement(insert, (table, player, host, name, time.time(), state, table))


# ---------------------------------------------------------------- queries


class _PastPlayer(NamedTuple):
    """A person at a table both have sat at."""

    player: bytes
    table: str
    seat: int
    name: str
    game: str
    at: float
    state: str = ""

    def shown(self) -> PastPlayer:
        return msgspec.convert(
            {field: value for field, value in self._asdict().items() if field != "player"},
            PastPlayer,
        )


_TOGETHER = """SELECT other.player, other."table", other.seat, other.name, game, changed, {state}
    FROM seats AS mine JOIN seats AS other ON other."table" = mine."table"
    JOIN tables ON id = mine."table"
    WHERE mine.player = :me AND other.kind = 'person'
    AND other.player IS NOT NULL AND other.player != :me"""


def _past_players(connection: Connection, player: bytes, table: str) -> list[_PastPlayer]:
    """The latest table shared with each person, latest first."""
    state = """coalesce(
        (SELECT CASE state WHEN 'again' THEN 'asked' ELSE state END FROM invites
        WHERE invites."table" = :at AND invites.player = other.player),
        (SELECT 'here' FROM seats WHERE seats."table" = :at AND seats.player = other.player), '')"""
    query = f"{_TOGETHER.format(state=state)} AND id != :at ORDER BY changed DESC LIMIT 500"
    rows = [
        _PastPlayer._make(row) for row in connection.execute(query, {"me": player, "at": table})
    ]
    latest: dict[bytes, _PastPlayer] = {}
    for row in rows:
        latest.setdefault(row.player, row)
    return list(latest.values())[:MAX_PAST_PLAYERS]


def _sat_at(connection: Connection, player: bytes, table: str, seat: int) -> _PastPlayer | None:
    nothing = "''"
    query = f"{_TOGETHER.format(state=nothing)} AND id = :at AND other.seat = :seat LIMIT 1"
    row = connection.execute(query, {"me": player, "at": table, "seat": seat}).fetchone()
    return _PastPlayer._make(row) if row else None


def _waiting_for(connection: Connection, player: bytes) -> InvitationsNow:
    query = f"""SELECT invites."table", game, coalesce(
            (SELECT name FROM seats WHERE seats."table" = id AND seats.player = invites.host
            ORDER BY seat LIMIT 1), ''),
        players, state = 'again', at, (SELECT terms FROM timing WHERE timing."table" = id)
        FROM invites JOIN tables ON id = invites."table"
        WHERE player = ? AND state IN ('asked', 'again') AND NOT {_BEGUN}
        AND (state = 'again' OR {_HAS_OPEN_SEAT})
        ORDER BY at DESC LIMIT ?"""
    is_off = (
        connection.execute("SELECT 1 FROM uninvited WHERE player = ?", (player,)).fetchone()
        is not None
    )
    rows = connection.execute(query, (player, MAX_WAITING)).fetchall()
    cards = [
        InvitationCard(table, game, by, players, bool(rematch), at, _terms(terms))
        for table, game, by, players, rematch, at, terms in rows
    ]
    return InvitationsNow([] if is_off else cards, wanted=not is_off)


def _terms(text: str | None) -> protocol.ClockTerms | None:
    return msgspec.json.decode(text, type=protocol.ClockTerms) if text else None


def _why_not_invited(connection: Connection, table: str, player: bytes, other: bytes) -> str:
    """Why a person cannot be invited, as a text key; "" if they can. Having turned invitations off
    and having declined recently look the same.
    """
    state = connection.execute(
        'SELECT state FROM invites WHERE "table" = ? AND player = ?', (table, other)
    ).fetchone()
    if state is not None:
        return "invite_declined" if state[0] == "declined" else "invited_already"
    decline_query = "SELECT 1 FROM declines WHERE player = ? AND host = ? AND until > ?"
    is_off = connection.execute("SELECT 1 FROM uninvited WHERE player = ?", (other,)).fetchone()
    if is_off or connection.execute(decline_query, (other, player, time.time())).fetchone():
        return "invite_unwanted"
    waiting_query = (
        f"SELECT count(*) FROM invites WHERE player = ? AND state = 'asked' AND NOT {_BEGUN}"
    )
    table_query = 'SELECT count(*) FROM invites WHERE "table" = ?'
    if connection.execute(waiting_query, (other,)).fetchone()[0] >= MAX_WAITING:
        return "invite_unwanted"
    is_full = connection.execute(table_query, (table,)).fetchone()[0] >= _MAX_PER_TABLE
    return "too_many_invitations" if is_full else ""


def _invited_by(connection: Connection, table: str, player: bytes | None) -> bytes | None:
    """The inviter, or None if no invitation is waiting."""
    query = "SELECT host FROM invites WHERE \"table\" = ? AND player = ? AND state != 'declined'"
    row = connection.execute(query, (table, player)).fetchone()
    return bytes(row[0]) if row else None


def _invitees(connection: Connection, table: str) -> list[protocol.Invitee]:
    query = """SELECT name, CASE state WHEN 'declined' THEN 'declined' ELSE 'asked' END
        FROM invites WHERE "table" = ? ORDER BY at"""
    return [protocol.Invitee(*row) for row in connection.execute(query, (table,))]
