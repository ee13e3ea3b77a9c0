"""Events as people use them: opening, joining, leaving, and the host's controls.

What follows from that is up to `souk.server.events.organiser`.
"""

import hmac
from collections import OrderedDict
from collections.abc import Sequence

from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_info
from souk.server.common.rate_limits import PerClientLimits
from souk.server.common.tokens import digest
from souk.server.events.organiser import EventRunner
from souk.server.events.pairing import rounds_needed
from souk.server.events.storage import (
    EventRow,
    EventStorage,
    count_bots_only,
    count_hosted,
    events_of,
    update_event,
)
from souk.server.events.validation import (
    MIN_ENTRANTS,
    add_bots_statements,
    join_statements,
    leave_statements,
    new_event,
)
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.events import (
    ControlEvent,
    EventCard,
    EventCreated,
    EventList,
    MyEventEntry,
    NewEvent,
)
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store
from souk.server.tables.chat.word_filter import WordFilter
from souk.server.tables.seats import checked_level, checked_name

_TRIES = 5  # attempts to draw a round while people join and leave
_MAX_HOSTED = 5  # unfinished events per host
_MAX_LISTED = 30
_MAX_STARTED = 10_000  # addresses remembered
_RATE, _BURST = 1 / 120, 20  # new events per second and address


class EventService:
    """Events on request. Everything is validated and stored before it takes effect."""

    def __init__(
        self, config: ServerConfig, store: Store, events: EventStorage, runner: EventRunner
    ) -> None:
        self._config, self._store = config, store
        self._event_storage, self._event_runner = events, runner
        self.opened = PerClientLimits(_RATE, _BURST)
        self.word_filter = WordFilter()  # event and player names
        # the event last started, by address
        self._started: OrderedDict[str, str] = OrderedDict()

    # ------------------------------------------------------------ for everybody

    async def mine(self, player: bytes | None) -> EventList:
        cards = await self._store.query(events_of, player, _MAX_LISTED) if player else []
        return EventList([EventCard(*card) for card in cards], self._config.events == "everybody")

    async def open(self, request: NewEvent, player: bytes, address: str) -> EventCreated:
        """Open an event and become its host."""
        if self._config.events != "everybody":
            raise RequestRefused(f"events_{self._config.events}", 403)
        event = new_event(request, self._config.levels)._replace(host=player)
        self.word_filter.check_name(event.name)
        if await self._store.query(count_hosted, player) >= _MAX_HOSTED:
            raise RequestRefused("too_many_events", 429, most=_MAX_HOSTED)
        if not self.opened.take(address):
            raise RequestRefused("too_fast", 429)
        if self._config.file_bytes and await self._store.size() >= self._config.file_bytes:
            raise RequestRefused("house_full", 503)
        await self._event_storage.add(event)
        log_info("event opened", event_id=event.id, form=event.terms.form)
        return EventCreated(event.id)

    async def me(self, name: str, player: bytes | None) -> MyEventEntry:
        return _me(await self._event_storage.find(name), player)

    async def join(self, name: str, name_wanted: str, player: bytes) -> MyEventEntry:
        """Take part, from the beginning or from the next round on where possible."""
        self._check_open()
        self.word_filter.check_name(checked_name(name_wanted))
        return _me(
            await self._event_storage.change(
                name, lambda event: join_statements(event, name_wanted, player)
            ),
            player,
        )

    async def leave(self, name: str, player: bytes | None) -> MyEventEntry:
        """Stop taking part."""
        event = await self._event_storage.find(name)
        entrant = event.entrant_of(player)
        if entrant is None or entrant.removed or player is None:
            raise RequestRefused("not_entered", 403)
        return _me(await self._withdraw(name, entrant.number, removed=False), player)

    async def claim(self, name: str, secret: str, player: bytes) -> MyEventEntry:
        """Become the host, with the secret shown when the event was made by `souk host event`."""

        def taken(event: EventRow) -> Sequence[Statement]:
            if event.key is None or not hmac.compare_digest(event.key, digest(secret)):
                raise RequestRefused("not_event_host", 403)
            return (
                [] if event.host == player else [update_event(event, event._replace(host=player))]
            )

        return _me(await self._event_storage.change(name, taken), player)

    def _check_open(self) -> None:
        if self._config.events == "off":
            raise RequestRefused("events_off", 403)

    # ------------------------------------------------------------ for the host

    async def control(
        self, name: str, request: ControlEvent, player: bytes | None, address: str
    ) -> MyEventEntry:
        """Carry out a host's control."""
        event = await self._event_storage.find(name)
        if player is None or event.host != player:
            raise RequestRefused("not_event_host", 403)
        if request.do == "delete":
            await self._event_storage.delete(name)
            log_info("event deleted", event_id=name)
            return MyEventEntry(None, host=False, gone=True)
        if request.do == "remove":
            return _me(await self._withdraw(name, request.number, removed=True), player)
        if request.do == "bots":
            checked_level(request.level, self._config.levels)
            changed = await self._event_storage.change(
                name, lambda current: add_bots_statements(current, request.count, request.level)
            )
        elif request.do in ("start", "next"):
            if request.do == "start":
                await self._check_people(event, player, address)
            changed = await self._next(name, request.do)
        else:
            changed = await self._event_storage.change(
                name, lambda current: self._ending(current, last=request.do == "finish")
            )
        self._event_runner.wake()
        log_info("event controlled", event_id=name, do=request.do)
        return _me(changed, player)

    async def _check_people(self, event: EventRow, player: bytes, address: str) -> None:
        """Events of bots only: one at a time per host and address."""
        if not any(entrant.player for entrant in event.active):
            if await self._store.query(count_bots_only, player, self._started.get(address, "")):
                raise RequestRefused("event_of_bots", 429)
        self._started[address] = event.id
        self._started.move_to_end(address)
        if len(self._started) > _MAX_STARTED:
            self._started.popitem(last=False)

    async def _next(self, name: str, do: str) -> EventRow:
        """Draw the first round, or the next."""
        for _ in range(_TRIES):
            event = self._ready(await self._event_storage.find(name), do)
            if drawn := await self._event_runner.draw(event):
                return drawn
        raise RequestRefused("not_kept", 503)

    def _ready(self, event: EventRow, do: str) -> EventRow:
        """Refuse unless the next round may be drawn now; sets the number of rounds at the start."""
        if event.state != ("open" if do == "start" else "between"):
            raise RequestRefused("event_not_now", 409)
        if do == "start":
            if len(event.active) < MIN_ENTRANTS:
                raise RequestRefused("event_too_few", 409, fewest=MIN_ENTRANTS)
            needed = rounds_needed(event.terms.form, len(event.active), event.terms.size)
            event = event._replace(
                rounds=0 if event.terms.form == "knock_out" else event.terms.rounds or needed
            )
        return event

    def _ending(self, event: EventRow, last: bool) -> list[Statement]:
        """End the round now; `last`: and the event."""
        if event.state not in (("playing", "between") if last else ("playing",)):
            raise RequestRefused("event_not_now", 409)
        rounds = event.round if last else event.rounds
        return [update_event(event, event._replace(due=self._event_runner.now(), rounds=rounds))]

    async def _withdraw(self, name: str, number: int, removed: bool) -> EventRow:
        """Withdraw an entrant: entirely before the event, else from the next round on, with a bot
        at the current table.
        """
        before = await self._event_storage.find(name)
        event = await self._event_storage.change(
            name, lambda current: leave_statements(current, number, removed)
        )
        entrant = next((each for each in before.entrants if each.number == number), None)
        if entrant and entrant.player and event.state == "playing":
            tables = [each.table for each in event.unfinished if number in each.seats and each.made]
            for table in tables:
                await self._event_runner.play_for(table, entrant.player)
        return event


def _me(event: EventRow, player: bytes | None) -> MyEventEntry:
    entrant = event.entrant_of(player)
    takes_part = entrant is not None and not entrant.removed and entrant.until is None
    return MyEventEntry(
        entrant.number if entrant and takes_part else None,
        player is not None and event.host == player,
    )
