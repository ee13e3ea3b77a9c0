"""Time and agreement at a table in memory: its clocks, what is asked, and who is waited for although they are away."""

from collections.abc import Callable, Collection, Mapping, Sequence

from souk.table import protocol
from souk.table.clocks import Clocks
from souk.table.course import Course
from souk.table.fates import Fate
from souk.table.life_rows import Life
from souk.table.proposals import Asking, Proposal
from souk.table.store import SeatRow

_NOTHING = protocol.LifeNow()  # to tell


class TableLife:
    """Of one table. `kept` is what is on disk; who is absent, and what the others think of that, is as short-lived as a page."""

    __slots__ = ("_away_time", "kept", "now", "since", "votes")

    def __init__(self, kept: Life, now: Callable[[], float], away_time: float) -> None:
        self.kept, self.now, self._away_time = kept, now, away_time
        self.since: dict[int, float] = {}  # by seat that is waited for and away: since when
        self.votes: dict[int, dict[int, protocol.AwayChoice]] = {}  # by such a seat: what each voice wants

    @property
    def clocks(self) -> Clocks | None:
        return self.kept.clocks

    @property
    def by_days(self) -> bool:
        """Whether nobody is expected to be there all the time."""
        return self.clocks is not None and self.clocks.terms.kind == "days"

    # ------------------------------------------------------------ what comes next

    def next(
        self,
        course: Course,
        seats: Sequence[SeatRow],
        clocks: Clocks | None = None,
        asking: Asking | None = None,
        same: bool = False,
    ) -> Life:
        """What is to be kept when the game stands so; `clocks` as they are by then, but for who thinks."""
        clocks = clocks or self.clocks
        if clocks is not None:
            clocks = clocks.thinking(thinking(course, seats), self.now(), same)
        asking = asking or self.kept.asking
        if (clocks, asking) == self.kept[1:]:
            return self.kept
        return Life(self.kept.version + 1, clocks, asking)

    # ------------------------------------------------------------ what is asked

    def proposal(self, course: Course, seats: Sequence[SeatRow]) -> Proposal | None:
        """What is asked now: until a person makes a move."""
        if self.kept.asking.open is None:
            return None
        persons = [row.seat for row in seats if row.kind == "person" and not row.stand_in]
        moved = max((course.own.get(seat, -1) for seat in persons), default=-1)
        return None if course.over else self.kept.asking.at(self.now(), moved)

    # ------------------------------------------------------------ who is away

    def note_absent(self, absent: Collection[int]) -> None:
        """Who is to move and away by now."""
        if not absent and not self.since and not self.votes:
            return
        self.since = {seat: self.since.get(seat, self.now()) for seat in sorted(absent)}
        self.votes = {seat: votes for seat, votes in self.votes.items() if seat in absent}

    @property
    def away(self) -> bool:
        """Whether anybody is to move and away."""
        return bool(self.since)

    def wait_again(self, seat: int) -> None:
        """The others have decided to wait for somebody a while longer."""
        self.since[seat] = self.now()
        self.votes.pop(seat, None)

    def waited_since(self, since: Mapping[int, float], votes: Mapping[int, Mapping[int, protocol.AwayChoice]]) -> None:
        """What another server knows of those who are away: since when, and what was said about it."""
        for seat in self.since:
            self.since[seat] = min(self.since[seat], since.get(seat, self.since[seat]))
            if seat in votes:
                self.votes[seat] = {**votes[seat], **self.votes.get(seat, {})}

    def decide_in(self, seat: int) -> float | None:
        """Seconds until the others may decide about a seat; None where it is not away."""
        return max(0.0, self.since[seat] + self._away_time - self.now()) if seat in self.since else None

    # ------------------------------------------------------------ what is told

    def told(self, course: Course, seats: Sequence[SeatRow], present: Sequence[int]) -> protocol.LifeNow:
        """All of it, at this moment; `present`: who decides about somebody away."""
        now, clocks, fate = self.now(), self.clocks, course.fate
        if clocks is None and self.kept.asking.open is None and not (self.since or fate.paused or fate.out):
            return _NOTHING  # at most tables, after most moves
        running = protocol.ClocksNow(clocks.terms, _lefts(clocks, now), sorted(clocks.since)) if clocks else None
        away = [
            protocol.AwayNow(seat, self.decide_in(seat) or 0.0, list(present), dict(self.votes.get(seat, {})))
            for seat in self.since
        ]
        asked = self.proposal(course, seats)
        shown = _proposal(asked, voices(seats, fate), now) if asked else None
        return protocol.LifeNow(running, fate.paused, shown, away, sorted(fate.out))


def thinking(course: Course, seats: Sequence[SeatRow]) -> list[int]:
    """The seats of persons who are to move, and may."""
    if course.over or course.fate.paused:
        return []
    return [seat for seat in course.actors if seats[seat].kind == "person" and not seats[seat].stand_in]


def voices(seats: Sequence[SeatRow], fate: Fate) -> list[int]:
    """Who is asked where all are to agree: every person who plays, by the first of their seats."""
    able = [
        row for row in seats if row.kind == "person" and row.player and not row.stand_in and row.seat not in fate.out
    ]
    return list({row.player: row.seat for row in reversed(able)}.values())[::-1]


def _lefts(clocks: Clocks, now: float) -> list[float]:
    return [round(clocks.left_at(seat, now), 3) for seat in range(len(clocks.left))]


def _proposal(asked: Proposal, wanted: Sequence[int], now: float) -> protocol.ProposalNow:
    missing = [seat for seat in wanted if seat not in asked.agreed]
    return protocol.ProposalNow(
        asked.number, asked.what, asked.seat, list(asked.agreed), missing, max(0.0, asked.until - now)
    )
