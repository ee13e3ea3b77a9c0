"""Pages open in the lobby: one socket each, for messages to a person and to everybody.

A silent socket costs 4 kB; with 5,000 pages, polling every five seconds would take a third of a
core. Messages to everybody are encoded once and posted in slices, so that no move waits for them.
"""

import asyncio
from collections.abc import Collection, Iterable
from typing import Protocol

import msgspec

from souk.server.common.frames import text_frame
from souk.server.protocol.meeting import TablesChanged
from souk.server.tables.game.views import encode
from souk.server.tables.table import Table

_SLICE = 10  # pages per slice
# Seconds between slices, left to players: 5,000 pages take three seconds.
_PAUSE = 0.005


class LobbyPage(Protocol):
    """A page open in the lobby."""

    player: bytes  # b"" without a cookie

    def post(self, message: bytes) -> None: ...

    def post_frame(self, frame: bytes) -> None: ...


class _PersonInLobby:
    """A person in the lobby: their pages, and a digest of each table as last announced."""

    __slots__ = ("announced", "pages")

    def __init__(self) -> None:
        self.pages: list[LobbyPage] = []
        self.announced: dict[str, int] = {}


class LobbyPages:
    """All pages open in the lobby."""

    def __init__(self) -> None:
        self._pages: dict[LobbyPage, None] = {}
        self._people: dict[bytes, _PersonInLobby] = {}
        self._changed: set[bytes] = set()

    @property
    def people(self) -> Collection[bytes]:
        return self._people.keys()

    @property
    def pages(self) -> int:
        return len(self._pages)

    def enter(self, page: LobbyPage) -> None:
        self._pages[page] = None
        if page.player:
            self._people.setdefault(page.player, _PersonInLobby()).pages.append(page)

    def leave(self, page: LobbyPage) -> None:
        if page not in self._pages:
            return
        del self._pages[page]
        if page.player:
            pages = self._people[page.player].pages
            pages.remove(page)
            if not pages:
                del self._people[page.player]
                self._changed.discard(page.player)

    def has(self, player: bytes) -> bool:
        return player in self._people

    def send(self, player: bytes, message: msgspec.Struct) -> None:
        """Post to all pages of a person."""
        if player in self._people:
            self.send_encoded(player, encode(message))

    def send_encoded(self, player: bytes, data: bytes) -> None:
        if person := self._people.get(player):
            for page in person.pages:
                page.post(data)

    async def broadcast(self, message: msgspec.Struct) -> None:
        """Post to every page, in slices."""
        frame = text_frame(encode(message))
        for number, page in enumerate(list(self._pages)):
            page.post_frame(frame)
            if number % _SLICE == _SLICE - 1:
                await asyncio.sleep(_PAUSE)

    # ------------------------------------------------------------ own tables

    def table_changed(self, table: Table) -> None:
        """Note people whose list of tables a change at this table affects."""
        if not self._people:
            return
        for player in {row.player for row in table.seats if row.player} & self._people.keys():
            announced, digest = self._people[player].announced, _digest(table, player)
            if announced.get(table.id) != digest:
                announced[table.id] = digest
                self._changed.add(player)

    def tables_changed_for(self, people: Iterable[bytes]) -> None:
        """Note people whose tables have changed in another process."""
        self._changed |= self._people.keys() & set(people)

    def send_changes(self) -> None:
        """Tell everybody noted since the last call."""
        changed, self._changed = self._changed, set()
        for player in changed:
            self.send(player, TablesChanged())


def _digest(table: Table, player: bytes) -> int:
    """Digest of what a list of tables shows about this one."""
    mine = table.begun and any(seat in table.state.actors for seat in table.seats_of(player))
    names = tuple((row.name, row.kind, row.stand_in) for row in table.seats)
    return hash((table.begun, table.over, table.deleted, mine, names))
