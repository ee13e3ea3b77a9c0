"""Bots of a server whose tables are in PostgreSQL: what is dear is asked of whoever thinks, here or on another machine.

What costs next to nothing is thought over where it is asked, if anybody thinks there; programs always are, as they lie there. All else becomes an errand
(`souk.table.errands`). Where no thinker takes it, a simple bot plays here after `patience` seconds.
"""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Callable
from math import inf

import msgspec

from souk.bots.answering import NEWCOMER, PROGRAM, Reply, question
from souk.bots.cage import Cage
from souk.bots.registry import searches
from souk.core.game import Game
from souk.table import errands, lookbacks
from souk.table.brains import BotFailed
from souk.table.errand_line import ErrandLine, rung
from souk.table.errands import MOST_TRIES, Answered, AskedErrand, ThinkerRow, edition_of
from souk.table.far_students import FarStudent
from souk.table.fetching import Fetching
from souk.table.logs import note, trouble
from souk.table.sealing import Seal
from souk.table.settings import Settings
from souk.table.store import Unanswered
from souk.table.students import Student
from souk.table.thinkers import NOTHING, Thinkers, TooManyWait, Turn, cost_of, times_of
from souk.table.waiting import CHEAP, Wish

_EVERY = 1.0  # seconds between two looks
_SWEEP = 10.0  # seconds between two sweepings
_LONGEST_WAIT = 60.0  # seconds beyond what it should take, though somebody could think


class _Asked:
    """An errand of this server's, and who waits for it."""

    def __init__(self, errand: AskedErrand) -> None:
        self.errand, self.since = errand, time.monotonic()
        self.replies: list[asyncio.Future[Answered | None]] = []

    @property
    def waited(self) -> float:
        return time.monotonic() - self.since

    def end(self, found: Answered | Exception) -> None:
        for reply in self.replies:
            if reply.done():
                continue
            if isinstance(found, Exception):
                reply.set_exception(found)
            else:
                reply.set_result(found)


class FarThinkers(Thinkers):
    """Where the bots of this server think: here and elsewhere."""

    def __init__(self, settings: Settings, line: ErrandLine, seal: Seal, cage: Cage | None = None) -> None:
        games = settings.games if settings.workers else ()
        super().__init__(max(1, settings.workers), games, settings.bot_wait, cage)
        self._line, self._seal = line, seal
        self._wait, self._patience = settings.bot_wait, settings.think_wait
        self._studies_here = bool(settings.study_workers)
        self._fetching = Fetching(self, line, settings.workers, settings.bot_wait) if settings.workers else None
        self.present: list[ThinkerRow] = []  # as of late
        self.untaken = 0  # errands of all servers, likewise
        self._asked: dict[str, _Asked] = {}
        self._bell = asyncio.Event()
        self._looked = self._swept = -inf
        self._in_company = time.monotonic()  # when somebody was there for the last time
        self._watches: list[asyncio.Task[None]] = []
        self._tell_of: Callable[[str], None] = lambda _game: None

    def start(self, tell: Callable[[str], None]) -> None:
        super().start(tell)
        self._tell_of = tell
        self._watches = [asyncio.create_task(self._keep_watch())]
        if self._fetching:
            self._watches.append(asyncio.create_task(self._fetching.keep_on()))

    async def close(self) -> None:
        for watch in self._watches:
            watch.cancel()
        if self._fetching:
            await self._fetching.close()
        await super().close()
        await self._line.close()

    @property
    def waiting(self) -> int:
        """How many moves wait for their bots to begin: here, and of all servers in the queue."""
        return super().waiting + self.untaken

    @property
    def present_now(self) -> int:
        return len(self.present)

    def student(self) -> Student:
        if self._studies_here:
            return super().student()
        return FarStudent(self._line, self._seal, lambda: any(row.studies for row in self.present), self._patience)

    def wakes_in(self, game: Game, level: str) -> int:
        if not searches(level):
            return 0
        known = [row.waking[game.name] for row in self.present if game.name in row.waking]
        return min(known) if known else super().wakes_in(game, level)

    def drop(self, turn: Turn) -> None:
        super().drop(turn)
        if turn.reply and not turn.reply.done():
            turn.reply.set_result(None)

    # ------------------------------------------------------------ who thinks

    async def _wake(self, game: str) -> bool:  # noqa: ARG002
        """Whoever takes an errand sees to that."""
        return True

    def _is_awake(self, game: str) -> bool:
        return super()._is_awake(game) or any(row.waking.get(game) == 0 for row in self.present)

    async def _ask(self, turn: Turn, level: str) -> Reply:
        if turn.here or level == NEWCOMER or level.startswith(PROGRAM):
            return await self.ask_here(turn, level)
        errand = wanted(turn, level, self._seal)
        can_think_here = self._fetching and (not errand.searches or super()._is_awake(errand.game))
        if errand.cost <= CHEAP and can_think_here:
            return await self.ask_here(turn, level)
        return await self._ask_elsewhere(turn, errand)

    async def _ask_elsewhere(self, turn: Turn, errand: AskedErrand) -> Reply:
        if turn.dropped:
            return NOTHING
        asked = self._asked.setdefault(errand.id, _Asked(errand))
        reply = turn.reply = asyncio.get_running_loop().create_future()
        asked.replies.append(reply)
        found: Answered | None = None
        try:
            with contextlib.suppress(Unanswered):  # then it is asked again at the next look
                await self._line.do(errands.ask, errand, self._wait)
            self._bell.set()  # there may be an answer already, to somebody who is gone
            found = await reply
        finally:
            asked.replies.remove(reply)
            if not asked.replies:
                self._asked.pop(errand.id, None)
                if found is None:
                    self._do(self._drop(errand.id))
        if found is None or found.reply is None:
            return NOTHING
        if found.reply.error:
            raise BotFailed(found.reply.error)
        turn.hurried = turn.hurried or found.hurried
        return found.reply

    async def _drop(self, errand: str) -> None:
        with contextlib.suppress(Unanswered):
            await self._line.do(errands.drop, errand)

    # ------------------------------------------------------------ what becomes of it

    async def _keep_watch(self) -> None:
        self._line.listen("done", self._bell)
        while True:
            try:
                await self._look_around()
                await self._look_at_errands()
            except Unanswered:
                self._lose_patience()
            except Exception as error:  # whatever it is, it is tried again
                trouble("asking for moves failed", error)
            await rung(self._bell, _EVERY)

    async def _look_around(self) -> None:
        """Who is there, and how much there is to do."""
        if time.monotonic() < self._looked + _EVERY:
            return
        self._looked = time.monotonic()
        before = self._awake_now()
        self.present = await self._line.do(errands.thinkers)
        self._in_company = time.monotonic() if self.present else self._in_company
        self.untaken = await self._line.do(errands.waiting)
        for game in self._awake_now() ^ before:
            self._tell_of(game)
        if time.monotonic() > self._swept + _SWEEP:
            self._swept = time.monotonic()
            await self._line.do(errands.sweep)
            await self._line.do(lookbacks.sweep)

    def _awake_now(self) -> set[str]:
        return {game for row in self.present for game, seconds in row.waking.items() if not seconds}

    async def _look_at_errands(self) -> None:
        if not self._asked:
            return
        found = {each.id: each for each in await self._line.do(errands.look, list(self._asked))}
        for asked in list(self._asked.values()):
            now = found.get(asked.errand.id)
            if now is None:  # the database has begun anew
                await self._line.do(errands.ask, asked.errand, self._wait)
            elif now.turned_away:
                asked.end(TooManyWait())
            elif now.reply:
                asked.end(now)
            elif now.tries >= MOST_TRIES and not now.taken:
                asked.end(BotFailed(f"{now.tries} thinkers were lost over it"))
            elif self._is_hopeless(asked, now):
                self._give_up(asked)

    def _is_hopeless(self, asked: _Asked, now: Answered) -> bool:
        """Whether nobody is there who could think about it, or all are too slow."""
        alone = time.monotonic() - self._in_company
        if now.taken or max(asked.waited, alone) < self._patience:
            return False
        errand = asked.errand
        able = [row for row in self.present if not errand.searches or errand.game in row.waking]
        wakes = min((row.waking.get(errand.game, 0) for row in able), default=0)
        return not able or asked.waited > _LONGEST_WAIT + wakes + errand.cost

    def _lose_patience(self) -> None:
        """The database is away: for those who wait too long already it is as if nobody were there."""
        for asked in list(self._asked.values()):
            if asked.waited > self._patience + _LONGEST_WAIT:
                self._give_up(asked)

    def _give_up(self, asked: _Asked) -> None:
        note("no thinker for a turn", game=asked.errand.game, waited=round(asked.waited, 1), thinkers=len(self.present))
        asked.end(TooManyWait())


def wanted(turn: Turn, level: str, seal: Seal) -> AskedErrand:
    """A turn as an errand: as much as the seat may see, and nothing about whose it is."""
    wish, game = Wish(turn.address, turn.table, cost_of(level) * times_of(turn)), turn.position.game
    asked = question(0, turn.position, turn.seat, level, None, noticed=turn.noticed, weigh=turn.weigh)
    after = turn.after if turn.after >= 0 else hashlib.sha256(asked.state).hexdigest()
    weigh = "" if turn.weigh is None else f"weigh {turn.weigh}"
    return AskedErrand(
        seal.name_for("errand", turn.table, after, turn.seat, level, weigh),
        seal.name_for("table", turn.table),
        seal.name_for("address", turn.address),
        game.name,
        edition_of(game),
        searches(level),
        wish.cost,
        msgspec.msgpack.encode(asked),
    )
