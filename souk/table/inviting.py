"""Asking somebody I have played with before to a table of mine, and all who sat at a table to another game there.

Whoever asks knows no more of the others than the name they had at a table both sat at, and names them by that table and their seat. An invitation is
on disk before anybody hears of it. Nobody is pestered: who has declined is not asked again by the same person for a day, who wants no invitations gets
none, and there is a limit to how many somebody can send, and to how many can wait for somebody.
"""

import time
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from souk.table import protocol
from souk.table.calling import Caller
from souk.table.database import Line
from souk.table.limits import Buckets
from souk.table.meeting_protocol import Acquaintance, Acquaintances, InvitationCard, InvitationsNow
from souk.table.messengers import Messengers
from souk.table.refusals import Refuse
from souk.table.store import NotKept, Overtaken, Statement, Store
from souk.table.table import Table
from souk.table.tables import Tables
from souk.table.views import encode

MOST_FELLOWS = 24  # that are shown
MOST_WAITING = 8  # invitations that wait for one person
_MOST_AT_A_TABLE = 12
_RATE, _BURST = 1 / 60, 12  # invitations a second that one person sends, and how many at once
_SECONDS_OF_PEACE = 86_400.0  # after an invitation was declined, from the same person

_BEGUN = """EXISTS (SELECT 1 FROM dice WHERE dice."table" = invites."table" AND kind = 'closes')"""
_HAS_ROOM = (
    """EXISTS (SELECT 1 FROM seats WHERE seats."table" = invites."table" AND kind = 'free' AND invitation IS NULL)"""
)


class Inviting:
    """Sees to invitations. Those who are called by Web Push are called for them too."""

    def __init__(self, store: Store, tables: Tables, messengers: Messengers, caller: Caller) -> None:
        self._store, self._tables, self._messengers, self._caller = store, tables, messengers, caller
        self.sent = Buckets(_RATE, _BURST)

    async def fellows(self, player: bytes | None, table: str = "") -> Acquaintances:
        """Whom somebody has shared a table with, and what came of asking them to this one."""
        return Acquaintances([each.shown() for each in await self._met(player, table)])

    async def _met(self, player: bytes | None, table: str) -> "list[_Met]":
        return await self._store.ask(_met, player, table) if player else []

    async def waiting_for(self, player: bytes | None) -> InvitationsNow:
        return await self._store.ask(_waiting_for, player) if player else InvitationsNow([])

    # ------------------------------------------------------------ asking

    async def invite(self, name: str, player: bytes | None, common: str, seat: int) -> Acquaintances:
        """Whoever made a table that has not begun asks somebody to it."""
        async with self._tables.at(name) as table:
            if player is None or player != table.host:
                raise Refuse("not_host", 403)
            if table.shares.closed:
                raise Refuse("begun", 409)
            if not any(row.is_open for row in table.seats):
                raise Refuse("no_open_seat", 409)
            fellow = await self._find(player, common, seat)
            if table.seats_of(fellow.player):
                raise Refuse("here_already", 409)
            if not self.sent.take(player.hex()):
                raise Refuse("too_many_invitations", 429)
            await self._keep(table.id, player, fellow)
            await self._announce(table, player, [fellow.player], again=False)
            await self.tell_host(table)
        return await self.fellows(player, name)

    async def _find(self, player: bytes, common: str, seat: int) -> "_Met":
        """Somebody by a table that both have sat at."""
        found = await self._store.ask(_sat_at, player, common, seat)
        if found is None:
            raise Refuse("fellow_unknown", 404)
        return found

    async def _keep(self, table: str, player: bytes, fellow: "_Met") -> None:
        why = await self._store.ask(_why_not, table, player, fellow.player)
        if why:
            raise Refuse(why, 409)
        await self._carry_out([_invitation(table, fellow.player, player, fellow.name, "asked")], table)

    async def again(self, old: Table, table: str, player: bytes) -> None:
        """A rematch: all others who played are asked. Their seats are kept at the new table, whether they hear of it or not."""
        played = [row for row in old.seats if row.player and row.resigned is None]
        others = {row.player: row.name for row in played if row.player and row.player != player}
        await self._carry_out([_invitation(table, each, player, name, "again") for each, name in others.items()])
        async with self._tables.at(table) as new:
            here = old.people  # they hear of it at the table
            await self._announce(new, player, [each for each in others if each not in here], again=True)

    async def _announce(self, table: Table, player: bytes, people: Iterable[bytes], again: bool) -> None:
        """Tell people wherever they are: in the lobby, at another table, or by a call where they do not look."""
        mine = table.seats_of(player)
        message = protocol.Wanted(table.id, table.position.game.name, table.seats[mine[0]].name if mine else "", again)
        for each in people:
            if not (now := await self.waiting_for(each)).wanted:
                continue
            if not await self._messengers.reach(each, now, message):
                self._caller.invite(each, message.game, table.id, again)

    # ------------------------------------------------------------ answering

    async def came(self, table: Table, player: bytes) -> None:
        """Somebody has come to a table that has not begun: they are waited for no longer."""
        if table.begun or not await self._store.ask(_is_invited, table.id, player):
            return
        coming = "DELETE FROM invites WHERE \"table\" = ? AND player = ? AND (state = 'again' OR ?)"
        await self._carry_out([Statement(coming, (table.id, player, bool(table.seats_of(player))))], table.id)
        self._messengers.tell(player, await self.waiting_for(player))
        await self.tell_host(table)

    async def decline(self, name: str, player: bytes | None) -> InvitationsNow:
        """Somebody would rather not; whoever asked sees it, and does not ask again today."""
        found = await self._store.ask(_is_invited, name, player)
        if player is None or not found:
            raise Refuse("not_invited", 404)
        declined = "UPDATE invites SET state = 'declined' WHERE \"table\" = ? AND player = ? AND state != 'declined'"
        peace = "INSERT INTO declines VALUES (?, ?, ?) ON CONFLICT (player, host) DO UPDATE SET until = excluded.until"
        until = time.time() + _SECONDS_OF_PEACE
        changes = [Statement(declined, (name, player), certain=True)]
        changes += [Statement(peace, (player, found, until))]
        await self._carry_out(changes, name)
        async with self._tables.at(name) as table:
            await self.tell_host(table)
        return await self._told_anew(player)

    async def want(self, player: bytes | None, wanted: bool) -> InvitationsNow:
        """Whether somebody wants to be asked at all."""
        if player is None:
            raise Refuse("no_cookie", 403)
        gone = "DELETE FROM uninvited WHERE player = ?"
        known = "EXISTS (SELECT 1 FROM seats WHERE player = ?)"  # nobody else can be asked, or has to be remembered
        off = Statement(f"INSERT INTO uninvited SELECT ? WHERE {known} ON CONFLICT DO NOTHING", (player, player))
        await self._carry_out([Statement(gone, (player,)) if wanted else off])
        return await self._told_anew(player)

    async def _told_anew(self, player: bytes) -> InvitationsNow:
        now = await self.waiting_for(player)
        self._messengers.tell(player, now)
        return now

    async def tell_host(self, table: Table) -> None:
        """Whoever made a table sees who was asked, and what they said."""
        looking = [watcher for watcher in table.watchers if watcher.player == table.host]
        if looking and not table.begun:
            message = encode(protocol.InvitedNow(await self._store.ask(_invitees, table.id)))
            for watcher in looking:
                watcher.post(message)

    async def _carry_out(self, changes: list[Statement], table: str = "") -> None:
        try:
            await self._store.carry_out(changes, table)
        except Overtaken:
            raise Refuse("not_invited", 404) from None
        except NotKept:
            raise Refuse("not_kept", 503) from None


def _invitation(table: str, player: bytes, host: bytes, name: str, state: str) -> Statement:
    added = """INSERT INTO invites SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)
        ON CONFLICT DO NOTHING"""
    return Statement(added, (table, player, host, name, time.time(), state, table))


# ---------------------------------------------------------------- questions


class _Met(NamedTuple):
    """Somebody at a table both have sat at."""

    player: bytes
    table: str
    seat: int
    name: str
    game: str
    at: float
    state: str = ""

    def shown(self) -> Acquaintance:
        return msgspec.convert(
            {field: value for field, value in self._asdict().items() if field != "player"}, Acquaintance
        )


_TOGETHER = """SELECT other.player, other."table", other.seat, other.name, game, changed, {state}
    FROM seats AS mine JOIN seats AS other ON other."table" = mine."table" JOIN tables ON id = mine."table"
    WHERE mine.player = :me AND other.kind = 'person' AND other.player IS NOT NULL AND other.player != :me"""


def _met(connection: Line, player: bytes, table: str) -> list[_Met]:
    """The latest table shared with each, the latest first."""
    state = """coalesce((SELECT CASE state WHEN 'again' THEN 'asked' ELSE state END FROM invites WHERE invites."table" = :at
        AND invites.player = other.player),
        (SELECT 'here' FROM seats WHERE seats."table" = :at AND seats.player = other.player), '')"""
    asked = f"{_TOGETHER.format(state=state)} AND id != :at ORDER BY changed DESC LIMIT 500"
    rows = [_Met._make(row) for row in connection.execute(asked, {"me": player, "at": table})]
    latest: dict[bytes, _Met] = {}
    for row in rows:
        latest.setdefault(row.player, row)
    return list(latest.values())[:MOST_FELLOWS]


def _sat_at(connection: Line, player: bytes, table: str, seat: int) -> _Met | None:
    nothing = "''"
    asked = f"{_TOGETHER.format(state=nothing)} AND id = :at AND other.seat = :seat LIMIT 1"
    row = connection.execute(asked, {"me": player, "at": table, "seat": seat}).fetchone()
    return _Met._make(row) if row else None


def _waiting_for(connection: Line, player: bytes) -> InvitationsNow:
    asked = f"""SELECT invites."table", game, coalesce(
            (SELECT name FROM seats WHERE seats."table" = id AND seats.player = invites.host ORDER BY seat LIMIT 1), ''),
        players, state = 'again', at, (SELECT terms FROM life WHERE life."table" = id)
        FROM invites JOIN tables ON id = invites."table"
        WHERE player = ? AND state IN ('asked', 'again') AND NOT {_BEGUN} AND (state = 'again' OR {_HAS_ROOM})
        ORDER BY at DESC LIMIT ?"""
    off = connection.execute("SELECT 1 FROM uninvited WHERE player = ?", (player,)).fetchone() is not None
    rows = connection.execute(asked, (player, MOST_WAITING)).fetchall()
    cards = [
        InvitationCard(table, game, by, players, bool(again), at, _terms(terms))
        for table, game, by, players, again, at, terms in rows
    ]
    return InvitationsNow([] if off else cards, wanted=not off)


def _terms(text: str | None) -> protocol.ClockTerms | None:
    return msgspec.json.decode(text, type=protocol.ClockTerms) if text else None


def _why_not(connection: Line, table: str, player: bytes, other: bytes) -> str:
    """Why somebody is not asked, as the key of a refusal; "" where nothing is against it. Who wants no invitations and who has just declined
    are told apart by nobody."""
    state = connection.execute('SELECT state FROM invites WHERE "table" = ? AND player = ?', (table, other)).fetchone()
    if state is not None:
        return "invite_declined" if state[0] == "declined" else "invited_already"
    peace = "SELECT 1 FROM declines WHERE player = ? AND host = ? AND until > ?"
    off = connection.execute("SELECT 1 FROM uninvited WHERE player = ?", (other,)).fetchone()
    if off or connection.execute(peace, (other, player, time.time())).fetchone():
        return "invite_unwanted"
    waiting = f"SELECT count(*) FROM invites WHERE player = ? AND state = 'asked' AND NOT {_BEGUN}"
    here = 'SELECT count(*) FROM invites WHERE "table" = ?'
    if connection.execute(waiting, (other,)).fetchone()[0] >= MOST_WAITING:
        return "invite_unwanted"
    full = connection.execute(here, (table,)).fetchone()[0] >= _MOST_AT_A_TABLE
    return "too_many_invitations" if full else ""


def _is_invited(connection: Line, table: str, player: bytes | None) -> bytes | None:
    """By whom; None where nobody waits for an answer."""
    asked = "SELECT host FROM invites WHERE \"table\" = ? AND player = ? AND state != 'declined'"
    found = connection.execute(asked, (table, player)).fetchone()
    return bytes(found[0]) if found else None


def _invitees(connection: Line, table: str) -> list[protocol.Invitee]:
    asked = "SELECT name, CASE state WHEN 'declined' THEN 'declined' ELSE 'asked' END FROM invites WHERE \"table\" = ? ORDER BY at"
    return [protocol.Invitee(*row) for row in connection.execute(asked, (table,))]
