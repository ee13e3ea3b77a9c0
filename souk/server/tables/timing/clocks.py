"""Clocks of a table: pure functions of time, without table, store or time source.

Times are seconds of server uptime (`souk.server.tables.timing.uptime_clock`). Several seats may
think at once, each with its own clock. Clocks are immutable, so that the next state can be stored
before it takes effect.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import ClockTerms

MOST_LAG = 0.5  # seconds of network delay given back per move
DAY = 86_400.0
# Shortest and longest times in seconds.
_LIMITS = {"move": (3.0, DAY), "game": (10.0, DAY), "days": (DAY / 24, 60 * DAY)}
_MOST_INCREMENT = 3600.0


def checked_terms(terms: ClockTerms) -> ClockTerms:
    """The terms, refused if out of range."""
    least, most = _LIMITS[terms.kind]
    if not least <= terms.seconds <= most:
        raise RequestRefused("clock_seconds", least=int(least), most=int(most))
    if not 0 <= terms.increment <= _MOST_INCREMENT:
        raise RequestRefused("clock_increment", most=int(_MOST_INCREMENT))
    if terms.increment and terms.kind != "game":
        raise RequestRefused("clock_increment_kind")
    return terms


@dataclass(frozen=True)
class GameClock:
    """The clocks of one table.

    Attributes:
        left: by seat, seconds left when it last started or stopped.
        since: by seat now thinking, when it started.
        fresh: seats that get a full move time at their next move.
    """

    terms: ClockTerms
    left: tuple[float, ...]
    since: Mapping[int, float]
    fresh: frozenset[int]

    @classmethod
    def new(cls, terms: ClockTerms, seats: int) -> "GameClock":
        return cls(terms, (terms.seconds,) * seats, {}, frozenset(range(seats)))

    # ------------------------------------------------------------ queries

    def left_at(self, seat: int, now: float) -> float:
        """Seconds a seat has left, at least 0."""
        return max(0.0, self.left[seat] - self._thought(seat, now, 0.0))

    def is_up(self, seat: int, now: float, lag: float) -> bool:
        """Whether a seat that moves now is out of time, with `lag` given back."""
        return seat in self.since and self._thought(seat, now, lag) > self.left[seat]

    def expired(self, now: float) -> list[int]:
        """Seats out of time even with the largest lag given back."""
        return [seat for seat in sorted(self.since) if self.is_up(seat, now, MOST_LAG)]

    @property
    def due(self) -> float | None:
        """When the first clock runs out; None if none runs."""
        return min(
            (began + self.left[seat] + MOST_LAG for seat, began in self.since.items()), default=None
        )

    @property
    def by_move(self) -> bool:
        """Whether each move has its own time, rather than the whole game."""
        return self.terms.kind != "game"

    def _thought(self, seat: int, now: float, lag: float) -> float:
        """Seconds that count, less the lag given back."""
        return max(0.0, now - self.since.get(seat, now) - min(max(lag, 0.0), MOST_LAG))

    # ------------------------------------------------------------ changes

    def moved(self, seat: int, at: float, lag: float) -> "GameClock":
        """The seat moved: its clock stops and, per game, gains the increment."""
        if seat not in self.since:
            return self
        stopped = self._stopped([seat], at, lag)
        more = 0.0 if self.by_move else self.terms.increment
        return replace(
            stopped._with_left(seat, stopped.left[seat] + more), fresh=self.fresh | {seat}
        )

    def took_back(self, seat: int) -> "GameClock":
        """The seat's move was taken back: it continues with what it had left."""
        return replace(self, fresh=self.fresh - {seat})

    def expire(self, seat: int, now: float) -> "GameClock":
        """The seat's time is up: 0 left, but after a return its next move gets full time."""
        return replace(
            self._stopped([seat], now, 0.0)._with_left(seat, 0.0), fresh=self.fresh | {seat}
        )

    def thinking(self, seats: Collection[int], now: float, same: bool = False) -> "GameClock":
        """Start the clocks of `seats` and stop the others.

        Args:
            same: seats that stop continue later where they were (pause, take-back, stand-in).
        """
        stopping = [seat for seat in self.since if seat not in seats]
        stopped = self._stopped(stopping, now, 0.0)
        fresh = self.fresh | (frozenset() if same else frozenset(stopping))
        left, since = list(stopped.left), dict(stopped.since)
        for seat in seats:
            if seat not in since:
                since[seat] = now
                left[seat] = self.terms.seconds if self.by_move and seat in fresh else left[seat]
        return GameClock(self.terms, tuple(left), since, fresh - frozenset(seats))

    def _stopped(self, seats: Iterable[int], at: float, lag: float) -> "GameClock":
        clock = self
        for seat in seats:
            left = max(0.0, clock.left[seat] - clock._thought(seat, at, lag))
            since = {other: began for other, began in clock.since.items() if other != seat}
            clock = replace(clock._with_left(seat, left), since=since)
        return clock

    def _with_left(self, seat: int, left: float) -> "GameClock":
        return replace(self, left=(*self.left[:seat], left, *self.left[seat + 1 :]))
