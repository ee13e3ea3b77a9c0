"""Who is thought for next, and for how long: every address and every table has its share.

A wish for a move waits in one of two lanes. Those that cost next to nothing go first, and one place is always kept for them; of the others at
most as many are under way as there are places. Nobody is to wait long for others: where more is asked for than can be done in that time,
everybody thinks for a shorter time, each address as long as every other, and so each of its tables; whoever wants less than that leaves the
rest to the others. In a lane the address is next that has had least of its share, and of its tables the one that has had least of its own.
"""

import time
from collections.abc import Callable, Iterable
from math import inf
from typing import Generic, TypeVar

CHEAP = 0.1  # seconds: what is expected to take no longer never waits behind what does
LEAST = 0.01  # seconds of thinking, however many ask
_OF_LATE = 0.1  # how much the last one counts
_DIGITS = 6  # beyond which shares are equal: then whoever came first is first
_AT_ONCE = 100  # accounts that are forgotten, about: to look through all whenever one leaves takes long where many ask
_PLAYOUTS_ONLY = 1.0  # seconds that are reckoned for a bot that counts playouts alone

Demand = dict[str, dict[str, float]]  # by address and table: the seconds that are wanted


class Wish:
    """A move that somebody waits for: for which address and table, and how many seconds it is expected to take."""

    __slots__ = ("accounts", "address", "allowed", "began", "cost", "granted", "least", "table", "takes")

    accounts: tuple["_Account", "_Account"]  # of its address and of its table, from when it waits

    def __init__(self, address: str, table: str, cost: float, least: float = LEAST) -> None:
        self.address, self.table = address, table
        self.cost = _PLAYOUTS_ONLY if cost == inf else cost
        self.least = min(least, self.cost)  # seconds, below which it makes no sense to begin
        self.allowed = cost  # seconds that it may take, once it is begun
        self.granted: float | None = None  # seconds that it has where all who ask elsewhere were heard already
        self.takes = (1.0, 1.0)  # of the shares of its address and of its table
        self.began = 0.0  # by the clock

    @property
    def cheap(self) -> bool:
        return self.cost <= CHEAP

    @property
    def hurried(self) -> bool:
        """Whether it has less time than it would have had alone."""
        return self.allowed < self.cost


class _Account:
    """How many of its shares an address or a table has had; `open` counts what it waits for and what is under way."""

    __slots__ = ("had", "open", "rank")

    def __init__(self, had: float) -> None:
        self.open = 0
        self.put(had)

    def put(self, had: float) -> None:
        self.had, self.rank = had, round(had, _DIGITS)


class _Accounts:
    """Of all addresses, or of all tables. Whoever comes begins where the one stands that was served last, or one share ahead of it where it
    has just been served itself: nobody saves up, and nobody pays for what they had while there was enough for all."""

    def __init__(self) -> None:
        self._accounts: dict[str, _Account] = {}
        self._open = 0  # accounts of whoever waits or is served
        self._now = 0.0

    def enter(self, name: str) -> _Account:
        account = self._accounts.get(name) or self._accounts.setdefault(name, _Account(self._now))
        had = min(account.had, self._now + 1.0)
        account.put(had if account.open else max(had, self._now))
        self._open += not account.open
        account.open += 1
        return account

    def begin(self, account: _Account, shares: float) -> None:
        self._now = max(self._now, account.had)
        account.put(account.had + shares)

    def leave(self, account: _Account) -> None:
        account.open -= 1
        self._open -= not account.open
        if not self._open:
            self._accounts.clear()
        elif len(self._accounts) > 2 * self._open + _AT_ONCE:  # what is behind the others by now counts for nothing
            self._accounts = {key: each for key, each in self._accounts.items() if each.open or each.had > self._now}


W = TypeVar("W", bound=Wish)


def _rank(wish: Wish) -> tuple[float, float]:
    of_address, of_table = wish.accounts
    return of_address.rank, of_table.rank


class _Lane(Generic[W]):
    """Those that wait, with what each address and table has had in this lane."""

    def __init__(self) -> None:
        self.waiting: dict[W, None] = {}  # in the order in which they came
        self._addresses, self._tables = _Accounts(), _Accounts()

    def add(self, wish: W) -> None:
        wish.accounts = self._addresses.enter(wish.address), self._tables.enter(wish.table)
        self.waiting[wish] = None

    def next(self) -> W:
        """Of the address that has had least, the table that has had least; of those that are equal the first."""
        return min(self.waiting, key=_rank)

    def begin(self, wish: W) -> None:
        del self.waiting[wish]
        of_address, of_table = wish.accounts
        self._addresses.begin(of_address, wish.takes[0])
        self._tables.begin(of_table, wish.takes[1])

    def end(self, wish: W) -> None:
        """It has its answer; one that has not begun is forgotten."""
        self.waiting.pop(wish, None)
        of_address, of_table = wish.accounts
        self._addresses.leave(of_address)
        self._tables.leave(of_table)

    def turn_away(self) -> W:
        """The latest wish of the address that has most of them waiting."""
        counts: dict[str, int] = {}
        for wish in self.waiting:
            counts[wish.address] = counts.get(wish.address, 0) + 1
        greediest = max(counts, key=lambda address: counts[address])
        return next(wish for wish in reversed(self.waiting) if wish.address == greediest)


class WaitingRoom(Generic[W]):
    """The wishes of all tables. `places` of them that are not cheap may be under way at a time, and nobody is to wait for others longer than
    `wait` seconds."""

    def __init__(self, places: int, wait: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.places, self._wait, self._clock = places, wait, clock
        self._cheap, self._dear = _Lane[W](), _Lane[W]()
        self._running: set[W] = set()
        self._overhead = 0.0  # seconds that a wish takes beyond what it is allowed, as it was of late
        # By table: for which address it was last thought for, when, and the seconds that it wanted.
        self._asked: dict[str, tuple[str, float, float]] = {}

    def add(self, wish: W) -> W | None:
        """Let a wish wait. Where too many do, one of them is turned away and returned: of the address that has most."""
        if wish.cheap:
            self._cheap.add(wish)
            return None
        self._dear.add(wish)
        wanted = sum(each.cost for each in self._open() if each.table == wish.table)
        self._asked[wish.table] = wish.address, self._clock(), wanted
        if len(self._dear.waiting) <= self.most:
            return None
        turned_away = self._dear.turn_away()
        self._dear.end(turned_away)
        return turned_away

    @property
    def most(self) -> int:
        """How many may wait that are not cheap."""
        return max(1, int(self.places * self._wait / LEAST))

    @property
    def busy(self) -> bool:
        return bool(self._running or self.waiting)

    @property
    def waiting(self) -> int:
        return len(self._cheap.waiting) + len(self._dear.waiting)

    def next(self) -> W | None:
        """The wish to begin with now, with the seconds that it is allowed; None where nobody waits, or all places are taken."""
        if self._cheap.waiting:
            return self.next_cheap()
        if self._dear.waiting and len(self._open()) - len(self._dear.waiting) < self.places:
            wish = self._dear.next()
            self._allow(wish)
            return self._begin(wish)
        return None

    def next_cheap(self) -> W | None:
        """The same among those that cost next to nothing."""
        return self._begin(self._cheap.next()) if self._cheap.waiting else None

    def _begin(self, wish: W) -> W:
        self._lane(wish).begin(wish)
        wish.began = self._clock()
        self._running.add(wish)
        return wish

    def end(self, wish: W) -> None:
        """A wish has its answer, or nobody has it any more."""
        if wish in self._running and wish.hurried:
            beyond = max(0.0, self._clock() - wish.began - wish.allowed)
            self._overhead += _OF_LATE * (beyond - self._overhead)
        self._running.discard(wish)
        self._lane(wish).end(wish)
        if wish.table in self._asked:
            address, _, wanted = self._asked[wish.table]
            self._asked[wish.table] = address, self._clock(), wanted

    def forget(self, table: str) -> None:
        """Nobody is at a table any more: it will ask for nothing."""
        self._asked.pop(table, None)

    def _lane(self, wish: W) -> _Lane[W]:
        return self._cheap if wish.cheap else self._dear

    def _allow(self, wish: W) -> None:
        """The seconds for a wish: what it costs, or its part of its table's share of what can be done while others are to wait."""
        if wish.granted is not None:
            wish.allowed = min(wish.allowed, wish.granted)
            return
        by_address = self._demand()
        wanted = by_address[wish.address]
        share, mine = shares(by_address, wish.address, self.places * self._wait)
        demand = sum(wanted.values())
        part = wish.cost / wanted[wish.table]  # of what its table wants: several bots may choose there at once
        if wanted[wish.table] > mine:
            wish.allowed = max(wish.least, mine * part - self._overhead)
        wish.takes = min(wish.cost, max(wish.allowed, mine * part)) / min(share, demand), part

    def _demand(self) -> Demand:
        """By address and table the seconds that are wanted: by those that wait or are under way, and by those that were answered a moment ago
        and will ask again."""
        since, found = self._clock() - self._wait, dict[str, dict[str, float]]()
        busy = {wish.table: wish for wish in self._open()}
        self._asked = {table: asked for table, asked in self._asked.items() if asked[1] >= since or table in busy}
        for table, (address, _, wanted) in self._asked.items():
            if table not in busy:
                found.setdefault(address, {})[table] = wanted
        for table, wish in busy.items():
            wanted = self._asked[table][2] if table in self._asked else wish.cost
            found.setdefault(wish.address, {})[table] = max(wanted, wish.cost)
        return found

    def _open(self) -> list[W]:
        """All that wait and all that are under way, but for the cheap ones."""
        return [*self._dear.waiting, *(wish for wish in self._running if not wish.cheap)]


def shares(demand: Demand, address: str, seconds: float) -> tuple[float, float]:
    """How many seconds an address may have, and each of its tables, where so many can be done while nobody waits too long; infinite where there is
    enough for all."""
    tables, wanted = sum(map(len, demand.values())), demand[address]
    room = seconds * tables / (tables - 1) if tables > 1 else inf  # nobody waits for themselves
    share = level(room, (sum(each.values()) for each in demand.values()))
    return share, level(share, wanted.values()) if share < sum(wanted.values()) else inf


def level(room: float, wanted: Iterable[float]) -> float:
    """How much each may have at most so that all have room: whoever wants less leaves the rest to the others."""
    left = sorted(wanted)
    for number, want in enumerate(left):
        equal = room / (len(left) - number)
        if want > equal:
            return equal
        room -= want
    return inf
