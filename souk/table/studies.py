"""Games that are being looked back at: in processes of their own, in fair turns, and for as long as somebody waits for it."""

import asyncio
import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from souk.core.shelf import find_game
from souk.table.errands import edition_of
from souk.table.finished import Finished
from souk.table.limits import Buckets
from souk.table.logs import note, trouble
from souk.table.lookbacks import AskedLookback
from souk.table.processes import ProcessLost
from souk.table.refusals import Refuse
from souk.table.scholar import Found
from souk.table.settings import Settings
from souk.table.shelves import KeptStudy, Shelves
from souk.table.students import IDLE, MOST_MEMORY, NobodyStudies, Student
from souk.table.study_protocol import LookedBack
from souk.table.thinkers import Thinkers

STAGES = (150, 2_000, 10_000)  # playouts for each decision: quick first, deeper when somebody asks for it
NOBODY_STUDIES = "study_nobody"  # why it is refused where that is so
EXACT = 0  # where nothing is played out
ATTENTION = 20.0  # seconds after the last question for which somebody is taken to wait
_ELSEWHERE = 8  # games that are asked after at a time, where others look back at them
_MOST_WAITING = 64  # games in all
_MOST_EACH = 6  # of one address
_MOST_REMEMBERED = 64  # that are done
_TRIES = 3  # processes that may be lost over a game


@dataclass
class Task:
    """A game that is being looked back at."""

    id: str
    game: str
    record: str
    events: int
    address: str
    wished: int = STAGES[0]  # playouts
    kept: bool = True  # with its table
    done: int = 0
    of: int = 0
    content: bytes = b""  # a Lookback, as JSON
    scholar: Student | None = None  # which has it in mind
    busy: bool = False
    asleep: bool = True  # what it takes is not compiled yet
    tries: int = 0
    fault: str = ""  # why there will be nothing
    asked: float = field(default_factory=time.monotonic)

    @property
    def version(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:16] if self.content else ""

    @property
    def is_done(self) -> bool:
        return bool(self.fault) or (self.of > 0 and self.done == self.of)

    @property
    def is_exact(self) -> bool:
        return self.of == 1 and self.events > 1

    @property
    def asked_for(self) -> AskedLookback:
        game = find_game(self.game)
        return AskedLookback(self.id, self.address, self.game, edition_of(game), self.record, self.wished)

    def restart(self, playouts: int) -> None:
        self.wished, self.done = playouts, 0

    def shown(self, known: str, waking: int, before: int) -> LookedBack:
        version = self.version
        found = LookedBack(
            version, self.done, self.of, EXACT if self.is_exact else self.wished, self._deeper(), waking, before
        )
        if self.content and version != known:
            found.study = msgspec.Raw(self.content)  # type: ignore[assignment]
        return found

    def _deeper(self) -> int:
        return 0 if self.is_exact else next((stage for stage in STAGES if stage > self.wished), 0)


class Studies:
    """All of them. Whoever asks is told what there is so far."""

    def __init__(self, settings: Settings, shelves: Shelves, thinkers: Thinkers) -> None:
        self._most = settings.study_workers or _ELSEWHERE
        self._is_far = not settings.study_workers
        self._shelves, self._waking, self._new_student = shelves, thinkers.waking, thinkers.student
        self.asked_for = Buckets(settings.study_rate, settings.study_burst)
        self._tasks: dict[str, Task] = {}  # in the order in which it is their turn
        self._scholars: dict[asyncio.Task[None], Student] = {}
        self._stirred = asyncio.Event()
        self._waking_up: set[asyncio.Task[None]] = set()
        self._closing = False

    # ------------------------------------------------------------ what is asked

    @property
    def waiting(self) -> int:
        """How many are being looked back at."""
        return sum(1 for _ in self._due())

    async def begin(self, game: Finished, address: str) -> Task:
        """Look back at a game, unless that has been done before."""
        name, record = game.id, game.record
        if found := self._tasks.get(name):
            return found
        task = Task(name, record.game.name, game.text, len(record.events), address, kept=not game.is_file)
        if task.kept and (before := await self._shelves.study(name)):
            task.wished, task.content = before.playouts or STAGES[0], before.content
            task.done = task.of = before.of
        else:
            self._check_room(address)
        self._tasks.setdefault(name, task)
        self._go_on()
        return self._tasks[name]

    def deeper(self, task: Task, playouts: int, address: str) -> None:
        """Look at everything again with so many playouts."""
        if task.is_exact or playouts not in STAGES or playouts <= task.wished:
            return
        self._check_room(address)
        task.address, task.asleep = address, True
        task.restart(playouts)
        self._go_on()

    def shown(self, task: Task, known: str) -> LookedBack:
        """How far it has come."""
        if task.fault:
            if task.fault == NOBODY_STUDIES:
                self.forget(task.id)  # whoever asks again may find somebody
                raise Refuse(task.fault, 503)
            raise Refuse(task.fault, 500)
        task.asked = time.monotonic()
        self._go_on()
        waking = self._waking.seconds_left(task.game) if task.asleep and not task.is_done else 0
        before = sum(1 for each in self._due() if each is not task) if not task.done else 0
        return task.shown(known, waking, before)

    def forget(self, name: str) -> None:
        self._tasks.pop(name, None)

    async def close(self) -> None:
        self._closing = True
        for each in [*self._waking_up, *self._scholars]:
            each.cancel()
        await asyncio.gather(*(scholar.close() for scholar in self._scholars.values()))

    def _check_room(self, address: str) -> None:
        due = list(self._due())
        if sum(each.address == address for each in due) >= _MOST_EACH or not self.asked_for.take(address):
            raise Refuse("too_many_studies", 429)
        if len(due) >= _MOST_WAITING:
            raise Refuse("studies_full", 503)

    # ------------------------------------------------------------ who does it

    def _due(self) -> Iterator[Task]:
        """What somebody waits for."""
        limit = time.monotonic() - ATTENTION
        return (task for task in self._tasks.values() if not task.is_done and task.asked >= limit)

    def _go_on(self) -> None:
        """Wake what is asleep, and have somebody work where there is work."""
        self._tidy()
        for task in list(self._due()):
            if task.asleep and not task.busy:
                task.busy = True
                waking = asyncio.create_task(self._wake(task))
                self._waking_up.add(waking)
                waking.add_done_callback(self._waking_up.discard)
        ready = sum(not task.asleep and not task.busy and task.scholar is None for task in self._due())
        if ready and len(self._scholars) < self._most and not self._closing:
            self._engage()
        self._stirred.set()

    def _tidy(self) -> None:
        """Forget what nobody has asked for in a while, the eldest first, and keep the last few."""
        limit = time.monotonic() - ATTENTION
        left = [task for task in self._tasks.values() if task.asked < limit and not task.busy]
        for task in [each for each in left if not each.is_done] + left[: max(0, len(left) - _MOST_REMEMBERED)]:
            self._tasks.pop(task.id, None)

    async def _wake(self, task: Task) -> None:
        try:
            if not self._is_far and not await self._waking.wake(task.game):  # elsewhere they see to that
                task.fault = "study_failed"
        finally:
            task.asleep = task.busy = False
        self._go_on()

    def _engage(self) -> None:
        scholar = self._new_student()
        work = asyncio.create_task(self._serve(scholar))
        self._scholars[work] = scholar
        work.add_done_callback(self._let_go)

    def _let_go(self, work: asyncio.Task[None]) -> None:
        if self._closing:  # then whoever closes waits for its process
            return
        scholar = self._scholars.pop(work)
        for task in self._tasks.values():
            task.scholar = None if task.scholar is scholar else task.scholar
        if not work.cancelled() and (error := work.exception()):
            trouble("studying failed", error)
        self._go_on()

    async def _serve(self, scholar: Student) -> None:
        """A process or somebody elsewhere, from their start to their end."""
        try:
            await scholar.start()
            while not scholar.lost and scholar.memory < MOST_MEMORY and (task := await self._next(scholar)):
                await self._turn(scholar, task)
        except ProcessLost as lost:
            trouble("studying process not started", lost)
            await asyncio.sleep(1.0)
        await scholar.close()

    async def _next(self, scholar: Student) -> Task | None:
        """The game whose turn it is; None where there has been none for long."""
        end = time.monotonic() + IDLE
        while time.monotonic() < end:
            self._stirred.clear()
            for task in self._due():
                if not task.busy and not task.asleep and task.scholar in (None, scholar):
                    return task
            try:
                await asyncio.wait_for(self._stirred.wait(), IDLE)
            except TimeoutError:
                return None
        return None

    async def _turn(self, scholar: Student, task: Task) -> None:
        """Look at a game for a while; then it is another's turn."""
        task.busy, task.scholar, wished = True, scholar, task.wished
        try:
            found = await scholar.go_on(task.asked_for)
            self._take(task, found, wished)
        except ProcessLost as lost:
            task.scholar, task.tries = None, task.tries + 1
            task.fault = "study_failed" if task.tries >= _TRIES else ""
            trouble("studying process lost", lost, game=task.game)
        except NobodyStudies:
            task.fault = NOBODY_STUDIES
        finally:
            task.busy = False
            if self._tasks.get(task.id) is task:
                self._tasks[task.id] = self._tasks.pop(task.id)
        if task.is_done and not task.fault and task.kept and wished == task.wished:
            await self._shelves.keep(task.id, KeptStudy(EXACT if task.is_exact else wished, task.of, task.content))

    def _take(self, task: Task, found: Found, wished: int) -> None:
        if found.error:
            trouble("study failed", why=found.error, game=task.game)
            task.fault = "study_failed"
        elif wished == task.wished and found.of:
            # Neither has somebody asked for more meanwhile, nor has nothing been found yet.
            # What was found at another depth before stays on the page until this has come as far.
            if found.done == found.of or not task.content or wished == STAGES[0] or not _is_partial(found):
                task.content = found.content
            task.done, task.of = found.done, found.of
            if found.done == found.of:
                note("studied", game=task.game, playouts=wished, events=task.events)


def _is_partial(found: Found) -> bool:
    """Whether there are events that have not been looked at at all."""
    return b'"unseen":true' in found.content
