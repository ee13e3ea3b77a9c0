"""Matchmaking: seats people who want the same game, number of players and clock at one table.

Nothing is stored: closing the page ends the search. A table is made as soon as enough people wait,
or filled up with bots once one of them has waited as long as they were willing to.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from souk.games import game as find_game
from souk.games import names as game_names
from souk.server.bus.bus import BusMessage
from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_info
from souk.server.lobby.pages import LobbyPages
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.meeting import (
    ClockChoice,
    FindPlayers,
    PlayersFound,
    Searching,
    SearchingNow,
)
from souk.server.protocol.table import ClockTerms
from souk.server.storage.rows import SeatRow
from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.seats import (
    bot_name,
    checked_hex,
    default_bot_level,
    unique_or_default_name,
)
from souk.server.tables.setup.create import TableFactory

CLOCKS: dict[str, ClockTerms] = {
    "move": ClockTerms("move", 60.0),
    "game": ClockTerms("game", 900.0, 10.0, returns=False),
}
MAX_PATIENCE = 3600  # seconds
_SECONDS_TO_COME_BACK = 10.0  # for searchers of a process that has ended
_MARGIN = 0.01  # added to the grace period, against rounding


class _Search(NamedTuple):
    """Criteria that people must share to be seated together."""

    game: str
    players: int
    clock: ClockChoice


class _Ticket(NamedTuple):
    player: bytes
    name: str
    commitment: str
    wanted: _Search
    until: float | None  # when bots fill up, in uptime; None: never
    since: float = 0.0  # uptime
    process: str = ""  # the process with their page, if not this one
    here: bool = True  # whether a page is open there


class TicketOpened(BusMessage, tag="seeking"):
    """Somebody searches at this process; `here`: whether they have a page open."""

    player: bytes
    name: str
    commitment: str
    wanted: _Search
    until: float | None
    since: float
    here: bool


class TicketClosed(BusMessage, tag="seeks_no_more"):
    player: bytes


class MatchFound(BusMessage, tag="found"):
    """A table was made for these people."""

    players: list[bytes]
    table: str


class Matchmaking:
    """All searches, one per person. Every process knows all of them; one makes the tables."""

    def __init__(
        self,
        config: ServerConfig,
        table_factory: TableFactory,
        lobby_pages: LobbyPages,
        now: Callable[[], float],
        peers: PeerProcesses,
    ) -> None:
        self._config, self._now = config, now
        self._table_factory, self._lobby_pages = table_factory, lobby_pages
        self._bus = peers.bus
        self._bus.hear(TicketOpened, self._ticket_opened)
        self._bus.hear(
            TicketClosed, lambda sender, message: self._ticket_closed(sender, message.player)
        )
        self._bus.hear(MatchFound, lambda _sender, message: self._match_found(message))
        peers.on_newcomer.append(self._publish_all)
        peers.when_ended(self._process_lost)
        self._tickets: dict[bytes, _Ticket] = {}
        self._being_seated: set[bytes] = set()  # a table is being made for them
        self._matching = asyncio.Lock()

    def by_game(self) -> Counter[str]:
        """Number of people searching, by game."""
        return Counter(ticket.wanted.game for ticket in self._tickets.values())

    def search_of(self, player: bytes) -> Searching | None:
        ticket = self._tickets.get(player)
        if ticket is None:
            return None
        bots_in = None if ticket.until is None else max(0.0, ticket.until - self._now())
        return Searching(*ticket.wanted, len(self._candidates(ticket.wanted)), bots_in)

    # ------------------------------------------------------------ searches

    async def find(self, player: bytes, address: str, request: FindPlayers) -> None:
        """Start a search, replacing the person's previous one. Counts towards the limit on new
        tables.
        """
        ticket = self._validated(player, request)
        if player in self._being_seated:
            raise RequestRefused("found_already", 409)
        await self._table_factory.count(address)
        previous = self._tickets.pop(player, None)
        self._tickets[player] = ticket
        self._publish(ticket)
        self._send_counts(*([previous.wanted] if previous else []), ticket.wanted)
        await self.match()

    def stop(self, player: bytes) -> None:
        if player in self._being_seated:
            raise RequestRefused("found_already", 409)
        if ticket := self._tickets.pop(player, None):
            self._bus.say(TicketClosed(player))
            self._lobby_pages.send(player, SearchingNow(None))
            self._send_counts(ticket.wanted)

    def page_closed(self, player: bytes) -> None:
        """End the search unless a page is open again within the grace period. Until then nobody is
        matched with them.
        """
        if self._is_own(player) and not self._lobby_pages.has(player):
            self._publish(self._tickets[player])
            self._send_counts(self._tickets[player].wanted)
            asyncio.get_running_loop().call_later(
                self._config.grace + _MARGIN, self._give_up, player
            )

    def _give_up(self, player: bytes) -> None:
        if self._is_own(player) and not self._lobby_pages.has(player):
            del self._tickets[player]
            self._bus.say(TicketClosed(player))

    def adopt(self, player: bytes) -> None:
        """Continue a search here, begun at a process that has ended or that the page has left."""
        ticket = self._tickets.get(player)
        if ticket is not None and ticket.process and not ticket.here:
            self._tickets[player] = ticket._replace(process="", here=True)
        if self._is_own(player):
            self._publish(self._tickets[player])

    def _is_own(self, player: bytes) -> bool:
        return player in self._tickets and not self._tickets[player].process

    # ------------------------------------------------------------ other processes

    def _publish(self, ticket: _Ticket) -> None:
        self._bus.say(TicketOpened(*ticket[:6], self._lobby_pages.has(ticket.player)))

    def _publish_all(self) -> None:
        for ticket in self._tickets.values():
            if not ticket.process:
                self._publish(ticket)

    def _ticket_opened(self, sender: str, message: TicketOpened) -> None:
        fields = (
            message.player,
            message.name,
            message.commitment,
            message.wanted,
            message.until,
            message.since,
        )
        previous = self._tickets.get(message.player)
        self._tickets[message.player] = _Ticket(*fields, sender, message.here)
        self._send_counts(*([previous.wanted] if previous else []), message.wanted)

    def _ticket_closed(self, sender: str, player: bytes) -> None:
        ticket = self._tickets.get(player)
        if ticket is not None and ticket.process in (sender, ""):
            del self._tickets[player]
            self._lobby_pages.send(player, SearchingNow(None))
            self._send_counts(ticket.wanted)

    def _match_found(self, message: MatchFound) -> None:
        tickets = [
            self._tickets.pop(player) for player in message.players if player in self._tickets
        ]
        for player in message.players:
            self._lobby_pages.send(player, PlayersFound(message.table))
        self._send_counts(*(ticket.wanted for ticket in tickets))

    def _process_lost(self, process: str) -> None:
        """A process has ended: its searchers have a moment to come back elsewhere."""
        for ticket in [other for other in self._tickets.values() if other.process == process]:
            self._tickets[ticket.player] = ticket._replace(here=False)
            asyncio.get_running_loop().call_later(
                _SECONDS_TO_COME_BACK, self._drop_lost, ticket.player, process
            )

    def _drop_lost(self, player: bytes, process: str) -> None:
        ticket = self._tickets.get(player)
        if ticket is not None and ticket.process == process and not ticket.here:
            del self._tickets[player]

    def _validated(self, player: bytes, request: FindPlayers) -> _Ticket:
        if not self._config.public_lobby:
            raise RequestRefused("not_public", 409)
        if not player:
            raise RequestRefused("no_cookie", 403)
        if request.game not in game_names():
            raise RequestRefused("game_unknown")
        possible = [number for number in find_game(request.game).players if number > 1]
        if request.players not in possible:
            raise RequestRefused("players_wrong", possible=", ".join(map(str, possible)))
        if not 0 <= request.patience <= MAX_PATIENCE:
            raise RequestRefused("patience_wrong", most=MAX_PATIENCE)
        commitment = checked_hex(request.commitment) if request.commitment else ""
        name = self._table_factory.checked_name(request.name)
        until = self._now() + request.patience if request.patience else None
        wanted = _Search(request.game, request.players, request.clock)
        return _Ticket(player, name, commitment, wanted, until, self._now())

    def _candidates(self, wanted: _Search) -> list[_Ticket]:
        """Tickets of people with an open page, oldest first."""
        present = [
            ticket
            for ticket in self._tickets.values()
            if ticket.wanted == wanted
            and (ticket.here if ticket.process else self._lobby_pages.has(ticket.player))
        ]
        return sorted(present, key=lambda ticket: ticket.since)

    def _send_counts(self, *changed: _Search) -> None:
        """Tell searchers how many there are."""
        for wanted in dict.fromkeys(changed):
            for ticket in self._candidates(wanted):
                self._lobby_pages.send(ticket.player, SearchingNow(self.search_of(ticket.player)))

    # ------------------------------------------------------------ matching

    async def match(self) -> None:
        """Make all tables that can be made now; runs at one process only."""
        if not self._bus.first:
            return
        async with self._matching:
            for wanted in dict.fromkeys(ticket.wanted for ticket in self._tickets.values()):
                while group := self._next_group(self._candidates(wanted), wanted.players):
                    if not await self._make_table(wanted, group):
                        return  # the database is unreachable; try at the next look

    def _next_group(self, present: Sequence[_Ticket], players: int) -> Sequence[_Ticket]:
        """The people to seat now.

        Bots fill up only for people willing to have them; then all such people are seated, since
        company now beats company later.
        """
        if len(present) >= players:
            return present[:players]
        accepting_bots = [ticket for ticket in present if ticket.until is not None]
        is_due = any(
            ticket.until is not None and ticket.until <= self._now() for ticket in accepting_bots
        )
        return accepting_bots if is_due else ()

    async def _make_table(self, wanted: _Search, group: Sequence[_Ticket]) -> bool:
        people = {ticket.player for ticket in group}
        self._being_seated |= people
        for player in people:
            del self._tickets[player]
        rows, shares = self._assign_seats(wanted, group)
        try:
            table = await self._table_factory.create_public(
                wanted.game, rows, shares, CLOCKS.get(wanted.clock)
            )
        except RequestRefused:
            self._tickets = {ticket.player: ticket for ticket in group} | self._tickets
            return False
        finally:
            self._being_seated -= people
        log_info("matched", table=table, people=len(people), bots=wanted.players - len(people))
        self._bus.say(MatchFound(sorted(people), table))
        for player in people:
            self._lobby_pages.send(player, PlayersFound(table))
        self._send_counts(wanted)
        return True

    def _assign_seats(
        self, wanted: _Search, group: Sequence[_Ticket]
    ) -> tuple[list[SeatRow], dict[int, str]]:
        """Seats in random order, and the dice commitments by seat."""
        seats, names = random.SystemRandom().sample(range(wanted.players), len(group)), [""][:0]
        rows: dict[int, SeatRow] = {}
        for seat, ticket in zip(seats, group, strict=True):
            names.append(unique_or_default_name(ticket.name, names))
            rows[seat] = SeatRow(seat, "person", names[-1], player=ticket.player)
        level = default_bot_level(self._config.levels)
        for seat in range(wanted.players):
            if seat not in rows:
                names.append(bot_name(seat, names))
                rows[seat] = SeatRow(seat, "bot", names[-1], level)
        shares = {
            seat: ticket.commitment
            for seat, ticket in zip(seats, group, strict=True)
            if ticket.commitment
        }
        return [rows[seat] for seat in sorted(rows)], dict(sorted(shares.items()))
