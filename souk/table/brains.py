"""The processes in which bots think, seen from the server: what happens in one of them costs a move at most."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from souk.bots.answering import Hurry, LetGo, Prepare, Question, Reply, question, read_reply
from souk.bots.cage import Cage
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.table.logs import note, trouble
from souk.table.processes import Attendant, ProcessLost
from souk.table.waiting import LEAST

MOST_ANSWERS = 5000  # of one process, before a fresh one takes its place
MOST_MEMORY = 1 << 30  # bytes that one may hold
_PATIENCE = 30.0  # seconds beyond what an answer should take
_PAUSE = 1.0  # seconds before another is started where one could not be
_MOST_AT_ONCE = 16  # questions to one process

T = TypeVar("T")


class BotFailed(Exception):
    """The bot itself went wrong, and the process is well."""


class Brain(Attendant[Reply]):
    """One process. It may be asked several things at a time; bots think one after the other there."""

    def __init__(self, cage: Cage | None) -> None:
        super().__init__("souk.study.answering", [msgspec.json.encode(cage).decode()], read_reply)
        self.answers, self.memory = 0, 0
        self.errands = 0  # that it is about
        self._seconds = LEAST  # that the last answer took

    @property
    def worn(self) -> bool:
        """Whether a fresh one should take its place."""
        return self.answers >= MOST_ANSWERS or self.memory > MOST_MEMORY

    def heard(self, answer: Reply) -> None:
        self.answers += 1
        self.memory, self._seconds = answer.memory, answer.seconds

    @property
    def has_room(self) -> bool:
        """Whether it can be asked something cheap besides: for as long as a bot thinks at least. Where hundreds of bots a second are asked, most of the
        time goes by until the loop has heard one answer and asks the next question; so several are on their way at once."""
        return self.errands < _MOST_AT_ONCE and self.errands * self._seconds < LEAST

    async def ask(
        self,
        position: Position,
        seat: int,
        level: str,
        at_most: float | None,
        patience: float,
        noticed: Chosen = (),
        weigh: str | None = None,
    ) -> Reply:
        """A bot's answer; with `weigh` all that is to be said. BotFailed where it has none, ProcessLost where the process has ended, or is ended
        for being late."""
        asked = question(self._next_number(), position, seat, level, at_most, noticed=noticed, weigh=weigh)
        return await self._answered(asked, patience + _PATIENCE)

    async def ask_program(self, position: Position, seat: int, level: str, at_most: float | None, keep: str) -> Reply:
        """The answer of a program that is kept for its seat. How long it may take is seen to there."""
        return await self._answered(question(self._next_number(), position, seat, level, at_most, keep), None)

    async def _answered(self, asked: Question | Prepare, patience: float | None) -> Reply:
        reply = await self._answer(asked, asked.number, patience)
        if reply.error:
            raise BotFailed(reply.error)
        return reply

    async def prepare(self, game: str) -> None:
        """Let it load what a game's bots think with; whatever else it was asked before comes first."""
        await self._answered(Prepare(self._next_number(), game), None)

    def hurry_all(self) -> None:
        """Nobody waits for any answer any more."""
        for number in self._waiting:
            self._say(Hurry(number))

    def let_go(self, keep: str) -> None:
        self._say(LetGo(keep))


class Brains:
    """All processes in which bots think: `most` at a time, started when they are needed. One that is lost or worn out is replaced."""

    def __init__(self, most: int, cage: Cage | None, when_free: Callable[[], None]) -> None:
        self._most, self._cage, self._when_free = most, cage, when_free
        self.games: list[str] = []  # whose bots each of them has loaded what it takes for
        self.all: list[Brain] = []  # that are of use
        self.idle: list[Brain] = []
        self._living: set[Brain] = set()  # that have been started, and not been seen off
        self._starting = 0
        self._programs: Brain | None = None  # started by the first bot that is a program; all of them live there
        self._one_at_a_time = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False

    async def load(self, game: str) -> None:
        """Let all processes load what a game's bots think with; the first two are started for it. BotFailed where that cannot be."""
        self.games.append(game)
        if not self.all and not await self._start_one():
            self.games.remove(game)
            raise BotFailed("no process could load what is compiled")
        found = await asyncio.gather(*(brain.prepare(game) for brain in self.all), return_exceptions=True)
        failed = [each for each in found if isinstance(each, BotFailed)]
        if failed:  # one that is lost is replaced, and loads it then
            self.games.remove(game)
            raise failed[0]
        if len(self.all) == 1 < self._most and not self._starting:
            self._start_one()

    def take(self) -> Brain | None:
        """A process that is free."""
        while self.idle:
            if not (brain := self.idle.pop()).lost:
                return brain
            self._see_off(brain)
        return None

    def keep_one_free(self) -> None:
        """Start another where all are busy, so that whoever comes next need not wait for that."""
        if not self.idle and not self._starting and len(self.all) < self._most and not self._closing:
            self._start_one()

    def put_back(self, brain: Brain) -> None:
        """A process is free again, unless it is of no use any more."""
        if not brain.lost and not brain.worn:
            self.idle.append(brain)
            return
        if not brain.lost:
            note("thinking process replaced", answers=brain.answers, memory=brain.memory)
        self._see_off(brain)

    async def programs(self) -> Brain:
        """The process from which programs are run."""
        async with self._one_at_a_time:
            if self._programs is None or self._programs.lost:
                programs = self._new()
                await programs.start()
                self._programs = programs
            return self._programs

    def let_go(self, keep: str) -> None:
        """A program that played for a seat is needed no longer."""
        if self._programs:
            self._programs.let_go(keep)

    async def close(self) -> None:
        self._closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*(brain.close() for brain in self._living))

    def _new(self) -> Brain:
        brain = Brain(self._cage)
        self._living.add(brain)
        return brain

    def _see_off(self, brain: Brain) -> None:
        """A process is of no use any more: let it end."""
        self.all.remove(brain)
        self._do(brain.close()).add_done_callback(lambda _: None if self._closing else self._living.discard(brain))

    def _start_one(self) -> "asyncio.Task[bool]":
        self._starting += 1
        return self._do(self._start())

    async def _start(self) -> bool:
        """Whether there is a new process now."""
        brain, loaded = self._new(), 0
        try:
            await brain.start()
            while loaded < len(self.games):
                await brain.prepare(self.games[loaded])
                loaded += 1
        except (ProcessLost, BotFailed) as error:
            trouble("thinking process not started", error)
            brain.kill()
            await asyncio.sleep(_PAUSE)
        except asyncio.CancelledError:
            brain.kill()
            raise
        else:
            self.all.append(brain)
            self.idle.append(brain)
        finally:
            self._starting -= 1
        self._when_free()
        return not brain.lost

    def _do(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
