"""Schedules analyses of finished games: worker processes, round robin, while a page waits."""

import asyncio
import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from souk.server.analysis.finished_games import FinishedGame
from souk.server.analysis.storage import AnalysisStorage, StoredAnalysis
from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_error, log_info
from souk.server.common.rate_limits import PerClientLimits
from souk.server.compute.analysis_handle import IDLE_SECONDS, MAX_MEMORY, LocalAnalysisWorker
from souk.server.compute.analysis_worker import AnalysisProgress
from souk.server.compute.precompile import Precompiler
from souk.server.compute.worker_process import ProcessLost
from souk.server.protocol.analysis import AnalysisStatus
from souk.server.protocol.errors import RequestRefused

# Playouts per decision: a quick first pass, deeper ones on request.
STAGES = (150, 2_000, 10_000)
EXACT = 0  # number of playouts reported for exact solutions
# Drop jobs that no page has polled for this many seconds.
ATTENTION = 20.0
_MAX_WAITING = 64
_MAX_PER_ADDRESS = 6
_MAX_CACHED = 64
# Give a game up after it has crashed this many workers.
_TRIES = 3


@dataclass
class AnalysisJob:
    """A game waiting for analysis, being analysed, or done."""

    id: str
    game: str
    record: str
    events: int
    address: str
    playouts: int = STAGES[0]  # per decision
    is_stored: bool = True  # whether to store the result with the table
    done: int = 0
    of: int = 0
    content: bytes = b""  # an `AnalysisView`, as JSON
    worker: LocalAnalysisWorker | None = None  # the worker that has it cached
    is_busy: bool = False
    needs_compiling: bool = True  # its kernels are not compiled yet
    tries: int = 0
    error: str = ""  # text key of the error, if it failed
    polled_at: float = field(default_factory=time.monotonic)

    @property
    def version(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:16] if self.content else ""

    @property
    def is_done(self) -> bool:
        return bool(self.error) or (self.of > 0 and self.done == self.of)

    @property
    def is_exact(self) -> bool:
        return self.of == 1 and self.events > 1

    def restart(self, playouts: int) -> None:
        self.playouts, self.done = playouts, 0

    def status(self, known_version: str, compile_seconds: int, jobs_before: int) -> AnalysisStatus:
        version = self.version
        status = AnalysisStatus(
            version,
            self.done,
            self.of,
            EXACT if self.is_exact else self.playouts,
            self._next_stage(),
            compile_seconds,
            jobs_before,
        )
        if self.content and version != known_version:
            status.study = msgspec.Raw(self.content)  # type: ignore[assignment]
        return status

    def _next_stage(self) -> int:
        return 0 if self.is_exact else next((stage for stage in STAGES if stage > self.playouts), 0)


class AnalysisScheduler:
    """All analysis jobs. Pages poll for partial results."""

    def __init__(self, config: ServerConfig, storage: AnalysisStorage, waking: Precompiler) -> None:
        self._max_workers, self._storage, self._precompiler = (
            config.study_workers,
            storage,
            waking,
        )
        self.requests = PerClientLimits(config.study_rate, config.study_burst)
        self._jobs: dict[str, AnalysisJob] = {}  # in round-robin order
        self._workers: dict[asyncio.Task[None], LocalAnalysisWorker] = {}
        self._changed = asyncio.Event()
        self._compiling: set[asyncio.Task[None]] = set()
        self._closing = False

    # ------------------------------------------------------------ requests

    @property
    def waiting(self) -> int:
        """Number of unfinished jobs."""
        return sum(1 for _ in self._due())

    async def begin(self, game: FinishedGame, address: str) -> AnalysisJob:
        """Start analysing a game, unless it has been done or started before."""
        name, record = game.id, game.record
        if job_before := self._jobs.get(name):
            return job_before
        job = AnalysisJob(
            name,
            record.game.name,
            game.text,
            len(record.events),
            address,
            is_stored=not game.is_file,
        )
        if job.is_stored and (stored := await self._storage.find(name)):
            job.playouts, job.content = stored.playouts or STAGES[0], stored.content
            job.done = job.of = stored.of
        else:
            self._check_capacity(address)
        self._jobs.setdefault(name, job)
        self._dispatch()
        return self._jobs[name]

    def deepen(self, job: AnalysisJob, playouts: int, address: str) -> None:
        """Repeat the analysis with more playouts."""
        if job.is_exact or playouts not in STAGES or playouts <= job.playouts:
            return
        self._check_capacity(address)
        job.address, job.needs_compiling = address, True
        job.restart(playouts)
        self._dispatch()

    def status(self, job: AnalysisJob, known_version: str) -> AnalysisStatus:
        """Progress and the result so far, if it differs from version `known_version`."""
        if job.error:
            raise RequestRefused(job.error, 500)
        job.polled_at = time.monotonic()
        self._dispatch()
        compile_seconds = (
            self._precompiler.seconds_left(job.game)
            if job.needs_compiling and not job.is_done
            else 0
        )
        jobs_before = sum(1 for other in self._due() if other is not job) if not job.done else 0
        return job.status(known_version, compile_seconds, jobs_before)

    def forget(self, name: str) -> None:
        self._jobs.pop(name, None)

    async def close(self) -> None:
        self._closing = True
        for task in [*self._compiling, *self._workers]:
            task.cancel()
        await asyncio.gather(*(worker.close() for worker in self._workers.values()))

    def _check_capacity(self, address: str) -> None:
        due = list(self._due())
        own = sum(job.address == address for job in due)
        if own >= _MAX_PER_ADDRESS or not self.requests.take(address):
            raise RequestRefused("too_many_studies", 429)
        if len(due) >= _MAX_WAITING:
            raise RequestRefused("studies_full", 503)

    # ------------------------------------------------------------ workers

    def _due(self) -> Iterator[AnalysisJob]:
        """Unfinished jobs that a page has polled recently."""
        limit = time.monotonic() - ATTENTION
        return (job for job in self._jobs.values() if not job.is_done and job.polled_at >= limit)

    def _dispatch(self) -> None:
        """Compile what jobs need, and start another worker if there is work for it."""
        self._drop_old_jobs()
        for job in list(self._due()):
            if job.needs_compiling and not job.is_busy:
                job.is_busy = True
                compiling = asyncio.create_task(self._compile(job))
                self._compiling.add(compiling)
                compiling.add_done_callback(self._compiling.discard)
        ready = sum(
            not job.needs_compiling and not job.is_busy and job.worker is None
            for job in self._due()
        )
        if ready and len(self._workers) < self._max_workers and not self._closing:
            self._start_worker()
        self._changed.set()

    def _drop_old_jobs(self) -> None:
        """Forget abandoned jobs, and all but the newest finished ones."""
        limit = time.monotonic() - ATTENTION
        unpolled = [job for job in self._jobs.values() if job.polled_at < limit and not job.is_busy]
        abandoned = [job for job in unpolled if not job.is_done]
        for job in abandoned + unpolled[: max(0, len(unpolled) - _MAX_CACHED)]:
            self._jobs.pop(job.id, None)

    async def _compile(self, job: AnalysisJob) -> None:
        try:
            if not await self._precompiler.wait_until_ready(job.game):
                job.error = "study_failed"
        finally:
            job.needs_compiling = job.is_busy = False
        self._dispatch()

    def _start_worker(self) -> None:
        worker = LocalAnalysisWorker()
        work = asyncio.create_task(self._serve(worker))
        self._workers[work] = worker
        work.add_done_callback(self._worker_ended)

    def _worker_ended(self, work: asyncio.Task[None]) -> None:
        if self._closing:  # `close` waits for the process
            return
        worker = self._workers.pop(work)
        for job in self._jobs.values():
            job.worker = None if job.worker is worker else job.worker
        if not work.cancelled() and (error := work.exception()):
            log_error("analysis worker failed", error)
        self._dispatch()

    async def _serve(self, worker: LocalAnalysisWorker) -> None:
        """Run one worker process from start to end."""
        try:
            await worker.start()
            while (
                not worker.lost and worker.memory < MAX_MEMORY and (job := await self._next(worker))
            ):
                await self._run_slice(worker, job)
        except ProcessLost as lost:
            log_error("analysis worker did not start", lost)
            await asyncio.sleep(1.0)
        await worker.close()

    async def _next(self, worker: LocalAnalysisWorker) -> AnalysisJob | None:
        """The next job for this worker; None once it has been idle for a while."""
        end = time.monotonic() + IDLE_SECONDS
        while time.monotonic() < end:
            self._changed.clear()
            for job in self._due():
                if not job.is_busy and not job.needs_compiling and job.worker in (None, worker):
                    return job
            try:
                await asyncio.wait_for(self._changed.wait(), IDLE_SECONDS)
            except TimeoutError:
                return None
        return None

    async def _run_slice(self, worker: LocalAnalysisWorker, job: AnalysisJob) -> None:
        """Analyse one job for a time slice."""
        job.is_busy, job.worker, playouts = True, worker, job.playouts
        try:
            progress = await worker.continue_analysis(job.id, job.record, playouts)
            self._store_progress(job, progress, playouts)
        except ProcessLost as lost:
            job.worker, job.tries = None, job.tries + 1
            job.error = "study_failed" if job.tries >= _TRIES else ""
            log_error("analysis worker crashed", lost, game=job.game)
        finally:
            job.is_busy = False
            if self._jobs.get(job.id) is job:
                self._jobs[job.id] = self._jobs.pop(job.id)
        if job.is_done and not job.error and job.is_stored and playouts == job.playouts:
            await self._storage.keep(
                job.id, StoredAnalysis(EXACT if job.is_exact else playouts, job.of, job.content)
            )

    def _store_progress(self, job: AnalysisJob, progress: AnalysisProgress, playouts: int) -> None:
        if progress.error:
            log_error("analysis failed", reason=progress.error, game=job.game)
            job.error = "study_failed"
        elif playouts == job.playouts and progress.of:
            # The depth has not changed meanwhile, and there is a first result. Keep showing the
            # previous, shallower result until this one covers every event.
            if (
                progress.done == progress.of
                or not job.content
                or playouts == STAGES[0]
                or not _is_partial(progress)
            ):
                job.content = progress.content
            job.done, job.of = progress.done, progress.of
            if progress.done == progress.of:
                log_info("analysed", game=job.game, playouts=playouts, events=job.events)


def _is_partial(progress: AnalysisProgress) -> bool:
    """Whether some events have not been analysed at all yet."""
    return b'"unseen":true' in progress.content
