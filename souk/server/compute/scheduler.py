"""Schedules bot moves: queues requests, picks a worker, and falls back when something fails."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import lru_cache
from typing import Any

from souk.bots.judgement import REPEATS, Judgement
from souk.bots.registry import expected_seconds, searches
from souk.bots.sandbox import Sandbox
from souk.bots.worker import FALLBACK_LEVEL, PROGRAM, Reply
from souk.core.game import Game
from souk.core.json_fields import brief
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts
from souk.server.common.logs import log_error
from souk.server.compute.bot_pool import BotFailed, BotWorker, BotWorkerPool
from souk.server.compute.fair_queue import MIN_SECONDS, FairQueue, Job
from souk.server.compute.precompile import Precompiler
from souk.server.compute.worker_process import ProcessLost

DEFAULT_WAIT = 1.0  # seconds that nobody should wait longer for others
# Substitutes: for searching bots whose kernels cannot be compiled, and for rejected requests (the
# strongest of the cheap bots).
BEST_WITHOUT_SEARCH = "merchant"
SUBSTITUTE = "trader:lapses=0"
_MIN_PROGRAM_SECONDS = 1.0
_ADVISER_WITHOUT_SEARCH = f"{BEST_WITHOUT_SEARCH}:seconds=0.15"  # for each evaluation
NO_REPLY = Reply(0)  # to a cancelled request
_MAX_SECONDS = 600.0  # for a bot whose level limits only playouts


class BotRequest:
    """A move or advice wanted of a bot.

    Args:
        address: client address that is charged for it.
        noticed: choices that everybody has seen the seats make.
        after: the table's last event, or -1 for a position without a table.
    """

    __slots__ = (
        "address",
        "after",
        "dropped",
        "hurried",
        "job",
        "level",
        "noticed",
        "position",
        "seat",
        "table",
        "weigh",
    )

    def __init__(
        self,
        address: str,
        table: str,
        position: Position,
        seat: int,
        level: str,
        noticed: ChoiceCounts = (),
        after: int = -1,
    ) -> None:
        self.address, self.table, self.level = address, table, level
        self.position, self.seat = position, seat
        self.noticed = noticed
        self.after = after
        # Not None: advice is wanted instead of a move; also about this move, unless "".
        self.weigh: str | None = None
        self.dropped = False  # the answer is no longer needed
        self.hurried = False  # it had less time than its level allows
        self.job: BotJob | None = None


class BotJob(Job):
    """A request in the queue or in a worker, for one level."""

    __slots__ = ("begun", "evaluations", "level", "reply", "request", "worker")

    def __init__(self, request: BotRequest, level: str) -> None:
        least = _MIN_PROGRAM_SECONDS if level.startswith(PROGRAM) else MIN_SECONDS
        self.evaluations = evaluations_of(request)
        cost = cost_of(level) * self.evaluations
        super().__init__(request.address, request.table, cost, least)
        self.request, self.level = request, level
        self.begun = False
        self.worker: BotWorker | None = None  # None before it begins, and for programs
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    @property
    def at_most(self) -> float | None:
        """Seconds for one evaluation, if fewer than the level allows."""
        return self.allowed / self.evaluations if self.hurried else None

    def answer(self, reply: Reply) -> None:
        if not self.reply.done():
            self.reply.set_result(reply)

    def fail(self, error: Exception) -> None:
        if not self.reply.done():
            self.reply.set_exception(error)


def evaluations_of(request: BotRequest) -> int:
    """Number of searches: advice takes more than a move."""
    return 1 if request.weigh is None else REPEATS


class QueueFull(Exception):
    """Too many expensive requests wait; a cheap bot has to play."""


@lru_cache(256)
def cost_of(level: str) -> float:
    """Expected seconds of a level; 0 for unknown ones, which fail at once."""
    try:
        return 0.0 if level == FALLBACK_LEVEL else expected_seconds(level)
    except ValueError:
        return 0.0


class BotScheduler:
    """Runs the bots of all tables.

    There are `workers` processes for expensive bots and one more, so that cheap bots never wait for
    expensive ones. Bots that search wait until their game is compiled; all others play at once.
    """

    def __init__(
        self,
        workers: int,
        games: tuple[str, ...],
        wait: float = DEFAULT_WAIT,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._queue = FairQueue[BotJob](workers, wait)
        self.pool = BotWorkerPool(workers + 1, sandbox, self._start_jobs)
        self.precompiler = Precompiler(games, self.pool.load)
        self._tasks: set[asyncio.Task[None]] = set()
        # Called when a substitute plays for a rejected request.
        self.on_substitute: Callable[[], None] = lambda: None

    def start(self, on_change: Callable[[str], None]) -> None:
        """Start compiling, and start a worker for bots that need no compiled code."""
        self.precompiler.start(on_change)
        if self.precompiler.has_games:
            self.pool.keep_one_free()

    def seconds_until_ready(self, game: Game, level: str) -> int:
        """Estimated seconds until a bot can move; 0 if it can now."""
        return self.precompiler.seconds_left(game.name) if searches(level) else 0

    @property
    def waiting(self) -> int:
        """Number of queued requests."""
        return self._queue.waiting

    async def close(self) -> None:
        self.precompiler.close()
        for task in list(self._tasks):
            task.cancel()
        await self.pool.close()

    async def choose(self, request: BotRequest) -> str:
        """A legal move, whatever goes wrong; "" if the request was dropped."""
        level = request.level
        game = request.position.game
        if searches(level) and not await self.precompiler.wait_until_ready(game.name):
            level = BEST_WITHOUT_SEARCH
        move = await self._try_twice(request, level)
        if not move and level != FALLBACK_LEVEL:
            move = await self._try_twice(request, FALLBACK_LEVEL)
        if request.dropped:
            return ""
        state, seat = request.position.state, request.seat
        return move or game.notation.move_text(state, request.position.move_codes(seat, 1)[0])

    async def advise(self, request: BotRequest) -> Judgement | None:
        """Advice on a decision, by a weaker level until the wanted one is ready.

        None if the bot fails or too many requests wait.
        """
        game = request.position.game.name
        is_ready = not searches(request.level) or game in self.precompiler.ready
        request.hurried = not is_ready
        level = request.level if is_ready else _ADVISER_WITHOUT_SEARCH
        try:
            return (await self._submit(request, level)).judgement
        except QueueFull:
            return None
        except (ProcessLost, BotFailed) as failed:
            log_error("no advice", failed, game=game)
            return None

    def drop(self, request: BotRequest) -> None:
        """Cancel a request. A worker that thinks about it is told to finish soon."""
        request.dropped, job = True, request.job
        if job is None or job.reply.done():
            return
        job.answer(NO_REPLY)
        if not job.begun:
            self._queue.end(job)
        elif job.worker:
            job.worker.hurry_all()

    def forget(self, table: str) -> None:
        """Expect no further requests of a table, so that others need not hurry for it."""
        self._queue.forget(table)

    def release_program(self, table: str, seat: int) -> None:
        """End the program that played for a seat."""
        self.pool.release_program(_program_key(table, seat))

    # ------------------------------------------------------------ jobs

    async def _try_twice(self, request: BotRequest, level: str) -> str:
        """A move, or "" if there is none.

        Tries again if the worker died, and with a cheap bot if the queue is full.
        """
        for _ in range(2):
            try:
                move = (await self._submit(request, level)).move
                if move and not request.position.is_legal(request.seat, move):
                    raise BotFailed(f"it played {brief(move)}")
                return move
            except QueueFull:
                request.hurried, level = True, SUBSTITUTE
                self.on_substitute()
            except ProcessLost as lost:
                log_error("bot lost", lost, game=request.position.game.name, level=level)
            except BotFailed as failed:
                log_error("bot failed", failed, game=request.position.game.name, level=level)
                return ""
        return ""

    async def _submit(self, request: BotRequest, level: str) -> Reply:
        """Queue a request and wait for the reply."""
        if request.dropped:
            return NO_REPLY
        job = request.job = BotJob(request, level)
        if rejected := self._queue.add(job):
            rejected.fail(QueueFull())
        self._start_jobs()
        try:
            return await asyncio.shield(job.reply)
        except asyncio.CancelledError:
            self.drop(request)
            raise
        finally:
            request.job = None  # breaks a reference cycle: see `souk.server.common.gc_tuning`

    def _start_jobs(self) -> None:
        """Give queued jobs to idle workers, and keep a worker free for the next."""
        while worker := self.pool.take():
            if (job := self._queue.next()) is None:
                self.pool.put_back(worker)
                break
            self._begin(job, worker)
            while job and job.is_cheap and worker.has_room:
                if job := self._queue.next_cheap():
                    self._begin(job, worker)
            if not worker.jobs:
                self.pool.put_back(worker)
        if self._queue.busy:
            self.pool.keep_one_free()

    def _begin(self, job: BotJob, worker: BotWorker) -> None:
        job.begun = True
        if not job.level.startswith(PROGRAM):  # these have a worker of their own
            job.worker = worker
            worker.jobs += 1
        self._run_task(self._run(job))

    def _run_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, job: BotJob) -> None:
        try:
            if job.request.dropped:
                return
            if job.worker:
                reply = await self._request_move(job, job.worker)
            else:
                reply = await self._request_program_move(job)
            job.request.hurried = job.request.hurried or job.hurried
            job.answer(reply)
        except (ProcessLost, BotFailed) as error:
            job.fail(error)
        finally:
            if job.worker:
                job.worker.jobs -= 1
                if not job.worker.jobs:
                    self.pool.put_back(job.worker)
            self._queue.end(job)
            self._start_jobs()

    async def _request_move(self, job: BotJob, worker: BotWorker) -> Reply:
        request, timeout = job.request, min(job.allowed, _MAX_SECONDS)
        return await worker.request_move(
            request.position,
            request.seat,
            job.level,
            job.at_most,
            timeout,
            request.noticed,
            request.weigh,
        )

    async def _request_program_move(self, job: BotJob) -> Reply:
        request, programs = job.request, await self.pool.programs()
        keep = _program_key(request.table, request.seat)
        return await programs.request_program_move(
            request.position, request.seat, job.level, job.at_most, keep
        )


def _program_key(table: str, seat: int) -> str:
    """The name under which a program is kept for a seat."""
    return f"{table} {seat}"
