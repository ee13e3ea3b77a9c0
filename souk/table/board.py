"""What everybody in a public house may see: tables with open seats, games to watch, how many are here. Worked out once for all.

A table is on the board while somebody looks at it: one whose people have all gone is nobody's company. What is shown stays in its place for as long
as it is true, so that nothing jumps about under a finger; where there is more than can be shown, what goes makes room for what waits.
"""

from collections.abc import Callable, Mapping

from souk.table.foyer import Foyer
from souk.table.meeting_protocol import BoardChange, BoardNow, Counts, PublicTable
from souk.table.table import Table
from souk.table.tables import Tables

_MOST_OPEN, _MOST_WATCHED = 24, 12  # tables that are shown


class NoticeBoard:
    """The board as it was last told."""

    def __init__(self, tables: Tables, foyer: Foyer, finding: Callable[[], Mapping[str, int]]) -> None:
        self._tables, self._foyer, self._finding = tables, foyer, finding
        self._shown: dict[str, PublicTable] = {}
        self._counts = Counts(0, 0, 0, {})

    def now(self) -> BoardNow:
        """For somebody who comes. Whoever comes is counted with the next look."""
        return BoardNow(list(self._shown.values()), self._counts)

    def look(self) -> BoardChange | None:
        """What has changed since the last look; None where nothing has."""
        found = {table.id: table for table in self._tables.open.values() if table.public and _is_shown(table)}
        begun = [name for name, table in found.items() if table.begun]
        opened = [name for name, table in found.items() if not table.begun]
        counts = Counts(self.people(), len(opened), len(begun), dict(self._finding()))
        chosen = [*self._chosen(opened, _MOST_OPEN, False), *self._chosen(begun, _MOST_WATCHED, True)]
        shown = {name: _card(found[name]) for name in chosen}
        gone = [name for name in self._shown if name not in shown]
        come = [card for name, card in shown.items() if self._shown.get(name) != card]
        if not gone and not come and counts == self._counts:
            return None
        self._shown, self._counts = shown, counts
        return BoardChange(gone, come, counts)

    def _chosen(self, names: list[str], most: int, begun: bool) -> list[str]:
        """Those that are shown already, and the first of the others as far as there is room."""
        kept = [name for name, card in self._shown.items() if card.begun == begun and name in set(names)]
        others = [name for name in names if name not in set(kept)]
        return [*kept, *others[: most - len(kept)]]

    def people(self) -> int:
        """Everybody, in the lobby or at a table, each once."""
        lobby = self._foyer.people
        at_tables = {watcher.player for table in self._tables.open.values() for watcher in table.watchers}
        return len(lobby) + sum(player not in lobby for player in at_tables)


def _is_shown(table: Table) -> bool:
    """Whether a public table is of interest: somebody who sits there is there too, and there is an open seat, or a game goes on."""
    if table.gone or table.old or table.over or table.course.lesson:
        return False
    seated = {row.player for row in table.seats if row.player}
    if not seated & table.people:
        return False
    return table.begun or (not table.shares.closed and any(row.is_open for row in table.seats))


def _card(table: Table) -> PublicTable:
    names = ["" if row.kind == "free" else row.name for row in table.seats]
    clocks = table.life.clocks
    return PublicTable(table.id, table.position.game.name, names, table.begun, clocks.terms if clocks else None)
