"""The pool of bot processes. A crash in one of them costs a move at most."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from souk.bots.sandbox import Sandbox
from souk.bots.worker import (
    HurryRequest,
    MoveRequest,
    PrepareRequest,
    ReleaseProgram,
    Reply,
    decode_reply,
    move_request,
)
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts
from souk.server.common.logs import log_error, log_info
from souk.server.compute.fair_queue import MIN_SECONDS
from souk.server.compute.worker_process import ProcessLost, WorkerProcess

# A worker is replaced after so many replies, or when it holds so many bytes.
MAX_REPLIES = 5000
MAX_MEMORY = 1 << 30
_GRACE_SECONDS = 30.0  # beyond the time that a reply should take
_RESTART_PAUSE = 1.0  # seconds after a failed start
_MAX_CONCURRENT = 16  # requests to one worker

T = TypeVar("T")


class BotFailed(Exception):
    """The bot failed; its process is well."""


class BotWorker(WorkerProcess[Reply]):
    """A bot process. Requests may overlap; bots think one after the other."""

    def __init__(self, sandbox: Sandbox | None) -> None:
        super().__init__(
            "souk.analysis.bot_worker", [msgspec.json.encode(sandbox).decode()], decode_reply
        )
        self.replies, self.memory = 0, 0
        self.jobs = 0  # under way
        self._seconds = MIN_SECONDS  # of the last reply

    @property
    def is_worn_out(self) -> bool:
        return self.replies >= MAX_REPLIES or self.memory > MAX_MEMORY

    def on_reply(self, answer: Reply) -> None:
        self.replies += 1
        self.memory, self._seconds = answer.memory, answer.seconds

    @property
    def has_room(self) -> bool:
        """Whether another cheap request would wait at most for the shortest thought of a bot.

        With hundreds of bots a second, most time passes until the loop has read one reply and sends
        the next request; so several are sent at once.
        """
        return self.jobs < _MAX_CONCURRENT and self.jobs * self._seconds < MIN_SECONDS

    async def request_move(
        self,
        position: Position,
        seat: int,
        level: str,
        at_most: float | None,
        timeout: float,
        noticed: ChoiceCounts = (),
        weigh: str | None = None,
    ) -> Reply:
        """Ask a bot for a move, or with `weigh` for advice.

        Raises BotFailed if the bot has none, and ProcessLost if the process dies or is too late.
        """
        request = move_request(
            self._next_number(), position, seat, level, at_most, noticed=noticed, weigh=weigh
        )
        return await self._checked_reply(request, timeout + _GRACE_SECONDS)

    async def request_program_move(
        self, position: Position, seat: int, level: str, at_most: float | None, keep: str
    ) -> Reply:
        """Ask a program that is kept for its seat; the worker process limits its time."""
        request = move_request(self._next_number(), position, seat, level, at_most, keep)
        return await self._checked_reply(request, None)

    async def _checked_reply(
        self, request: MoveRequest | PrepareRequest, timeout: float | None
    ) -> Reply:
        reply = await self._request(request, request.number, timeout)
        if reply.error:
            raise BotFailed(reply.error)
        return reply

    async def prepare(self, game: str) -> None:
        """Load the compiled search of a game, after all earlier requests."""
        await self._checked_reply(PrepareRequest(self._next_number(), game), None)

    def hurry_all(self) -> None:
        """Finish all requests as soon as possible; nobody needs their replies."""
        for number in self._waiting:
            self._send(HurryRequest(number))

    def release_program(self, keep: str) -> None:
        self._send(ReleaseProgram(keep))


class BotWorkerPool:
    """Up to `size` bot workers, started on demand and replaced when lost or worn out."""

    def __init__(self, size: int, sandbox: Sandbox | None, on_free: Callable[[], None]) -> None:
        self._size, self._sandbox, self._on_free = size, sandbox, on_free
        self.games: list[str] = []  # loaded by each worker
        self.all: list[BotWorker] = []
        self.idle: list[BotWorker] = []
        self._living: set[BotWorker] = set()  # started and not yet closed
        self._starting = 0
        # The worker that runs all bot programs, started by the first of them.
        self._programs: BotWorker | None = None
        self._programs_lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False

    async def load(self, game: str) -> None:
        """Load a game in all workers, starting two if there are none. Raises BotFailed."""
        self.games.append(game)
        if not self.all and not await self._start_one():
            self.games.remove(game)
            raise BotFailed("no process could load what is compiled")
        results = await asyncio.gather(
            *(worker.prepare(game) for worker in self.all), return_exceptions=True
        )
        failed = [result for result in results if isinstance(result, BotFailed)]
        if failed:  # a lost worker is replaced by one that loads the game
            self.games.remove(game)
            raise failed[0]
        if len(self.all) == 1 < self._size and not self._starting:
            self._start_one()

    def take(self) -> BotWorker | None:
        """Take an idle worker."""
        while self.idle:
            if not (worker := self.idle.pop()).lost:
                return worker
            self._retire(worker)
        return None

    def keep_one_free(self) -> None:
        """Start another worker if all are busy, so that the next job need not wait for that."""
        if (
            not self.idle
            and not self._starting
            and len(self.all) < self._size
            and not self._closing
        ):
            self._start_one()

    def put_back(self, worker: BotWorker) -> None:
        """Return a worker, or retire it if it is lost or worn out."""
        if not worker.lost and not worker.is_worn_out:
            self.idle.append(worker)
            return
        if not worker.lost:
            log_info("bot worker replaced", replies=worker.replies, memory=worker.memory)
        self._retire(worker)

    async def programs(self) -> BotWorker:
        """The worker that runs bot programs."""
        async with self._programs_lock:
            if self._programs is None or self._programs.lost:
                programs = self._new()
                await programs.start()
                self._programs = programs
            return self._programs

    def release_program(self, keep: str) -> None:
        """End a program that was kept for a seat."""
        if self._programs:
            self._programs.release_program(keep)

    async def close(self) -> None:
        self._closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*(worker.close() for worker in self._living))

    def _new(self) -> BotWorker:
        worker = BotWorker(self._sandbox)
        self._living.add(worker)
        return worker

    def _retire(self, worker: BotWorker) -> None:
        self.all.remove(worker)
        self._run(worker.close()).add_done_callback(
            lambda _: None if self._closing else self._living.discard(worker)
        )

    def _start_one(self) -> "asyncio.Task[bool]":
        self._starting += 1
        return self._run(self._start())

    async def _start(self) -> bool:
        """Start a worker; returns whether it is running."""
        worker, loaded = self._new(), 0
        try:
            await worker.start()
            while loaded < len(self.games):
                await worker.prepare(self.games[loaded])
                loaded += 1
        except (ProcessLost, BotFailed) as error:
            log_error("bot worker not started", error)
            worker.kill()
            await asyncio.sleep(_RESTART_PAUSE)
        except asyncio.CancelledError:
            worker.kill()
            raise
        else:
            self.all.append(worker)
            self.idle.append(worker)
        finally:
            self._starting -= 1
        self._on_free()
        return not worker.lost

    def _run(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
