"""Who is in the lobby: each page there has a socket, over which it is told what concerns its person, and what concerns everybody.

A socket, and not questions again and again: one that is silent costs nothing but its 4 kB of memory. Measured side by side: telling one of five
thousand pages something takes 0.02 ms of the server's processor, every few seconds and only when there is news; answering one question with "nothing
has changed" takes 0.29 ms, so that five thousand pages which ask every five seconds would take a third of a core, and hear of everything later. What is said
to all is encoded once, as the frame that goes over the wire, and handed out in slices, so that nobody's move waits for it.
"""

import asyncio
from collections.abc import Collection, Iterable
from typing import Protocol

import msgspec

from souk.table.frames import text_frame
from souk.table.meeting_protocol import TablesStirred
from souk.table.table import Table
from souk.table.views import encode

_SLICE = 10  # pages that are told at a time
_PAUSE = (
    0.005  # seconds between two slices, which belong to those who play: five thousand pages are told in three seconds
)


class LobbyPage(Protocol):
    """A page in the lobby."""

    player: bytes  # b"" where it has no cookie

    def post(self, message: bytes) -> None: ...

    def post_frame(self, frame: bytes) -> None: ...


class _Here:
    """A person in the lobby: their pages, and how each of their tables was when they were last told."""

    __slots__ = ("pages", "told")

    def __init__(self) -> None:
        self.pages: list[LobbyPage] = []
        self.told: dict[str, int] = {}


class Foyer:
    """All pages in the lobby."""

    def __init__(self) -> None:
        self._pages: dict[LobbyPage, None] = {}
        self._people: dict[bytes, _Here] = {}
        self._stirred: set[bytes] = set()

    @property
    def people(self) -> Collection[bytes]:
        return self._people.keys()

    @property
    def pages(self) -> int:
        return len(self._pages)

    def enter(self, page: LobbyPage) -> None:
        self._pages[page] = None
        if page.player:
            self._people.setdefault(page.player, _Here()).pages.append(page)

    def leave(self, page: LobbyPage) -> None:
        if page not in self._pages:
            return
        del self._pages[page]
        if page.player:
            pages = self._people[page.player].pages
            pages.remove(page)
            if not pages:
                del self._people[page.player]
                self._stirred.discard(page.player)

    def has(self, player: bytes) -> bool:
        return player in self._people

    def tell(self, player: bytes, message: msgspec.Struct) -> None:
        """To all pages of one person."""
        if player in self._people:
            self.tell_encoded(player, encode(message))

    def tell_encoded(self, player: bytes, data: bytes) -> None:
        if here := self._people.get(player):
            for page in here.pages:
                page.post(data)

    async def tell_all(self, message: msgspec.Struct) -> None:
        """To everybody who is here now, some at a time."""
        frame = text_frame(encode(message))
        for number, page in enumerate(list(self._pages)):
            page.post_frame(frame)
            if number % _SLICE == _SLICE - 1:
                await asyncio.sleep(_PAUSE)

    # ------------------------------------------------------------ one's own tables

    def stir(self, table: Table) -> None:
        """Something has happened at a table: those in the lobby who sit there are told soon, where their list would show it."""
        if not self._people:
            return
        for player in {row.player for row in table.seats if row.player} & self._people.keys():
            told, shown = self._people[player].told, _as_shown(table, player)
            if told.get(table.id) != shown:
                told[table.id] = shown
                self._stirred.add(player)

    def stir_people(self, people: Iterable[bytes]) -> None:
        """Something has happened at tables of theirs that are open at another process."""
        self._stirred |= self._people.keys() & set(people)

    def tell_stirred(self) -> None:
        """Once for all that has happened since this was last done."""
        stirred, self._stirred = self._stirred, set()
        for player in stirred:
            self.tell(player, TablesStirred())


def _as_shown(table: Table, player: bytes) -> int:
    """What a list of tables says about one, in a number that changes with it."""
    mine = table.begun and any(seat in table.course.actors for seat in table.seats_of(player))
    names = tuple((row.name, row.kind, row.stand_in) for row in table.seats)
    return hash((table.begun, table.over, table.gone, mine, names))
