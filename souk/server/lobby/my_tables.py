"""A person's tables: all of them, page by page, and hiding them from the list."""

import re

from souk.bots.names import SEAT_GENDERS, names_for_seat
from souk.server.common.config import ServerConfig
from souk.server.lobby.cards import can_be_hidden, game_cards, table_card
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.storage import maintenance
from souk.server.storage.errors import refuse_failed_writes
from souk.server.storage.rows import TableVersion
from souk.server.storage.store import Store

PAGE_SIZE = 30  # tables per page
_MAX_IN_LOBBY = 60
_BOOKMARK = re.compile(r"([01])~(\d{1,12}(?:\.\d{1,12})?)~([\w-]{16})")


class MyTables:
    """Lists a person's tables, and hides them."""

    def __init__(self, config: ServerConfig, store: Store) -> None:
        self._config, self._store = config, store

    async def lobby(self, player: bytes | None, announcement: str = "") -> lobby_protocol.Lobby:
        """Everything the lobby page shows."""
        tables = await self._store.tables_of(player, _MAX_IN_LOBBY + 1) if player else []
        return lobby_protocol.Lobby(
            version=protocol.VERSION,
            games=game_cards(),
            levels=list(self._config.levels),
            names=[names_for_seat(seat) for seat in range(len(SEAT_GENDERS))],
            tables=[table_card(row, seats, player) for row, seats in tables[:_MAX_IN_LOBBY]],
            announcement=announcement,
            more=len(tables) > _MAX_IN_LOBBY,
            public=self._config.public_lobby,
        )

    async def listed(self, player: bytes | None, after: str = "") -> lobby_protocol.TableList:
        """A page of the list, following the bookmark `after`."""
        bookmark = _parse_bookmark(after)
        tables = await self._store.tables_of(player, PAGE_SIZE + 1, bookmark) if player else []
        cards = [table_card(row, seats, player) for row, seats in tables[:PAGE_SIZE]]
        last = tables[PAGE_SIZE - 1][0] if len(tables) > PAGE_SIZE else None
        next_bookmark = f"{int(last.standing.over)}~{last.changed!r}~{last.id}" if last else ""
        return lobby_protocol.TableList(cards, next_bookmark)

    async def hide(
        self, name: str, player: bytes | None, hidden: bool
    ) -> lobby_protocol.TableHidden:
        """Hide a table nobody else is waiting at, or show it again."""
        table = await self._store.table(name)
        if table is None:
            raise RequestRefused("table_unknown", 404)
        row, seats = table
        if player is None or player not in {seat.player for seat in seats}:
            raise RequestRefused("not_your_table", 403)
        if hidden and not can_be_hidden(row, seats, player):
            raise RequestRefused("hide_running", 409)
        with refuse_failed_writes():
            await self._store.write(
                maintenance.hide_table(player, name)
                if hidden
                else maintenance.unhide_table(player, name)
            )
        return lobby_protocol.TableHidden(name, hidden)


def _parse_bookmark(text: str) -> TableVersion | None:
    if not text:
        return None
    match = _BOOKMARK.fullmatch(text)
    if match is None:
        raise RequestRefused("unreadable")
    return TableVersion(match[1] == "1", float(match[2]), match[3])
