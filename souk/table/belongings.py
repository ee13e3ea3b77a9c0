"""Everything that somebody has here, as one file: who they are, their tables, the games they have finished as records, what they have said, and by
which devices they come in and are called; and how their games counted."""

import asyncio
import io
import time
import zipfile
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from souk.core.message import texts
from souk.table.database import Line
from souk.table.doors import doors_of
from souk.table.evening_rows import evenings_of
from souk.table.house import House
from souk.table.passkeys import passkeys_of
from souk.table.people import face_of
from souk.table.refusals import Refuse

_MOST_TABLES = 5000  # of which the list tells
_MOST_GAMES = 1000  # that are in the file as records: the latest
_PAUSE = 0.01  # seconds between two of them, which belong to those who play
_ABOUT = """souk.json: who you are here, your devices and passkeys, your tables, your results, and what you have said. Times are those of UTC.
games/: the games you have finished, as records, the latest {most}. `souk replay FILE` tells one in words; the page of any souk takes it too.
"""

T = TypeVar("T")


class Belongings:
    """Collects what is somebody's."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def ask(self, question: Callable[[Line], T]) -> T:
        return await self._house.ask(question)

    async def tables_of(self, player: bytes | None) -> int:
        """How many tables somebody has."""
        return await self._house.ask(_count, player) if player else 0

    async def last_name(self, player: bytes) -> str:
        """By which somebody last sat down."""
        return await self._house.ask(_last_name, player)

    async def file(self, player: bytes) -> bytes:
        """A zip of it all."""
        found = await self._house.ask(_collected, player)
        found["called_at"] = [each.endpoint for each in await self._house.caller.devices.of(player)]
        kept = io.BytesIO()
        with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("read-me.txt", _ABOUT.format(most=_MOST_GAMES))
            file.writestr("souk.json", msgspec.json.format(msgspec.json.encode(found), indent=2))
            over = [each["table"] for each in found["tables"] if each["over"] and each["begun"]]
            for name in over[:_MOST_GAMES]:
                try:
                    game, text = await self._house.croupier.record_text(name)
                except Refuse:  # it was deleted meanwhile
                    continue
                file.writestr(f"games/{game}-{name}.souk", text)
                await asyncio.sleep(_PAUSE)
        return kept.getvalue()


def _count(connection: Line, player: bytes) -> int:
    asked = 'SELECT count(DISTINCT "table") FROM seats WHERE player = ?'
    return int(connection.execute(asked, (player,)).fetchone()[0])


def _last_name(connection: Line, player: bytes) -> str:
    asked = 'SELECT name FROM seats JOIN tables ON id = "table" WHERE player = ? ORDER BY changed DESC, seat LIMIT 1'
    found = connection.execute(asked, (player,)).fetchone()
    return str(found[0]) if found else ""


def _collected(connection: Line, player: bytes) -> dict[str, Any]:
    """All that the file knows of a person, in words."""
    return {
        "person": face_of(connection, player)._asdict() | {"known_as": player.hex()},
        "devices": [
            {"device": each.device, "since": _day(each.since), "last_seen": _day(each.seen)}
            for each in doors_of(connection, player)
        ],
        "passkeys": [
            {"made_on": each.device, "for": each.rp, "since": _day(each.since), "last_used": _day(each.used)}
            for each in passkeys_of(connection, player)
        ],
        "tables": _tables(connection, player),
        "results": _results(connection, player),
        "said": _said(connection, player),
        "events": [
            {"event": event, "name": name, "state": state, "i_am_host": host}
            for event, name, state, _, host in evenings_of(connection, player, _MOST_TABLES)
        ],
        "reported": [
            {"table": table, "at": _day(at)}
            for table, at in connection.execute('SELECT "table", at FROM reports WHERE reporter = ?', (player,))
        ],
    }


def _tables(connection: Line, player: bytes) -> list[dict[str, Any]]:
    asked = """SELECT id, game, created, changed, over, host IS ?1, EXISTS (SELECT 1 FROM hidden WHERE player = ?1 AND "table" = id),
        EXISTS (SELECT 1 FROM dice WHERE "table" = id AND kind = 'begins') OR NOT EXISTS (SELECT 1 FROM dice WHERE "table" = id)
        FROM tables WHERE id IN (SELECT "table" FROM seats WHERE player = ?1) ORDER BY changed DESC LIMIT ?2"""
    seats = 'SELECT seat, name, player IS ? FROM seats WHERE "table" = ? ORDER BY seat'
    found = []
    for table, game, created, changed, over, host, hidden, begun in connection.execute(asked, (player, _MOST_TABLES)):
        sitting = connection.execute(seats, (player, table)).fetchall()
        mine = {"my_seats": [seat for seat, _, own in sitting if own], "names": [name for _, name, _ in sitting]}
        times = {"opened": _day(created), "last_change": _day(changed)}
        states = {"over": bool(over), "begun": bool(begun), "i_am_host": bool(host), "off_my_list": bool(hidden)}
        found.append({"table": table, "game": game} | mine | times | states)
    return found


def _results(connection: Line, player: bytes) -> list[dict[str, Any]]:
    """Games that count, for ratings or a ladder, and the rating after each, as openskill has it."""
    asked = """SELECT "table", game, kind, at, place, won, score, mu, sigma FROM results JOIN result_seats ON result = results.number
        JOIN contestants ON contestants.number = contestant WHERE player = ? ORDER BY results.number"""
    rows = connection.execute(asked, (player,))
    return [
        {
            "table": table,
            "game": game,
            "counts_for": kind,
            "at": _day(at),
            "place": place,
            "won": bool(won),
            "score": score,
        }
        | ({"mu": mu, "sigma": sigma} if mu is not None else {})
        for table, game, kind, at, place, won, score, mu, sigma in rows
    ]


def _said(connection: Line, player: bytes) -> list[dict[str, Any]]:
    asked = """SELECT said."table", at, phrase, text FROM said JOIN seats ON seats."table" = said."table" AND seats.seat = said.seat
        WHERE player = ? ORDER BY at"""
    known = texts("en")
    rows = connection.execute(asked, (player,))
    return [
        {"table": table, "at": _day(at), "said": text or known.get(phrase, phrase)} for table, at, phrase, text in rows
    ]


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
