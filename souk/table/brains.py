"""The processes in which bots think, seen from the server: what happens in one of them costs a move at most."""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from souk.bots.answering import (
    HEAD,
    Hurry,
    LetGo,
    Prepare,
    Question,
    Reply,
    packed,
    question,
    read_reply,
    size_of,
)
from souk.bots.cage import Cage
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.table.logs import note, trouble

MOST_ANSWERS = 5000  # of one process, before a fresh one takes its place
MOST_MEMORY = 1 << 30  # bytes that one may hold
_PATIENCE = 30.0  # seconds beyond what an answer should take
_PARTING = 5.0  # seconds to end by itself
_PAUSE = 1.0  # seconds before another is started where one could not be

T = TypeVar("T")


class BrainLost(Exception):
    """The process has ended, or does not answer."""


class BotFailed(Exception):
    """The bot itself went wrong, and the process is well."""


class Brain:
    """One process. It may be asked several things at a time; bots think one after the other there."""

    def __init__(self, cage: Cage | None) -> None:
        self._cage = cage
        self._process: Process | None = None
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._number = 0
        self._reading: asyncio.Task[None] | None = None
        self.answers, self.memory = 0, 0
        self.lost = False

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    @property
    def worn(self) -> bool:
        """Whether a fresh one should take its place."""
        return self.answers >= MOST_ANSWERS or self.memory > MOST_MEMORY

    async def start(self) -> None:
        """In a session of its own, as Ctrl-C is meant for the server; with nothing of the server's but the two pipes."""
        command = [sys.executable, "-m", "souk.study.answering", msgspec.json.encode(self._cage).decode()]
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, start_new_session=True, close_fds=True
            )
        except OSError as error:
            raise BrainLost(f"it cannot be started: {error}") from None
        self._reading = asyncio.create_task(self._read(self._process))

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
        """A bot's answer; with `weigh` all that is to be said. BotFailed where it has none, BrainLost where the process has ended, or is ended for being late."""
        self._number += 1
        asked = question(self._number, position, seat, level, at_most, noticed=noticed, weigh=weigh)
        return await self._answered(asked, patience + _PATIENCE)

    async def ask_program(self, position: Position, seat: int, level: str, at_most: float | None, keep: str) -> Reply:
        """The answer of a program that is kept for its seat. How long it may take is seen to there."""
        self._number += 1
        return await self._answered(question(self._number, position, seat, level, at_most, keep), None)

    async def _answered(self, asked: Question | Prepare, patience: float | None) -> Reply:
        reply = await self._answer(asked, patience)
        if reply.error:
            raise BotFailed(reply.error)
        return reply

    async def prepare(self, game: str) -> None:
        """Let it load what a game's bots think with; whatever else it was asked before comes first."""
        self._number += 1
        await self._answered(Prepare(self._number, game), None)

    def hurry_all(self) -> None:
        """Nobody waits for any answer any more."""
        for number in self._waiting:
            self._say(Hurry(number))

    def let_go(self, keep: str) -> None:
        self._say(LetGo(keep))

    async def close(self) -> None:
        """Let it end; and end it where it does not."""
        if self._process is None:
            return
        if self._process.stdin:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _PARTING)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        if self._reading:
            await self._reading  # to the end of the pipe, which is then closed

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if self._process:
                self._process.kill()

    async def _answer(self, asked: Question | Prepare, patience: float | None) -> Reply:
        if self.lost:
            raise BrainLost("it has ended")
        future = self._waiting[asked.number] = asyncio.get_running_loop().create_future()
        self._say(asked)
        try:
            return await asyncio.wait_for(future, patience)
        except TimeoutError:
            self.kill()
            raise BrainLost("no answer in time") from None
        finally:
            self._waiting.pop(asked.number, None)

    def _say(self, message: msgspec.Struct) -> None:
        if self._process and self._process.stdin and not self.lost:
            self._process.stdin.write(packed(message))

    async def _read(self, process: Process) -> None:
        """Hand answers on, until there are no more."""
        assert process.stdout is not None
        try:
            while True:
                reply = read_reply(await process.stdout.readexactly(size_of(await process.stdout.readexactly(HEAD))))
                self.answers += 1
                self.memory = reply.memory
                if (future := self._waiting.get(reply.number)) and not future.done():
                    future.set_result(reply)
        except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
            self.lost = True
            self.kill()  # where it writes what nobody can read
            status = await process.wait()
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(BrainLost(f"it ended with status {status}"))


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
        except (BrainLost, BotFailed) as error:
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
