"""Games that are looked back at elsewhere, as a server sees it: they are in a queue, and whoever studies writes there what it has found."""

import asyncio
import time
from collections.abc import Callable

from souk.table import lookbacks
from souk.table.errand_line import ErrandLine
from souk.table.errands import MOST_TRIES
from souk.table.lookbacks import AskedLookback, name_of
from souk.table.scholar import Found
from souk.table.sealing import Seal
from souk.table.store import Unanswered
from souk.table.students import A_TURN, NobodyStudies


class FarStudent:
    """Somebody elsewhere. Nothing is lost with them that another could not find anew, so they are never lost; but there may be nobody."""

    def __init__(self, line: ErrandLine, seal: Seal, is_anybody_there: Callable[[], bool], patience: float) -> None:
        self._line, self._seal = line, seal
        self._is_anybody_there, self._patience = is_anybody_there, patience
        # By game, as it is called in the queue: the version, and what was found.
        self._known: dict[str, tuple[int, Found]] = {}
        self._alone_since: float | None = None
        self.lost, self.memory = False, 0

    async def start(self) -> None:
        """They are there already, or not."""

    async def close(self) -> None:
        """What nobody asks after is left alone."""

    async def go_on(self, asked: AskedLookback) -> Found:
        """What has been found so far, after as long as a turn takes."""
        await asyncio.sleep(A_TURN)
        wanted = asked._replace(
            id=name_of(asked.record, asked.playouts), address=self._seal.name_for("address", asked.address)
        )
        version, found = self._known.get(wanted.id, (0, Found(0)))
        try:
            now = await self._line.do(lookbacks.ask, wanted, version)
        except Unanswered:  # the database comes back
            return found
        if now.error or (now.tries >= MOST_TRIES and not now.taken and not now.is_done):
            return Found(0, error=now.error or "several who studied it were lost over it")
        self._check_company(now.taken or now.is_done)
        if now.version != version:
            found = Found(0, now.done, now.of, now.content)
            self._known[wanted.id] = now.version, found
        if now.is_done:
            self._known.pop(wanted.id, None)
        return found

    def _check_company(self, is_taken: bool) -> None:
        """Lose patience where there is nobody who could take it."""
        if is_taken or self._is_anybody_there():
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = time.monotonic()
        elif time.monotonic() > self._alone_since + self._patience:
            self._alone_since = None
            raise NobodyStudies
