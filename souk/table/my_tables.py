"""The tables of one person: all of them, page by page, and what they no longer want to see of them."""

import re

from souk.table import chores, lobby_protocol
from souk.table.lobby import can_be_hidden, table_card
from souk.table.refusals import Refuse
from souk.table.store import Bookmark, NotKept, Store

AT_ONCE = 30  # tables of a page
_BOOKMARK = re.compile(r"([01])~(\d{1,12}(?:\.\d{1,12})?)~([\w-]{16})")


class MyTables:
    """Lists somebody's tables, and takes them off that list."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def listed(self, player: bytes | None, after: str = "") -> lobby_protocol.TableList:
        """A page of the list, after the one that ended there."""
        bookmark = _read(after)
        found = await self._store.tables_of(player, AT_ONCE + 1, bookmark) if player else []
        cards = [table_card(row, seats, player) for row, seats in found[:AT_ONCE]]
        last = found[AT_ONCE - 1][0] if len(found) > AT_ONCE else None
        following = f"{int(last.standing.over)}~{last.changed!r}~{last.id}" if last else ""
        return lobby_protocol.TableList(cards, following)

    async def hide(self, name: str, player: bytes | None, hidden: bool) -> lobby_protocol.TableHidden:
        """Take a table off somebody's list, where nobody waits for them there; or put it there again."""
        found = await self._store.table(name)
        if found is None:
            raise Refuse("table_unknown", 404)
        row, seats = found
        if player is None or player not in {seat.player for seat in seats}:
            raise Refuse("not_your_table", 403)
        if hidden and not can_be_hidden(row, seats, player):
            raise Refuse("hide_running", 409)
        try:
            await self._store.carry_out(chores.hiding(player, name) if hidden else chores.showing_again(player, name))
        except NotKept:
            raise Refuse("not_kept", 503) from None
        return lobby_protocol.TableHidden(name, hidden)


def _read(text: str) -> Bookmark | None:
    if not text:
        return None
    found = _BOOKMARK.fullmatch(text)
    if found is None:
        raise Refuse("unreadable")
    return Bookmark(found[1] == "1", float(found[2]), found[3])
