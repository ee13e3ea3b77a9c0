"""Whoever thinks for tables elsewhere: takes errands from the queue, lets the bots of this machine think, and brings the answers back.

A server does that beside its own work, and `souk think` does nothing else.
"""

import asyncio
import contextlib
import secrets
import time
from math import inf

import numpy as np

from souk.bots.answering import Question, Reply
from souk.core.position import Position
from souk.core.shelf import find_game
from souk.games import names
from souk.table import errands
from souk.table.brains import BotFailed
from souk.table.errand_line import ErrandLine, rung
from souk.table.errands import TakenErrand, ThinkerRow, edition_of
from souk.table.logs import note, trouble
from souk.table.processes import ProcessLost
from souk.table.store import Unanswered
from souk.table.thinkers import Thinkers, TooManyWait, Turn

_EVERY = 0.8  # seconds between two signs of life: two may be missed before it is taken for lost
_CHEAP_AT_ONCE = 4  # errands that cost next to nothing
_TRIES_TO_TELL = 20  # of an answer, a sign of life apart


class Fetching:
    """Thinks for others in as many places as there are processes that search, beside some for what costs next to nothing."""

    def __init__(self, thinkers: Thinkers, line: ErrandLine, places: int, wait: float, studies: int = 0) -> None:
        self._thinkers, self._line, self._places, self._wait = thinkers, line, places, wait
        self._studies = studies  # processes beside it in which games are looked back at
        self.name = secrets.token_hex(8)
        self._editions = [edition_of(find_game(name)) for name in names()]
        self._under_way: dict[str, tuple[Turn, bool]] = {}  # by id; and whether it is dear
        self._bell = asyncio.Event()
        self._tasks: set[asyncio.Task[object]] = set()
        self._signed_in = -inf

    @property
    def under_way(self) -> int:
        return len(self._under_way)

    async def keep_on(self) -> None:
        """For as long as it is let. A database that is away comes back."""
        self._line.listen("asked", self._bell)
        while True:
            try:
                await self._say_i_am_here()
                if self._thinkers.can_begin():  # else it would keep an errand that others could begin with
                    await self._fetch(dear=False, most=_CHEAP_AT_ONCE)
                    await self._fetch(dear=True, most=self._places)
            except Unanswered as error:
                note("no errands: the database does not answer", why=str(error))
            except Exception as error:  # whatever it is, it is tried again
                trouble("fetching errands failed", error)
            await rung(self._bell, _EVERY)

    async def close(self) -> None:
        """What was begun is left to others at once."""
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(Unanswered):
            await self._line.do(errands.sign_out, self.name)

    # ------------------------------------------------------------ signs of life

    def _myself(self) -> ThinkerRow:
        waking = self._thinkers.waking
        left = {name: 0 if name in waking.awake else waking.seconds_left(name) for name in names()}
        known = {game: left[game] for game in left if left[game] or game in waking.awake}
        return ThinkerRow(self.name, self._places, known, self._studies)

    async def _say_i_am_here(self) -> None:
        """That this thinker lives, and what it is at. What nobody waits for is dropped; games that are wanted wake."""
        if time.monotonic() < self._signed_in + _EVERY:
            return
        self._signed_in = time.monotonic()
        await self._line.do(errands.sign_in, self._myself())
        mine = list(self._under_way)
        if mine:
            still = await self._line.do(errands.renew, self.name, mine)
            for turn in [self._under_way[each][0] for each in mine if each not in still and each in self._under_way]:
                self._thinkers.drop(turn)
        for game in await self._line.do(errands.wanted_games):
            if game in names() and game not in self._thinkers.waking.awake:
                self._do(self._thinkers.waking.wake(game))

    # ------------------------------------------------------------ errands

    async def _fetch(self, dear: bool, most: int) -> None:
        while sum(each == dear for _, each in self._under_way.values()) < most:
            taken = await self._line.do(errands.take, self._myself(), self._editions, dear, self._wait)
            if taken is None:
                return
            turn = _turn(taken)
            self._under_way[taken.id] = turn, dear
            self._do(self._carry_out(taken, turn))

    async def _carry_out(self, taken: TakenErrand, turn: Turn) -> None:
        try:
            reply = await self._thought(turn)
            if not turn.dropped:
                await self._tell(taken.id, reply)
        except Exception as error:
            trouble("errand failed", error, game=turn.position.game.name, level=turn.level)
        finally:
            del self._under_way[taken.id]
            self._bell.set()

    async def _thought(self, turn: Turn) -> Reply:
        """What came of it; asked for once more where the process ended over it."""
        for _ in range(2):
            try:
                return await self._thinkers.ask_here(turn, turn.level)
            except ProcessLost as lost:
                trouble("bot lost", lost, game=turn.position.game.name, level=turn.level)
            except (BotFailed, TooManyWait) as failed:
                return Reply(0, error=f"{type(failed).__name__}: {failed}")
        return Reply(0, error="two processes were lost over it")

    async def _tell(self, errand: str, reply: Reply) -> None:
        for _ in range(_TRIES_TO_TELL):
            try:
                await self._line.do(errands.answer, errand, reply)
                return
            except Unanswered:
                await asyncio.sleep(_EVERY)

    def _do(self, work: "asyncio._CoroutineLike[object]") -> None:
        task: asyncio.Task[object] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _turn(taken: TakenErrand) -> Turn:
    """A turn of a table that nobody here knows."""
    asked = taken.question
    turn = Turn(taken.address, taken.table, _position(asked), asked.seat, asked.level, asked.noticed)
    turn.weigh, turn.granted = asked.weigh, inf if taken.allowed is None else taken.allowed
    return turn


def _position(asked: Question) -> Position:
    game = find_game(asked.game)
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in asked.options.items()}
    return Position(game, options, np.frombuffer(asked.state, game.dtype).copy())
