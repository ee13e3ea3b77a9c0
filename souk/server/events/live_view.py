"""The public view of an event: encoded once for all viewers, delivered by long polling."""

import asyncio
import gzip
import hashlib
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from souk.server.bus.bus import BusMessage
from souk.server.common.logs import log_error
from souk.server.events.rounds import game_of
from souk.server.events.scoring import advancing, is_final, points, standings
from souk.server.events.storage import EntrantRow, EventRow, EventStorage, EventTableRow, versions
from souk.server.events.validation import is_joinable
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.events import EventEntrant, EventPlace, EventRound, EventState, EventTable
from souk.server.storage.errors import ReadFailed
from souk.server.storage.store import Store
from souk.server.tables.game.views import encode
from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.timing.uptime_clock import UptimeClock

_SECONDS_TO_WAIT = 15.0  # long poll: answer after this long at the latest
_SECONDS_HERE = 22.0  # after a poll, a person counts as present for this long
_SECONDS_TO_RELOAD = 3.0  # the same after their page was closed
_SECONDS_BETWEEN_LOOKS = 1.0
_MAX_ANNOUNCED = 150  # viewers per event announced to other processes: more than can take part
_DIGITS = 4  # decimals of points
NOBODY_KNOWN = b""  # a viewer without a cookie, such as a projector


class ShownState(NamedTuple):
    """An encoded event. `tag`: its ETag."""

    version: int
    entrants: frozenset[bytes]  # people taking part
    here: frozenset[bytes]  # of these, those with a page open
    tag: str
    body: bytes
    packed: bytes


class ViewersAtEvent(BusMessage, tag="at_event"):
    """People with a page of an event open at this process."""

    event: str
    players: list[bytes]


class EventLiveView:
    """Encodes events, and answers long polls."""

    def __init__(
        self, store: Store, event_storage: EventStorage, time: UptimeClock, peers: PeerProcesses
    ) -> None:
        self._store, self._event_storage, self._time, self._bus = (
            store,
            event_storage,
            time,
            peers.bus,
        )
        # viewers here, as announced to other processes
        self._state: dict[str, frozenset[bytes]] = {}
        # viewers by event and process
        self._elsewhere: defaultdict[str, dict[str, frozenset[bytes]]] = defaultdict(dict)
        self._bus.hear(ViewersAtEvent, self._viewers_elsewhere)
        peers.on_newcomer.append(self._state.clear)  # announce again at the next look
        peers.when_ended(self._process_gone)
        self._encoded: dict[str, ShownState] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._changes: dict[str, asyncio.Event] = {}
        # last poll by event and person
        self._polled: defaultdict[str, dict[bytes, float]] = defaultdict(dict)
        self._closed = False

    # ------------------------------------------------------------ polling

    async def read(
        self, name: str, known_tag: str, player: bytes | None, leaves: Callable[[], Awaitable[None]]
    ) -> ShownState:
        """The event now; if its tag is `known_tag`, wait for a change or a timeout.

        `leaves` returns when the client has disconnected.
        """
        who = player or NOBODY_KNOWN
        state = await self._show(name, who)
        if state.tag == known_tag and not self._closed:
            if await self._wait(name, leaves):
                state = await self._show(name, who)
            else:
                self._polled[name][who] = time.monotonic() - _SECONDS_HERE + _SECONDS_TO_RELOAD
        return state

    def has_viewers(self, name: str) -> bool:
        """Whether anybody in any process has the event's page open."""
        limit = time.monotonic() - _SECONDS_HERE
        polled, elsewhere = self._polled.get(name, {}), self._elsewhere.get(name, {})
        return any(at > limit for at in polled.values()) or any(elsewhere.values())

    async def _wait(self, name: str, leaves: Callable[[], Awaitable[None]]) -> bool:
        """Wait for a change or a timeout; returns whether the client is still there."""
        change = self._changes.setdefault(name, asyncio.Event())
        changed, gone = asyncio.ensure_future(change.wait()), asyncio.ensure_future(leaves())
        try:
            await asyncio.wait(
                (changed, gone), timeout=_SECONDS_TO_WAIT, return_when=asyncio.FIRST_COMPLETED
            )
            return not gone.done()
        finally:
            changed.cancel()
            gone.cancel()

    async def round(self, name: str, round_number: int) -> EventRound:
        event = await self._event_storage.find(name)
        if not 1 <= round_number <= event.round:
            raise RequestRefused("event_no_round", 404)
        return _round(event, round_number)

    async def _show(self, name: str, player: bytes) -> ShownState:
        """Encode the event, once for concurrent requests."""
        if name not in self._encoded:
            await self._event_storage.find(name)  # remember nothing about unknown ids
        self._polled[name][player] = time.monotonic()
        async with self._locks[name]:
            while (encoded := self._encoded.get(name)) is None:
                await self._make(name)
        return encoded

    async def _make(self, name: str) -> None:
        event = await self._event_storage.find(name)
        players = frozenset(entrant.player for entrant in event.entrants if entrant.player)
        here = self._here(name) & players
        now, wall = self._time.now(), time.time()
        state = await asyncio.to_thread(_state, event, here, wall - now)
        body = encode(state)
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        packed = await asyncio.to_thread(gzip.compress, body, 5, mtime=0)
        if (await self._store.query(versions, [name])).get(name, event.version) == event.version:
            self._encoded[name] = ShownState(event.version, players, here, tag, body, packed)

    # ------------------------------------------------------------ changes

    def changed(self, name: str) -> None:
        """The event has changed: wake all polls."""
        self._encoded.pop(name, None)
        if change := self._changes.pop(name, None):
            change.set()

    async def keep_watch(self) -> None:
        """Look forever for viewers coming and going, and for changes by other servers."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                await self._check_changes()
            except ReadFailed as error:
                log_error("reading event versions failed", error)

    async def _check_changes(self) -> None:
        if not self._encoded:
            return
        version_by_id = await self._store.query(versions, list(self._encoded))
        for name, shown in list(self._encoded.items()):
            if (
                version_by_id.get(name) != shown.version
                or self._here(name) & shown.entrants != shown.here
            ):
                self.changed(name)
            if not self._polled.get(name):
                self._forget(name)

    def _here(self, name: str) -> frozenset[bytes]:
        limit = time.monotonic() - _SECONDS_HERE
        self._polled[name] = {player: at for player, at in self._polled[name].items() if at > limit}
        own = frozenset(self._polled[name])
        if own != self._state.get(name, frozenset()):
            self._state[name] = own
            self._bus.say(ViewersAtEvent(name, sorted(own)[:_MAX_ANNOUNCED]))
        return own.union(*self._elsewhere[name].values())

    def _viewers_elsewhere(self, sender: str, message: "ViewersAtEvent") -> None:
        self._elsewhere[message.event][sender] = frozenset(message.players)
        if not any(self._elsewhere[message.event].values()):
            del self._elsewhere[message.event]

    def _process_gone(self, process: str) -> None:
        for by_process in self._elsewhere.values():
            by_process.pop(process, None)

    def _forget(self, name: str) -> None:
        """Forget an event without viewers."""
        for kept in (self._encoded, self._polled, self._locks, self._state):
            kept.pop(name, None)

    def close(self) -> None:
        """Answer all polls: the server stops."""
        self._closed = True
        for name in list(self._changes):
            self.changed(name)


# ---------------------------------------------------------------- encoding


def _state(event: EventRow, here: frozenset[bytes], ahead: float) -> EventState:
    """`ahead`: wall clock minus uptime."""
    running = event.state == "playing"
    return EventState(
        event=event.id,
        name=event.name,
        terms=event.terms,
        state=event.state,
        round=event.round,
        rounds=event.rounds,
        entrants=[
            _entrant(event, entrant, here) for entrant in event.entrants if entrant.until != 0
        ],
        standings=_places(event),
        now=_round(event, event.round) if event.round else None,
        joinable=is_joinable(event),
        began_at=_moment(event.began, ahead),
        ends_at=_moment(event.due if running else None, ahead),
        next_at=_moment(event.due if event.state == "between" else None, ahead),
    )


def _moment(at: float | None, ahead: float) -> float:
    return 0.0 if at is None else round(at + ahead)


def _entrant(event: EventRow, row: EntrantRow, here: frozenset[bytes]) -> EventEntrant:
    return EventEntrant(
        row.number,
        row.name,
        row.level,
        here=row.player in here,
        left=row.until is not None,
        late=row.since > max(1, event.round),
    )


def _places(event: EventRow) -> list[EventPlace]:
    knock_out = event.terms.form == "knock_out"
    return [
        EventPlace(
            standing.number,
            standing.place,
            round(float(standing.points), _DIGITS),
            round(float(standing.share), _DIGITS),
            standing.tables,
            standing.byes,
            standing.round if knock_out else 0,
            standing.out,
        )
        for standing in standings(event)
    ]


def _round(event: EventRow, round_number: int) -> EventRound:
    return EventRound(
        round_number,
        game_of(event, round_number),
        [_table(event, event_table) for event_table in event.of_round(round_number)],
    )


def _table(event: EventRow, event_table: EventTableRow) -> EventTable:
    table, seats = event_table.table if event_table.made else "", list(event_table.seats)
    result = event_table.result
    if result is None:
        return EventTable(table, seats)
    is_knock_out_round = event.terms.form == "knock_out" and not is_final(event, event_table.round)
    advances = advancing(event, event_table) if is_knock_out_round else []
    worth = [round(float(part), _DIGITS) for part in points(result)]
    return EventTable(table, seats, result.outcome, result.ranks, result.scores, worth, advances)
