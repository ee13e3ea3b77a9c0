"""Evenings: a host opens one, people join by its address, and the host says what is to happen. What follows from that is the organiser's
(`souk.table.organising`)."""

import hmac
from collections.abc import Sequence

from souk.table.evening_protocol import (
    EveningCard,
    EveningList,
    EveningMade,
    EveningMe,
    NewEvening,
    SteerEvening,
)
from souk.table.evening_rows import (
    EveningRow,
    EveningShelf,
    changing,
    evenings_of,
    hosted_by,
)
from souk.table.evening_terms import FEWEST, bots_coming, joining, leaving, new_evening
from souk.table.forbidden import Forbidden
from souk.table.limits import Buckets
from souk.table.logs import note
from souk.table.organising import Organiser
from souk.table.pairing import rounds_needed
from souk.table.refusals import Refuse
from souk.table.seating import checked_level, digest
from souk.table.settings import Settings
from souk.table.store import Statement, Store

_TRIES = 5  # to draw a round while people come and go
_MOST_HOSTED = 5  # evenings of one person that are not over
_MOST_LISTED = 30
_RATE, _BURST = 1 / 120, 20  # new evenings a second from one address, and how many at once


class Evenings:
    """What people ask of evenings. Everything is checked and kept before it is so."""

    def __init__(self, settings: Settings, store: Store, shelf: EveningShelf, organiser: Organiser) -> None:
        self._settings, self._store, self._shelf, self._organiser = settings, store, shelf, organiser
        self.opened = Buckets(_RATE, _BURST)
        self.forbidden = Forbidden()  # names

    # ------------------------------------------------------------ for everybody

    async def mine(self, player: bytes | None) -> EveningList:
        found = await self._store.ask(evenings_of, player, _MOST_LISTED) if player else []
        return EveningList([EveningCard(*each) for each in found], self._settings.events == "everybody")

    async def open(self, wish: NewEvening, player: bytes, address: str) -> EveningMade:
        """Somebody opens an evening, and is its host."""
        if self._settings.events != "everybody":
            raise Refuse(f"evenings_{self._settings.events}", 403)
        evening = new_evening(wish, self._settings.levels)._replace(host=player)
        self.forbidden.check_name(evening.name)
        if await self._store.ask(hosted_by, player) >= _MOST_HOSTED:
            raise Refuse("too_many_evenings", 429, most=_MOST_HOSTED)
        if not self.opened.take(address):
            raise Refuse("too_fast", 429)
        if self._settings.file_bytes and await self._store.size() >= self._settings.file_bytes:
            raise Refuse("house_full", 503)
        await self._shelf.add(evening)
        note("new evening", evening=evening.id, form=evening.terms.form)
        return EveningMade(evening.id)

    async def me(self, name: str, player: bytes | None) -> EveningMe:
        return _me(await self._shelf.find(name), player)

    async def join(self, name: str, called: str, player: bytes) -> EveningMe:
        """Take part: before it begins, or from the next round on where that is possible."""
        self._check_open()
        self.forbidden.check_name(called)
        return _me(await self._shelf.change(name, lambda evening: joining(evening, called, player)), player)

    async def leave(self, name: str, player: bytes | None) -> EveningMe:
        """Take part no longer."""
        evening = await self._shelf.find(name)
        entrant = evening.entrant_of(player)
        if entrant is None or entrant.removed or player is None:
            raise Refuse("not_entered", 403)
        return _me(await self._take_out(name, entrant.number, removed=False), player)

    async def claim(self, name: str, secret: str, player: bytes) -> EveningMe:
        """Be the host, by the secret that was told where the evening was made."""

        def taken(evening: EveningRow) -> Sequence[Statement]:
            if evening.key is None or not hmac.compare_digest(evening.key, digest(secret)):
                raise Refuse("not_evening_host", 403)
            return [] if evening.host == player else [changing(evening, evening._replace(host=player))]

        return _me(await self._shelf.change(name, taken), player)

    def _check_open(self) -> None:
        if self._settings.events == "off":
            raise Refuse("evenings_off", 403)

    # ------------------------------------------------------------ for the host

    async def steer(self, name: str, wish: SteerEvening, player: bytes | None) -> EveningMe:
        """The host says what is to happen."""
        evening = await self._shelf.find(name)
        if player is None or evening.host != player:
            raise Refuse("not_evening_host", 403)
        if wish.do == "delete":
            await self._shelf.delete(name)
            note("evening deleted", evening=name)
            return EveningMe(None, host=False, gone=True)
        if wish.do == "remove":
            return _me(await self._take_out(name, wish.number, removed=True), player)
        if wish.do == "bots":
            checked_level(wish.level, self._settings.levels)
            changed = await self._shelf.change(name, lambda known: bots_coming(known, wish.count, wish.level))
        elif wish.do in ("start", "next"):
            changed = await self._next(name, wish.do)
        else:
            changed = await self._shelf.change(name, lambda known: self._ending(known, last=wish.do == "finish"))
        self._organiser.wake()
        note("evening steered", evening=name, do=wish.do)
        return _me(changed, player)

    async def _next(self, name: str, do: str) -> EveningRow:
        """The first round, or the next."""
        for _ in range(_TRIES):
            evening = self._ready(await self._shelf.find(name), do)
            if drawn := await self._organiser.draw(evening):
                return drawn
        raise Refuse("not_kept", 503)

    def _ready(self, evening: EveningRow, do: str) -> EveningRow:
        """An evening whose next round may be drawn."""
        if evening.state != ("open" if do == "start" else "between"):
            raise Refuse("evening_not_now", 409)
        if do == "start":
            if len(evening.active) < FEWEST:
                raise Refuse("evening_too_few", 409, fewest=FEWEST)
            needed = rounds_needed(evening.terms.form, len(evening.active), evening.terms.size)
            evening = evening._replace(
                rounds=0 if evening.terms.form == "knock_out" else evening.terms.rounds or needed
            )
        return evening

    def _ending(self, evening: EveningRow, last: bool) -> list[Statement]:
        """The round is ended now; `last`: and there is no other after it."""
        if evening.state not in (("playing", "between") if last else ("playing",)):
            raise Refuse("evening_not_now", 409)
        rounds = evening.round if last else evening.rounds
        return [changing(evening, evening._replace(due=self._organiser.now(), rounds=rounds))]

    async def _take_out(self, name: str, number: int, removed: bool) -> EveningRow:
        """Somebody takes part no longer: before it begins they never did; else from the next round on, and a bot plays on at their table."""
        before = await self._shelf.find(name)
        evening = await self._shelf.change(name, lambda known: leaving(known, number, removed))
        entrant = next((each for each in before.entrants if each.number == number), None)
        if entrant and entrant.player and evening.state == "playing":
            tables = [each.table for each in evening.unfinished if number in each.seats and each.made]
            for table in tables:
                await self._organiser.play_for(table, entrant.player)
        return evening


def _me(evening: EveningRow, player: bytes | None) -> EveningMe:
    entrant = evening.entrant_of(player)
    takes_part = entrant is not None and not entrant.removed and entrant.until is None
    return EveningMe(entrant.number if entrant and takes_part else None, player is not None and evening.host == player)
