"""By which devices a person comes in: each has a cookie of its own, and the door of that cookie leads to the person.

A cookie without a door is a person of its own, known by its digest: nothing is written for whoever only passes by. A door can be shut, also that of
a person's first cookie. Whoever signs out on a device that was somebody else before is that again.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from souk.table.chores import PERSON
from souk.table.database import Line
from souk.table.refusals import Refuse
from souk.table.store import NotKept, Statement, Store

MOST_DOORS = 10  # of one person
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS": "Mac",
    "Linux": "Linux",
}
_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrom": "Chrome",
    "Safari": "Safari",
}  # in this order: most say that they are others as well


class DoorRow(NamedTuple):
    """A door. `player`: where it leads; None where it is shut. `own`: whom the device belonged to before, and will again; None for nobody."""

    cookie: bytes
    player: bytes | None
    own: bytes | None
    device: str  # in words, such as "Firefox, Windows"; "" where nobody knows
    since: float
    seen: float


class Doors:
    """Knows in memory where every door leads. `changed` is called when some lead elsewhere than before."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._leads: dict[bytes, bytes | None] = {}
        self._seen: dict[bytes, float] = {}  # cookies that came lately, until it is written down
        self.changed: Callable[[], None] = lambda: None

    def who(self, cookie: bytes) -> bytes | None:
        """The person behind a cookie, by its digest; None where its door is shut."""
        if cookie in self._leads:
            self._seen[cookie] = time.time()
            return self._leads[cookie]
        return cookie

    async def load(self) -> None:
        """All doors there are, once, before anybody is let in."""
        self._leads = dict(await self._store.ask(_all))

    async def look_again(self, people: Sequence[bytes]) -> None:
        """Somebody's doors have changed, here or at another server; b"": anybody's."""
        if b"" in people:
            found = dict(await self._store.ask(_all))
            before, self._leads = self._leads, found
            if before != self._leads:
                self.changed()
            return
        cookies = [cookie for cookie, player in self._leads.items() if player in people]
        found = dict(await self._store.ask(_some, people, [*cookies, *people]))
        before = {cookie: self._leads.pop(cookie) for cookie in (*cookies, *people) if cookie in self._leads}
        self._leads |= found
        if before != found:
            self.changed()

    async def of(self, player: bytes) -> list[DoorRow]:
        return await self._store.ask(doors_of, player)

    async def carry_out(self, changes: Sequence[Statement], *people: bytes) -> None:
        """Change doors of these people: it is so for everybody once it is written. Overtaken where something is no longer as it was."""
        try:
            await self._store.carry_out(changes)
        finally:
            await self.look_again(people)

    def notes(self) -> list[Statement]:
        """Who came lately, to be written down now and then."""
        seen, self._seen = self._seen, {}
        return [Statement("UPDATE doors SET seen = ? WHERE cookie = ?", (at, cookie)) for cookie, at in seen.items()]

    # ------------------------------------------------------------ what people do with them

    async def note_device(self, cookie: bytes, player: bytes, device: str) -> None:
        """From now on a device is in its person's list."""
        await self.carry_out(writing_down(cookie, player, device), player)

    async def sign_out(self, player: bytes, cookies: Iterable[bytes]) -> None:
        """These devices act for a person no longer."""
        try:
            await self.carry_out([each for cookie in cookies for each in shutting(cookie, player)], player)
        except NotKept:
            raise Refuse("not_kept", 503) from None


# ---------------------------------------------------------------- changes


def writing_down(cookie: bytes, player: bytes, device: str) -> list[Statement]:
    """A device that a person has come by all along."""
    now = time.time()
    added = "INSERT INTO doors VALUES (?, ?, NULL, ?, ?, ?) ON CONFLICT DO NOTHING"
    return [Statement(added, (cookie, player, device, now, now)), *noticing(player)]


def opening(cookie: bytes, player: bytes, own: bytes | None, device: str) -> list[Statement]:
    """A new door, of the device that was `own` before. Where there are too many, those are shut that nobody has come by for longest: whoever loses
    cookies often is not to be locked out by it."""
    now = time.time()
    fewer = """UPDATE doors SET player = own, own = NULL WHERE player = ? AND cookie NOT IN
        (SELECT cookie FROM doors WHERE player = ? ORDER BY seen DESC, since DESC LIMIT ?)"""
    added = "INSERT INTO doors VALUES (?, ?, ?, ?, ?, ?)"
    return [
        Statement(fewer, (player, player, MOST_DOORS - 1), turn="doors"),
        Statement(added, (cookie, player, own, device, now, now)),
        *noticing(player),
    ]


def shutting(cookie: bytes, player: bytes) -> list[Statement]:
    """A door of a person is shut, or leads to whom the device belonged to before. That of a first cookie may not have been written down yet."""
    now = time.time()
    added = "INSERT INTO doors SELECT ?1, ?1, NULL, '', ?2, ?2 WHERE ?1 = ?3 ON CONFLICT DO NOTHING"
    change = "UPDATE doors SET player = own, own = NULL WHERE cookie = ? AND player = ?"
    return [Statement(added, (cookie, now, player)), Statement(change, (cookie, player)), *noticing(player)]


def noticing(player: bytes) -> list[Statement]:
    """By which every server at the file hears that a person's doors have changed."""
    return [Statement('INSERT INTO notices ("table") VALUES (?)', (f"{PERSON}{player.hex()}",), turn="notices")]


def base_of(cookie: bytes, player: bytes) -> Callable[[Line], bytes | None]:
    """Whom a device belongs to when it is signed out: not the person that it visits now. None where that person has nothing here."""

    def found(connection: Line) -> bytes | None:
        row = connection.execute("SELECT own FROM doors WHERE cookie = ? AND player = ?", (cookie, player)).fetchone()
        own = row[0] if row and row[0] is not None else player
        has = """SELECT EXISTS (SELECT 1 FROM seats WHERE player = ?1) OR EXISTS (SELECT 1 FROM people WHERE player = ?1)
            OR EXISTS (SELECT 1 FROM passkeys WHERE player = ?1)"""
        return own if connection.execute(has, (own,)).fetchone()[0] else None

    return found


# ---------------------------------------------------------------- questions


def doors_of(connection: Line, player: bytes) -> list[DoorRow]:
    asked = "SELECT cookie, player, own, device, since, seen FROM doors WHERE player = ? ORDER BY since"
    return [DoorRow(*row) for row in connection.execute(asked, (player,))]


def _all(connection: Line) -> list[tuple[bytes, bytes | None]]:
    return connection.execute("SELECT cookie, player FROM doors").fetchall()


def _some(connection: Line, people: Sequence[bytes], cookies: Sequence[bytes]) -> list[tuple[bytes, bytes | None]]:
    """Where the doors lead that lead to some people, and those of some cookies."""
    by_person, by_cookie = (f"SELECT cookie, player FROM doors WHERE {name} = ?" for name in ("player", "cookie"))
    asked = [(by_person, each) for each in people] + [(by_cookie, each) for each in cookies]
    return [row for question, value in asked for row in connection.execute(question, (value,))]


# ---------------------------------------------------------------- devices


def device_name(agent: str) -> str:
    """What a browser says of itself, in words that a person knows; "" where we know none of it."""
    agent = agent[:400]
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return ", ".join(filter(None, (browser, system)))
