"""The public lobby's board: tables with open seats, games to watch, and counts.

A table is on the board while one of its own players is there. Cards keep their place as long as
they are shown, so that nothing moves under a finger; waiting tables take the place of those that
go.
"""

from collections.abc import Callable, Mapping

from souk.server.bus.bus import BusMessage
from souk.server.lobby.pages import LobbyPages
from souk.server.protocol.meeting import Counts, PublicBoardChange, PublicBoardState, PublicTable
from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.registry import TableRegistry
from souk.server.tables.table import Table

_MAX_OPEN, _MAX_WATCHED = 24, 12  # tables shown
_AT_ONCE = 10  # cards per bus message


class BoardCards(BusMessage, tag="cards"):
    """Public tables removed, and those added or changed."""

    gone: list[str]
    come: list[PublicTable]


class PublicBoard:
    """The board as last broadcast."""

    def __init__(
        self,
        tables: TableRegistry,
        lobby_pages: LobbyPages,
        searches: Callable[[], Mapping[str, int]],
        peers: PeerProcesses,
    ) -> None:
        self._tables, self._lobby_pages, self._searches, self._peers = (
            tables,
            lobby_pages,
            searches,
            peers,
        )
        self._announced: dict[
            str, PublicTable
        ] = {}  # this process's tables, as announced to the others
        self._elsewhere: dict[str, dict[str, PublicTable]] = {}  # by process
        peers.bus.hear(BoardCards, self._cards_received)
        peers.on_newcomer.append(lambda: self._announce({}, self._announced))
        peers.when_ended(lambda sender: self._elsewhere.pop(sender, None))
        self._shown: dict[str, PublicTable] = {}
        self._counts = Counts(0, 0, 0, {})

    def state(self) -> PublicBoardState:
        """The current board. A new page is counted from the next update on."""
        return PublicBoardState(list(self._shown.values()), self._counts)

    def update(self) -> PublicBoardChange | None:
        """Changes since the last update, or None."""
        own_cards = {
            table.id: _card(table)
            for table in self._tables.open.values()
            if table.public and _is_shown(table)
        }
        self._announce(self._announced, own_cards)
        cards_by_table = {
            name: card for cards in self._elsewhere.values() for name, card in cards.items()
        } | own_cards
        begun = [name for name, card in cards_by_table.items() if card.begun]
        opened = [name for name, card in cards_by_table.items() if not card.begun]
        people = self.people_here() + self._peers.people
        counts = Counts(people, len(opened), len(begun), dict(self._searches()))
        chosen = [*self._choose(opened, _MAX_OPEN, False), *self._choose(begun, _MAX_WATCHED, True)]
        shown = {name: cards_by_table[name] for name in chosen}
        gone = [name for name in self._shown if name not in shown]
        changed = [card for name, card in shown.items() if self._shown.get(name) != card]
        if not gone and not changed and counts == self._counts:
            return None
        self._shown, self._counts = shown, counts
        return PublicBoardChange(gone, changed, counts)

    def _choose(self, names: list[str], limit: int, begun: bool) -> list[str]:
        """Tables already shown, then others while there is room."""
        already_shown = [
            name for name, card in self._shown.items() if card.begun == begun and name in set(names)
        ]
        others = [name for name in names if name not in set(already_shown)]
        return [*already_shown, *others[: limit - len(already_shown)]]

    def _announce(self, before: Mapping[str, PublicTable], cards: dict[str, PublicTable]) -> None:
        """Announce changes of this process's tables, in messages that fit the bus."""
        self._announced = cards
        changed = [card for name, card in cards.items() if before.get(name) != card]
        gone = [name for name in before if name not in cards]
        if not self._peers.bus.alone and (changed or gone):
            messages = [
                BoardCards([], changed[at : at + _AT_ONCE])
                for at in range(0, len(changed), _AT_ONCE)
            ]
            self._peers.bus.say(
                *messages, *(BoardCards(gone[at : at + 200], []) for at in range(0, len(gone), 200))
            )

    def _cards_received(self, sender: str, message: "BoardCards") -> None:
        cards = self._elsewhere.setdefault(sender, {})
        for name in message.gone:
            cards.pop(name, None)
        cards |= {card.table: card for card in message.come}

    def people_here(self) -> int:
        """Number of people connected to this process, in the lobby or at tables."""
        lobby = self._lobby_pages.people
        at_tables = {
            watcher.player for table in self._tables.open.values() for watcher in table.viewers
        }
        return len(lobby) + sum(player not in lobby for player in at_tables)


def _is_shown(table: Table) -> bool:
    """Whether a public table is worth showing: one of its players is there, and it has an open seat
    or a running game.
    """
    if table.deleted or table.old or table.over or table.state.lesson:
        return False
    seated = {row.player for row in table.seats if row.player}
    if not seated & table.people:
        return False
    return table.begun or (not table.shares.closed and any(row.is_open for row in table.seats))


def _card(table: Table) -> PublicTable:
    names = ["" if row.kind == "free" else row.name for row in table.seats]
    clocks = table.timing.clocks
    return PublicTable(
        table.id, table.position.game.name, names, table.begun, clocks.terms if clocks else None
    )
