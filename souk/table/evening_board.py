"""What everybody may see of an evening: put together and encoded once for all who look, and told to those who wait as soon as it is another."""

import asyncio
import gzip
import hashlib
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from souk.table.evening_points import going_on, is_final, points, standings
from souk.table.evening_protocol import (
    EveningEntrant,
    EveningNow,
    EveningPlace,
    EveningRound,
    EveningTable,
)
from souk.table.evening_rounds import game_of
from souk.table.evening_rows import EntrantRow, EveningRow, EveningShelf, SittingRow, versions
from souk.table.evening_terms import is_joinable
from souk.table.house_time import HouseTime
from souk.table.logs import trouble
from souk.table.neighbours import Neighbours
from souk.table.news import Word
from souk.table.refusals import Refuse
from souk.table.store import Store, Unanswered
from souk.table.views import encode

_SECONDS_TO_WAIT = 15.0  # for something new, then the page asks again
_SECONDS_HERE = 22.0  # that somebody counts as here after their page has asked
_SECONDS_TO_RELOAD = 3.0  # that somebody still counts as here when their page is closed
_SECONDS_BETWEEN_LOOKS = 1.0
_MOST_TOLD = 150  # people of one evening that one process tells the others of: more than take part
_DIGITS = 4  # of a number of points


class Shown(NamedTuple):
    """An evening as it is told. `tag` is another where anything in it is."""

    version: int
    entrants: frozenset[bytes]  # persons
    here: frozenset[bytes]  # those of them who have a page open
    tag: str
    body: bytes
    packed: bytes


class AtEvening(Word, tag="at_evening"):
    """Who has a page of an evening open at this process."""

    evening: str
    players: list[bytes]


class EveningBoard:
    """Where evenings are to be read."""

    def __init__(self, store: Store, shelf: EveningShelf, time: HouseTime, neighbours: Neighbours) -> None:
        self._store, self._shelf, self._time, self._news = store, shelf, time, neighbours.news
        self._told: dict[str, frozenset[bytes]] = {}  # who is here, as other processes know it
        self._elsewhere: defaultdict[str, dict[str, frozenset[bytes]]] = defaultdict(dict)  # by evening and process
        self._news.hear(AtEvening, self._are_elsewhere)
        neighbours.newcomer.append(self._told.clear)  # so that they hear it with the next look
        neighbours.when_gone(self._gone)
        self._shown: dict[str, Shown] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._bells: dict[str, asyncio.Event] = {}
        self._asked: defaultdict[str, dict[bytes, float]] = defaultdict(dict)  # by evening: when people last asked
        self._closed = False

    # ------------------------------------------------------------ who asks

    async def read(self, name: str, known: str, player: bytes | None, leaves: Callable[[], Awaitable[None]]) -> Shown:
        """An evening as it is now; where that is known, as it is next, or as it is after a while. `leaves` comes to its end when whoever asks has
        gone away."""
        shown = await self._show(name, player)
        if shown.tag == known and not self._closed:
            if await self._wait(name, leaves):
                shown = await self._show(name, player)
            elif player is not None:
                self._asked[name][player] = time.monotonic() - _SECONDS_HERE + _SECONDS_TO_RELOAD
        return shown

    async def _wait(self, name: str, leaves: Callable[[], Awaitable[None]]) -> bool:
        """Until there is news, or for a while; whether somebody still waits for it."""
        bell = self._bells.setdefault(name, asyncio.Event())
        rings, gone = asyncio.ensure_future(bell.wait()), asyncio.ensure_future(leaves())
        try:
            await asyncio.wait((rings, gone), timeout=_SECONDS_TO_WAIT, return_when=asyncio.FIRST_COMPLETED)
            return not gone.done()
        finally:
            rings.cancel()
            gone.cancel()

    async def round(self, name: str, turn: int) -> EveningRound:
        evening = await self._shelf.find(name)
        if not 1 <= turn <= evening.round:
            raise Refuse("evening_no_round", 404)
        return _round(evening, turn)

    async def _show(self, name: str, player: bytes | None) -> Shown:
        """Made once, however many ask at the same time."""
        if name not in self._shown:
            await self._shelf.find(name)  # so that nothing is remembered of what there is not
        if player is not None:
            self._asked[name][player] = time.monotonic()
        async with self._locks[name]:
            while (shown := self._shown.get(name)) is None:
                await self._make(name)
        return shown

    async def _make(self, name: str) -> None:
        evening = await self._shelf.find(name)
        entrants = frozenset(each.player for each in evening.entrants if each.player)
        here = self._here(name) & entrants
        now, wall = self._time.now(), time.time()
        told = await asyncio.to_thread(_told, evening, here, wall - now)
        body = encode(told)
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        packed = await asyncio.to_thread(gzip.compress, body, 5, mtime=0)
        if (await self._store.ask(versions, [name])).get(name, evening.version) == evening.version:
            self._shown[name] = Shown(evening.version, entrants, here, tag, body, packed)

    # ------------------------------------------------------------ what is new

    def changed(self, name: str) -> None:
        """An evening is no longer as it was: who waits is told."""
        self._shown.pop(name, None)
        if bell := self._bells.pop(name, None):
            bell.set()

    async def keep_watch(self) -> None:
        """Who comes and goes, and what other servers at the same file have changed."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                await self._look()
            except Unanswered as error:
                trouble("no news of evenings", error)

    async def _look(self) -> None:
        if not self._shown:
            return
        found = await self._store.ask(versions, list(self._shown))
        for name, shown in list(self._shown.items()):
            if found.get(name) != shown.version or self._here(name) & shown.entrants != shown.here:
                self.changed(name)
            if not self._asked.get(name):
                self._forget(name)

    def _here(self, name: str) -> frozenset[bytes]:
        limit = time.monotonic() - _SECONDS_HERE
        self._asked[name] = {player: at for player, at in self._asked[name].items() if at > limit}
        own = frozenset(self._asked[name])
        if own != self._told.get(name, frozenset()):
            self._told[name] = own
            self._news.say(AtEvening(name, sorted(own)[:_MOST_TOLD]))
        return own.union(*self._elsewhere[name].values())

    def _are_elsewhere(self, sender: str, word: "AtEvening") -> None:
        self._elsewhere[word.evening][sender] = frozenset(word.players)
        if not any(self._elsewhere[word.evening].values()):
            del self._elsewhere[word.evening]

    def _gone(self, process: str) -> None:
        for by_process in self._elsewhere.values():
            by_process.pop(process, None)

    def _forget(self, name: str) -> None:
        """Nobody looks any more."""
        for kept in (self._shown, self._asked, self._locks, self._told):
            kept.pop(name, None)

    def close(self) -> None:
        """The server stops: nobody is kept waiting."""
        self._closed = True
        for name in list(self._bells):
            self.changed(name)


# ---------------------------------------------------------------- in words for a page


def _told(evening: EveningRow, here: frozenset[bytes], ahead: float) -> EveningNow:
    """`ahead`: how far the world's time is ahead of the house's."""
    running = evening.state == "playing"
    return EveningNow(
        evening=evening.id,
        name=evening.name,
        terms=evening.terms,
        state=evening.state,
        round=evening.round,
        rounds=evening.rounds,
        entrants=[_entrant(evening, each, here) for each in evening.entrants if each.until != 0],
        standings=_places(evening),
        now=_round(evening, evening.round) if evening.round else None,
        joinable=is_joinable(evening),
        began_at=_moment(evening.began, ahead),
        ends_at=_moment(evening.due if running else None, ahead),
        next_at=_moment(evening.due if evening.state == "between" else None, ahead),
    )


def _moment(at: float | None, ahead: float) -> float:
    return 0.0 if at is None else round(at + ahead)


def _entrant(evening: EveningRow, row: EntrantRow, here: frozenset[bytes]) -> EveningEntrant:
    return EveningEntrant(
        row.number,
        row.name,
        row.level,
        here=row.player in here,
        left=row.until is not None,
        late=row.since > max(1, evening.round),
    )


def _places(evening: EveningRow) -> list[EveningPlace]:
    knock_out = evening.terms.form == "knock_out"
    return [
        EveningPlace(
            stand.number,
            stand.place,
            round(float(stand.points), _DIGITS),
            round(float(stand.share), _DIGITS),
            stand.tables,
            stand.byes,
            stand.round if knock_out else 0,
            stand.out,
        )
        for stand in standings(evening)
    ]


def _round(evening: EveningRow, turn: int) -> EveningRound:
    return EveningRound(turn, game_of(evening, turn), [_table(evening, each) for each in evening.of_round(turn)])


def _table(evening: EveningRow, sitting: SittingRow) -> EveningTable:
    table, seats, verdict = sitting.table if sitting.made else "", list(sitting.seats), sitting.verdict
    if verdict is None:
        return EveningTable(table, seats)
    goes_on = evening.terms.form == "knock_out" and not is_final(evening, sitting.round)
    on = going_on(evening, sitting) if goes_on else []
    worth = [round(float(each), _DIGITS) for each in points(verdict)]
    return EveningTable(table, seats, verdict.outcome, verdict.ranks, verdict.scores, worth, on)
