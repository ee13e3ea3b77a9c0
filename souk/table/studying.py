"""Whoever looks back at games for servers elsewhere: takes them from the queue (`souk.table.lookbacks`) and writes what it finds. `souk think` does that."""

import asyncio
import contextlib
import time
from collections import deque

from souk.core.shelf import find_game
from souk.games import names
from souk.table import lookbacks
from souk.table.errand_line import ErrandLine, rung
from souk.table.errands import edition_of
from souk.table.logs import note, trouble
from souk.table.lookbacks import AskedLookback, name_of
from souk.table.processes import ProcessLost
from souk.table.scholar import Found
from souk.table.store import Unanswered
from souk.table.students import IDLE, MOST_MEMORY, Scholar
from souk.table.waking import Waking

_EVERY = 0.8  # seconds between two signs of life, and between two looks for work
_AT_ONCE = 4  # games of one process, which are looked at in turns


class Studying:
    """Studies in so many processes."""

    def __init__(self, name: str, waking: Waking, line: ErrandLine, places: int) -> None:
        self._name, self._waking, self._line, self._places = name, waking, line, places
        self._editions = [edition_of(find_game(each)) for each in names()]
        self._under_way: set[str] = set()
        self._bell = asyncio.Event()
        self._scholars: set[Scholar] = set()

    @property
    def under_way(self) -> int:
        return len(self._under_way)

    async def keep_on(self) -> None:
        """For as long as it is let."""
        self._line.listen("lookback", self._bell)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._keep_alive())
            for _ in range(self._places):
                group.create_task(self._attend())

    async def close(self) -> None:
        """Once nobody keeps on: what was begun has been left to others."""
        await asyncio.gather(*(scholar.close() for scholar in self._scholars))

    async def _keep_alive(self) -> None:
        """A single look may take longer than anybody waits for a sign of life."""
        while True:
            with contextlib.suppress(Unanswered):
                if self._under_way:
                    await self._line.do(lookbacks.renew, self._name, list(self._under_way))
            await asyncio.sleep(_EVERY)

    async def _attend(self) -> None:
        """One process after the other: whatever happens to one, another goes on."""
        while True:
            scholar = Scholar()
            try:
                await self._study(scholar)
            except Unanswered as error:
                note("no games to look back at: the database does not answer", why=str(error))
            except ProcessLost as lost:
                trouble("studying process lost", lost)
            except Exception as error:  # whatever it is, it is tried again
                trouble("studying failed", error)
            self._scholars.discard(scholar)
            await scholar.close()
            await asyncio.sleep(_EVERY)

    async def _study(self, scholar: Scholar) -> None:
        """What there is, in turns, until the process has grown too large, or there has been nothing for long."""
        mine: deque[AskedLookback] = deque()
        busy, lost = time.monotonic(), False
        try:
            while scholar.memory < MOST_MEMORY:
                if len(mine) < _AT_ONCE and (taken := await self._line.do(lookbacks.take, self._name, self._editions)):
                    mine.append(taken)
                    self._under_way.add(taken.id)
                if not mine:
                    if scholar.pid and time.monotonic() > busy + IDLE:
                        return
                    await rung(self._bell, _EVERY)
                    continue
                busy = time.monotonic()
                if scholar not in self._scholars:
                    self._scholars.add(scholar)
                    await scholar.start()
                found = await self._looked(scholar, mine[0])
                if await self._line.do(lookbacks.report, self._name, mine[0].id, found):
                    mine.rotate(-1)
                else:
                    await self._let_go([mine.popleft().id])
        except ProcessLost:
            lost = True
            raise
        finally:
            await self._let_go([each.id for each in mine], lost)

    async def _looked(self, scholar: Scholar, game: AskedLookback) -> Found:
        if not await self._waking.wake(game.game):
            return Found(0, error="what it takes could not be compiled")
        always = name_of(game.record, 0)  # the same where it is to be looked at more deeply
        return await scholar.go_on(game._replace(id=always))

    async def _let_go(self, ids: list[str], lost: bool = False) -> None:
        if not ids:
            return
        self._under_way.difference_update(ids)
        with contextlib.suppress(Unanswered):
            await self._line.do(lookbacks.let_go, self._name, ids, lost)
