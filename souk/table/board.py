"""What everybody in a public house may see: tables with open seats, games to watch, how many are here. Worked out once for all.

A table is on the board while somebody looks at it: one whose people have all gone is nobody's company. What is shown stays in its place for as long
as it is true, so that nothing jumps about under a finger; where there is more than can be shown, what goes makes room for what waits.
"""

from collections.abc import Callable, Mapping

from souk.table.foyer import Foyer
from souk.table.meeting_protocol import BoardChange, BoardNow, Counts, PublicTable
from souk.table.neighbours import Neighbours
from souk.table.news import Word
from souk.table.table import Table
from souk.table.tables import Tables

_MOST_OPEN, _MOST_WATCHED = 24, 12  # tables that are shown
_AT_ONCE = 10  # in one word to the other processes


class BoardCards(Word, tag="cards"):
    """Public tables that are of interest no longer, and those that have come or changed."""

    gone: list[str]
    come: list[PublicTable]


class NoticeBoard:
    """The board as it was last told."""

    def __init__(
        self, tables: Tables, foyer: Foyer, finding: Callable[[], Mapping[str, int]], neighbours: Neighbours
    ) -> None:
        self._tables, self._foyer, self._finding, self._neighbours = tables, foyer, finding, neighbours
        self._told: dict[str, PublicTable] = {}  # those of this process, as the others know them
        self._elsewhere: dict[str, dict[str, PublicTable]] = {}  # by process
        neighbours.news.hear(BoardCards, self._heard)
        neighbours.newcomer.append(lambda: self._tell({}, self._told))
        neighbours.when_gone(lambda sender: self._elsewhere.pop(sender, None))
        self._shown: dict[str, PublicTable] = {}
        self._counts = Counts(0, 0, 0, {})

    def now(self) -> BoardNow:
        """For somebody who comes. Whoever comes is counted with the next look."""
        return BoardNow(list(self._shown.values()), self._counts)

    def look(self) -> BoardChange | None:
        """What has changed since the last look; None where nothing has."""
        own = {table.id: _card(table) for table in self._tables.open.values() if table.public and _is_shown(table)}
        self._tell(self._told, own)
        found = {name: card for cards in self._elsewhere.values() for name, card in cards.items()} | own
        begun = [name for name, card in found.items() if card.begun]
        opened = [name for name, card in found.items() if not card.begun]
        people = self.people_here() + self._neighbours.people
        counts = Counts(people, len(opened), len(begun), dict(self._finding()))
        chosen = [*self._chosen(opened, _MOST_OPEN, False), *self._chosen(begun, _MOST_WATCHED, True)]
        shown = {name: found[name] for name in chosen}
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

    def _tell(self, before: Mapping[str, PublicTable], now: dict[str, PublicTable]) -> None:
        """The other processes hear what has changed here: so many at a time as fit into an announcement."""
        self._told = now
        come = [card for name, card in now.items() if before.get(name) != card]
        gone = [name for name in before if name not in now]
        if not self._neighbours.news.alone and (come or gone):
            words = [BoardCards([], come[at : at + _AT_ONCE]) for at in range(0, len(come), _AT_ONCE)]
            self._neighbours.news.say(*words, *(BoardCards(gone[at : at + 200], []) for at in range(0, len(gone), 200)))

    def _heard(self, sender: str, word: "BoardCards") -> None:
        cards = self._elsewhere.setdefault(sender, {})
        for name in word.gone:
            cards.pop(name, None)
        cards |= {card.table: card for card in word.come}

    def people_here(self) -> int:
        """Everybody who is connected to this process, in the lobby or at a table, each once."""
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
