"""Clocks of a table: what each seat has left, and what becomes of it while people think. It knows no table, no store and no time of its own: the
time is always given, in seconds of the house (`souk.table.house_time`).

Several seats may think at once; each has a clock of its own. A clock is never changed: what comes of a move, a pause or a return is another one, so
that it can be written down before it is so.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from souk.table.protocol import ClockTerms
from souk.table.refusals import Refuse

MOST_LAG = 0.5  # seconds of a move's way through the net that are given back
DAY = 86_400.0
_LIMITS = {"move": (3.0, DAY), "game": (10.0, DAY), "days": (DAY / 24, 60 * DAY)}  # least and most seconds
_MOST_INCREMENT = 3600.0


def checked_terms(terms: ClockTerms) -> ClockTerms:
    """Terms that can be played by; refused where they cannot."""
    least, most = _LIMITS[terms.kind]
    if not least <= terms.seconds <= most:
        raise Refuse("clock_seconds", least=int(least), most=int(most))
    if not 0 <= terms.increment <= _MOST_INCREMENT:
        raise Refuse("clock_increment", most=int(_MOST_INCREMENT))
    if terms.increment and terms.kind != "game":
        raise Refuse("clock_increment_kind")
    return terms


@dataclass(frozen=True)
class Clocks:
    """The clocks of one table. `left`: by seat, the seconds it had when it last began or stopped; `since`: by seat that thinks now, when it
    began; `fresh`: the seats that will have the whole time of a move when they are to move again."""

    terms: ClockTerms
    left: tuple[float, ...]
    since: Mapping[int, float]
    fresh: frozenset[int]

    @classmethod
    def new(cls, terms: ClockTerms, seats: int) -> "Clocks":
        return cls(terms, (terms.seconds,) * seats, {}, frozenset(range(seats)))

    # ------------------------------------------------------------ what is so

    def left_at(self, seat: int, now: float) -> float:
        """What a seat has left: never less than nothing."""
        return max(0.0, self.left[seat] - self._thought(seat, now, 0.0))

    def is_up(self, seat: int, now: float, lag: float) -> bool:
        """Whether a seat that moves now, over a line with such a lag, has thought for too long."""
        return seat in self.since and self._thought(seat, now, lag) > self.left[seat]

    def fallen(self, now: float) -> list[int]:
        """The seats whose time is up, whatever may still be on its way from them."""
        return [seat for seat in sorted(self.since) if self.is_up(seat, now, MOST_LAG)]

    @property
    def due(self) -> float | None:
        """When the first of them will be; None where nobody thinks."""
        return min((began + self.left[seat] + MOST_LAG for seat, began in self.since.items()), default=None)

    @property
    def by_move(self) -> bool:
        """Whether every move has its own time; else all moves of a game share it."""
        return self.terms.kind != "game"

    def _thought(self, seat: int, now: float, lag: float) -> float:
        """Seconds that count: without the lag, as far as it is given back."""
        return max(0.0, now - self.since.get(seat, now) - min(max(lag, 0.0), MOST_LAG))

    # ------------------------------------------------------------ what becomes of it

    def moved(self, seat: int, at: float, lag: float) -> "Clocks":
        """A seat has made its move. Its clock stands; by the game, it has the increment."""
        if seat not in self.since:
            return self
        stopped = self._stopped([seat], at, lag)
        more = 0.0 if self.by_move else self.terms.increment
        return replace(stopped._with_left(seat, stopped.left[seat] + more), fresh=self.fresh | {seat})

    def took_back(self, seat: int) -> "Clocks":
        """A seat's move is taken back: it goes on with what it had left."""
        return replace(self, fresh=self.fresh - {seat})

    def fell(self, seat: int, now: float) -> "Clocks":
        """A seat's time is up. Should it come back, its next move has the time of a move; of a game nothing is left."""
        return replace(self._stopped([seat], now, 0.0)._with_left(seat, 0.0), fresh=self.fresh | {seat})

    def thinking(self, seats: Collection[int], now: float, same: bool = False) -> "Clocks":
        """From now on these seats think. `same`: whoever no longer does has not been overtaken by the game, and goes on later where it was (a
        pause, a move taken back, a bot that stands in)."""
        over = [seat for seat in self.since if seat not in seats]
        stopped = self._stopped(over, now, 0.0)
        fresh = self.fresh | (frozenset() if same else frozenset(over))
        left, since = list(stopped.left), dict(stopped.since)
        for seat in seats:
            if seat not in since:
                since[seat] = now
                left[seat] = self.terms.seconds if self.by_move and seat in fresh else left[seat]
        return Clocks(self.terms, tuple(left), since, fresh - frozenset(seats))

    def _stopped(self, seats: Iterable[int], at: float, lag: float) -> "Clocks":
        found = self
        for seat in seats:
            left = max(0.0, found.left[seat] - found._thought(seat, at, lag))
            since = {each: began for each, began in found.since.items() if each != seat}
            found = replace(found._with_left(seat, left), since=since)
        return found

    def _with_left(self, seat: int, left: float) -> "Clocks":
        return replace(self, left=(*self.left[:seat], left, *self.left[seat + 1 :]))
