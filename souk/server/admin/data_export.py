"""Data export: everything stored about a person, as a zip file."""

import io
import time
import zipfile
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from souk.core.messages import texts
from souk.server.accounts.passkeys import passkeys_of
from souk.server.accounts.profiles import profile_of
from souk.server.accounts.sessions import sessions_of
from souk.server.common.request_pool import RequestPool
from souk.server.events.storage import events_of
from souk.server.protocol.errors import RequestRefused
from souk.server.push.subscriptions import PushSubscriptions
from souk.server.storage.connection import Connection
from souk.server.storage.store import Store
from souk.server.tables.record_reader import RecordReader

_MAX_TABLES = 5000  # listed
_MAX_GAMES = 1000  # included as records, latest first
_MAX_CHAT_LINES = 5000  # chat lines, latest first
_ABOUT = """souk.json: your profile, devices and passkeys, tables, results and chat lines (the
latest {said}). Times are in UTC.
games/: records of your finished games (the latest {most}). Read one with `souk replay FILE`, or
upload it to any Souk server.
"""

T = TypeVar("T")


class DataExport:
    """Collects a person's data."""

    def __init__(
        self,
        store: Store,
        pool: RequestPool,
        subscriptions: PushSubscriptions,
        records: RecordReader,
    ) -> None:
        self._store, self._pool = store, pool
        self._subscriptions, self._records = subscriptions, records

    async def ask(self, question: Callable[[Connection], T]) -> T:
        return await self._store.query(question)

    async def tables_of(self, player: bytes | None) -> int:
        """Number of a person's tables."""
        return await self._store.query(_count, player) if player else 0

    async def last_name(self, player: bytes) -> str:
        """The name a person last used at a table."""
        return await self._store.query(_last_name, player)

    async def file(self, player: bytes, address: str) -> bytes:
        """The zip file; its parts are compressed in the request pool."""
        data = await self._store.query(_collected, player)
        data["called_at"] = [entry.endpoint for entry in await self._subscriptions.of(player)]
        run, buffer = self._pool.run, io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("read-me.txt", _ABOUT.format(most=_MAX_GAMES, said=_MAX_CHAT_LINES))
            content = await run(
                address, lambda: msgspec.json.format(msgspec.json.encode(data), indent=2)
            )
            await run(address, file.writestr, "souk.json", content)
            finished = [
                entry["table"] for entry in data["tables"] if entry["over"] and entry["begun"]
            ]
            for name in finished[:_MAX_GAMES]:
                try:
                    game, text = await self._records.record_text(name, address)
                except RequestRefused as refused:
                    if refused.status != 404:  # deleted meanwhile
                        raise
                    continue
                await run(address, file.writestr, f"games/{game}-{name}.souk", text)
        return buffer.getvalue()


def _count(connection: Connection, player: bytes) -> int:
    query = 'SELECT count(DISTINCT "table") FROM seats WHERE player = ?'
    return int(connection.execute(query, (player,)).fetchone()[0])


def _last_name(connection: Connection, player: bytes) -> str:
    query = """SELECT name FROM seats JOIN tables ON id = "table"
        WHERE player = ? ORDER BY changed DESC, seat LIMIT 1"""
    row = connection.execute(query, (player,)).fetchone()
    return str(row[0]) if row else ""


def _collected(connection: Connection, player: bytes) -> dict[str, Any]:
    """Everything in the database about a person."""
    return {
        "person": profile_of(connection, player)._asdict() | {"known_as": player.hex()},
        "devices": [
            {
                "device": row.device,
                "since": _timestamp(row.since),
                "last_seen": _timestamp(row.seen),
            }
            for row in sessions_of(connection, player)
        ],
        "passkeys": [
            {
                "made_on": row.device,
                "for": row.rp,
                "since": _timestamp(row.since),
                "last_used": _timestamp(row.used),
            }
            for row in passkeys_of(connection, player)
        ],
        "tables": _tables(connection, player),
        "results": _results(connection, player),
        "said": _chat_lines(connection, player),
        "events": [
            {"event": event, "name": name, "state": state, "i_am_host": host}
            for event, name, state, _, host in events_of(connection, player, _MAX_TABLES)
        ],
        "reported": [
            {"table": table, "at": _timestamp(at)}
            for table, at in connection.execute(
                'SELECT "table", at FROM reports WHERE reporter = ?', (player,)
            )
        ],
    }


def _tables(connection: Connection, player: bytes) -> list[dict[str, Any]]:
    query = """SELECT id, game, created, changed, over, host IS ?1,
        EXISTS (SELECT 1 FROM hidden WHERE player = ?1 AND "table" = id),
        EXISTS (SELECT 1 FROM dice WHERE "table" = id AND kind = 'begins')
            OR NOT EXISTS (SELECT 1 FROM dice WHERE "table" = id)
        FROM tables WHERE id IN (SELECT "table" FROM seats WHERE player = ?1)
        ORDER BY changed DESC LIMIT ?2"""
    seats = 'SELECT seat, name, player IS ? FROM seats WHERE "table" = ? ORDER BY seat'
    entries = []
    for table, game, created, changed, over, host, hidden, begun in connection.execute(
        query, (player, _MAX_TABLES)
    ):
        table_seats = connection.execute(seats, (player, table)).fetchall()
        mine = {
            "my_seats": [seat for seat, _, own in table_seats if own],
            "names": [name for _, name, _ in table_seats],
        }
        times = {"opened": _timestamp(created), "last_change": _timestamp(changed)}
        states = {
            "over": bool(over),
            "begun": bool(begun),
            "i_am_host": bool(host),
            "off_my_list": bool(hidden),
        }
        entries.append({"table": table, "game": game} | mine | times | states)
    return entries


def _results(connection: Connection, player: bytes) -> list[dict[str, Any]]:
    """Rated and ladder games, with the rating after each."""
    query = """SELECT "table", game, kind, at, place, won, score, mu, sigma
        FROM results JOIN result_seats ON result = results.number
        JOIN contestants ON contestants.number = contestant
        WHERE player = ? ORDER BY results.number"""
    rows = connection.execute(query, (player,))
    return [
        {
            "table": table,
            "game": game,
            "counts_for": kind,
            "at": _timestamp(at),
            "place": place,
            "won": bool(won),
            "score": score,
        }
        | ({"mu": mu, "sigma": sigma} if mu is not None else {})
        for table, game, kind, at, place, won, score, mu, sigma in rows
    ]


def _chat_lines(connection: Connection, player: bytes) -> list[dict[str, Any]]:
    query = 'SELECT "table", at, phrase, text FROM chat WHERE player = ? ORDER BY at DESC LIMIT ?'
    translations = texts("en")
    rows = connection.execute(query, (player, _MAX_CHAT_LINES)).fetchall()
    return [
        {"table": table, "at": _timestamp(at), "said": text or translations.get(phrase, phrase)}
        for table, at, phrase, text in reversed(rows)
    ]


def _timestamp(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
