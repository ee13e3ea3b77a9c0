"""A queue that gives every client address and every table its fair share.

Cheap jobs have a queue of their own, which goes first and always has a free slot; of the expensive
ones at most `slots` run at a time. When demand exceeds what can be done within the longest wait,
all expensive jobs get less time: equal shares for the addresses, divided equally among the tables
of each; what somebody does not need goes to the others (max-min fairness). The next job belongs to
the address that has had the least of its share, and to the table of it that has had the least.
"""

import time
from collections.abc import Callable, Iterable
from math import inf
from typing import Generic, TypeVar

CHEAP = 0.1  # seconds: jobs expected to take no longer are cheap
MIN_SECONDS = 0.01  # for a job, however many there are
_SMOOTHING = 0.1  # weight of the latest measurement
_DIGITS = 6  # beyond which shares count as equal: then first come, first served
_SPARE_ACCOUNTS = 100  # unused accounts kept, as looking for them takes long when many ask
_PLAYOUTS_ONLY = 1.0  # expected seconds of a bot whose level limits only playouts

Demand = dict[str, dict[str, float]]  # wanted seconds by address and table


class Job:
    """A job for an address and a table, with its expected cost in seconds."""

    __slots__ = ("accounts", "address", "allowed", "began", "cost", "least", "table", "takes")

    accounts: tuple["_Account", "_Account"]  # of its address and its table, once it is queued

    def __init__(self, address: str, table: str, cost: float, least: float = MIN_SECONDS) -> None:
        self.address, self.table = address, table
        self.cost = _PLAYOUTS_ONLY if cost == inf else cost
        self.least = min(least, self.cost)  # below this it makes no sense to begin
        self.allowed = cost  # seconds it may take, once it has begun
        self.takes = (1.0, 1.0)  # part of the shares of its address and its table
        self.began = 0.0

    @property
    def is_cheap(self) -> bool:
        return self.cost <= CHEAP

    @property
    def hurried(self) -> bool:
        """Whether it has less time than it would have alone."""
        return self.allowed < self.cost


class _Account:
    """How many shares an address or a table has had, and its number of unfinished jobs."""

    __slots__ = ("had", "open", "rank")

    def __init__(self, had: float) -> None:
        self.open = 0
        self.set(had)

    def set(self, had: float) -> None:
        self.had, self.rank = had, round(had, _DIGITS)


class _Accounts:
    """The accounts of all addresses, or of all tables.

    A newcomer starts level with the account served last, or one share behind it if it has just
    been served itself: nobody saves up shares, and nobody pays for time that was free.
    """

    def __init__(self) -> None:
        self._accounts: dict[str, _Account] = {}
        self._open = 0  # accounts with unfinished jobs
        self._now = 0.0  # shares of the account served last

    def enter(self, name: str) -> _Account:
        account = self._accounts.get(name) or self._accounts.setdefault(name, _Account(self._now))
        had = min(account.had, self._now + 1.0)
        account.set(had if account.open else max(had, self._now))
        self._open += not account.open
        account.open += 1
        return account

    def begin(self, account: _Account, shares: float) -> None:
        self._now = max(self._now, account.had)
        account.set(account.had + shares)

    def leave(self, account: _Account) -> None:
        account.open -= 1
        self._open -= not account.open
        if not self._open:
            self._accounts.clear()
        elif len(self._accounts) > 2 * self._open + _SPARE_ACCOUNTS:
            # Unused accounts that are not ahead of the others mean nothing.
            self._accounts = {
                name: account
                for name, account in self._accounts.items()
                if account.open or account.had > self._now
            }


J = TypeVar("J", bound=Job)


def _rank(job: Job) -> tuple[float, float]:
    of_address, of_table = job.accounts
    return of_address.rank, of_table.rank


class _Queue(Generic[J]):
    """Waiting jobs, with what each address and table has had from this queue."""

    def __init__(self) -> None:
        self.waiting: dict[J, None] = {}  # in order of arrival
        self._addresses, self._tables = _Accounts(), _Accounts()

    def add(self, job: J) -> None:
        job.accounts = self._addresses.enter(job.address), self._tables.enter(job.table)
        self.waiting[job] = None

    def next(self) -> J:
        """The first job of the address and table that have had the least."""
        return min(self.waiting, key=_rank)

    def begin(self, job: J) -> None:
        del self.waiting[job]
        of_address, of_table = job.accounts
        self._addresses.begin(of_address, job.takes[0])
        self._tables.begin(of_table, job.takes[1])

    def end(self, job: J) -> None:
        """Remove a job, finished or still waiting."""
        self.waiting.pop(job, None)
        of_address, of_table = job.accounts
        self._addresses.leave(of_address)
        self._tables.leave(of_table)

    def latest_of_greediest(self) -> J:
        """The latest job of the address that has most of them waiting."""
        counts: dict[str, int] = {}
        for job in self.waiting:
            counts[job.address] = counts.get(job.address, 0) + 1
        greediest = max(counts, key=lambda address: counts[address])
        return next(job for job in reversed(self.waiting) if job.address == greediest)


class FairQueue(Generic[J]):
    """The jobs of all tables.

    Args:
        slots: expensive jobs that may run at a time.
        wait: seconds that nobody should wait longer for others.
    """

    def __init__(
        self, slots: int, wait: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.slots, self._wait, self._clock = slots, wait, clock
        self._cheap, self._expensive = _Queue[J](), _Queue[J]()
        self._running: set[J] = set()
        self._overhead = 0.0  # recent seconds of a job beyond what it was allowed
        # The latest expensive job of each table: address, time, and the seconds it wanted.
        self._recent: dict[str, tuple[str, float, float]] = {}

    def add(self, job: J) -> J | None:
        """Queue a job. If too many wait, one of them is rejected and returned."""
        if job.is_cheap:
            self._cheap.add(job)
            return None
        self._expensive.add(job)
        wanted = sum(other.cost for other in self._unfinished() if other.table == job.table)
        self._recent[job.table] = job.address, self._clock(), wanted
        if len(self._expensive.waiting) <= self.capacity:
            return None
        rejected = self._expensive.latest_of_greediest()
        self._expensive.end(rejected)
        return rejected

    @property
    def capacity(self) -> int:
        """How many expensive jobs may wait."""
        return max(1, int(self.slots * self._wait / MIN_SECONDS))

    @property
    def busy(self) -> bool:
        return bool(self._running or self.waiting)

    @property
    def waiting(self) -> int:
        return len(self._cheap.waiting) + len(self._expensive.waiting)

    def next(self) -> J | None:
        """Begin a job and set its allowed seconds; None if none waits or all slots are taken."""
        if self._cheap.waiting:
            return self.next_cheap()
        running = len(self._unfinished()) - len(self._expensive.waiting)
        if self._expensive.waiting and running < self.slots:
            job = self._expensive.next()
            self._allow(job)
            return self._begin(job)
        return None

    def next_cheap(self) -> J | None:
        """Begin a cheap job, if one waits."""
        return self._begin(self._cheap.next()) if self._cheap.waiting else None

    def _begin(self, job: J) -> J:
        self._queue_of(job).begin(job)
        job.began = self._clock()
        self._running.add(job)
        return job

    def end(self, job: J) -> None:
        """Remove a job that has its answer, or needs none any more."""
        if job in self._running and job.hurried:
            beyond = max(0.0, self._clock() - job.began - job.allowed)
            self._overhead += _SMOOTHING * (beyond - self._overhead)
        self._running.discard(job)
        self._queue_of(job).end(job)
        if job.table in self._recent:
            address, _, wanted = self._recent[job.table]
            self._recent[job.table] = address, self._clock(), wanted

    def forget(self, table: str) -> None:
        """Expect no further jobs of a table."""
        self._recent.pop(table, None)

    def _queue_of(self, job: J) -> _Queue[J]:
        return self._cheap if job.is_cheap else self._expensive

    def _allow(self, job: J) -> None:
        """Set a job's seconds: its cost, or its part of the share of its table."""
        by_address = self._demand()
        wanted = by_address[job.address]
        address_share, table_share = shares(by_address, job.address, self.slots * self._wait)
        demand = sum(wanted.values())
        part = job.cost / wanted[job.table]  # several bots of a table may choose at once
        if wanted[job.table] > table_share:
            job.allowed = max(job.least, table_share * part - self._overhead)
        seconds = min(job.cost, max(job.allowed, table_share * part))
        job.takes = seconds / min(address_share, demand), part

    def _demand(self) -> Demand:
        """Seconds wanted by unfinished jobs, and by tables that will soon ask again."""
        since, demand = self._clock() - self._wait, dict[str, dict[str, float]]()
        busy = {job.table: job for job in self._unfinished()}
        self._recent = {
            table: recent
            for table, recent in self._recent.items()
            if recent[1] >= since or table in busy
        }
        for table, (address, _, wanted) in self._recent.items():
            if table not in busy:
                demand.setdefault(address, {})[table] = wanted
        for table, job in busy.items():
            wanted = self._recent[table][2] if table in self._recent else job.cost
            demand.setdefault(job.address, {})[table] = max(wanted, job.cost)
        return demand

    def _unfinished(self) -> list[J]:
        """Expensive jobs, waiting and running."""
        return [*self._expensive.waiting, *(job for job in self._running if not job.is_cheap)]


def shares(demand: Demand, address: str, seconds: float) -> tuple[float, float]:
    """Seconds for an address and for each of its tables; infinite if there is enough for all.

    Args:
        seconds: what can be done while nobody waits too long.
    """
    tables, wanted = sum(map(len, demand.values())), demand[address]
    room = seconds * tables / (tables - 1) if tables > 1 else inf  # nobody waits for themselves
    share = water_level(room, (sum(of_address.values()) for of_address in demand.values()))
    return share, water_level(share, wanted.values()) if share < sum(wanted.values()) else inf


def water_level(room: float, wanted: Iterable[float]) -> float:
    """The largest equal share that fits into `room` if nobody takes more than they want."""
    ascending = sorted(wanted)
    for number, want in enumerate(ascending):
        equal = room / (len(ascending) - number)
        if want > equal:
            return equal
        room -= want
    return inf
