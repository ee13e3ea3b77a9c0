"""Timing of a table in memory: clocks, proposals and absences."""

from collections.abc import Callable, Collection, Mapping, Sequence

from souk.server.protocol import table as protocol
from souk.server.storage.rows import SeatRow
from souk.server.tables.game.game_state import GameState
from souk.server.tables.timing.clocks import GameClock
from souk.server.tables.timing.timing_rows import TimingState
from souk.server.tables.votes.proposal_state import Proposal, ProposalState
from souk.server.tables.votes.voters import voters

_NO_TIMING = protocol.TimingNow()  # for most tables


class TableTiming:
    """Timing of one table. `saved` is what is on disk; absences and votes live in memory only."""

    __slots__ = ("_away_time", "now", "saved", "since", "votes")

    def __init__(self, saved: TimingState, now: Callable[[], float], away_time: float) -> None:
        self.saved, self.now, self._away_time = saved, now, away_time
        self.since: dict[int, float] = {}  # by absent seat others wait for: since when
        # by absent seat: each voter's choice
        self.votes: dict[int, dict[int, protocol.AwayChoice]] = {}

    @property
    def clocks(self) -> GameClock | None:
        return self.saved.clocks

    @property
    def by_days(self) -> bool:
        """Whether moves have days, so that nobody is expected to be present."""
        return self.clocks is not None and self.clocks.terms.kind == "days"

    # ------------------------------------------------------------ next state

    def next(
        self,
        state: GameState,
        seats: Sequence[SeatRow],
        clocks: GameClock | None = None,
        asking: ProposalState | None = None,
        same: bool = False,
    ) -> TimingState:
        """The state to store for this game; `clocks` before accounting for who thinks now."""
        clocks = clocks or self.clocks
        if clocks is not None:
            clocks = clocks.thinking(seats_on_move(state, seats), self.now(), same)
        asking = asking or self.saved.asking
        if (clocks, asking) == self.saved[1:]:
            return self.saved
        return TimingState(self.saved.version + 1, clocks, asking)

    # ------------------------------------------------------------ proposals

    def proposal(self, state: GameState, seats: Sequence[SeatRow]) -> Proposal | None:
        """The open proposal; it lapses when a person moves."""
        if self.saved.asking.open is None:
            return None
        persons = [row.seat for row in seats if row.kind == "person" and not row.stand_in]
        moved = max((state.last_by_seat.get(seat, -1) for seat in persons), default=-1)
        return None if state.over else self.saved.asking.at(self.now(), moved)

    # ------------------------------------------------------------ absence

    def note_absent(self, absent: Collection[int]) -> None:
        """Update which seats on move are absent."""
        if not absent and not self.since and not self.votes:
            return
        self.since = {seat: self.since.get(seat, self.now()) for seat in sorted(absent)}
        self.votes = {seat: votes for seat, votes in self.votes.items() if seat in absent}

    @property
    def away(self) -> bool:
        """Whether anybody on move is absent."""
        return bool(self.since)

    def wait_again(self, seat: int) -> None:
        """Restart the waiting time of an absent player."""
        self.since[seat] = self.now()
        self.votes.pop(seat, None)

    def waited_since(
        self, since: Mapping[int, float], votes: Mapping[int, Mapping[int, protocol.AwayChoice]]
    ) -> None:
        """Merge absences and votes known to another process."""
        for seat in self.since:
            self.since[seat] = min(self.since[seat], since.get(seat, self.since[seat]))
            if seat in votes:
                self.votes[seat] = {**votes[seat], **self.votes.get(seat, {})}

    def decide_in(self, seat: int) -> float | None:
        """Seconds until others may vote about a seat; None if it is not absent."""
        return (
            max(0.0, self.since[seat] + self._away_time - self.now())
            if seat in self.since
            else None
        )

    # ------------------------------------------------------------ messages

    def message(
        self, state: GameState, seats: Sequence[SeatRow], present: Sequence[int]
    ) -> protocol.TimingNow:
        """The timing message. `present`: voters on absences."""
        now, clocks, status = self.now(), self.clocks, state.status
        if (
            clocks is None
            and self.saved.asking.open is None
            and not (self.since or status.paused or status.out)
        ):
            return _NO_TIMING  # the common case
        clocks_now = (
            protocol.ClocksNow(clocks.terms, _seconds_left(clocks, now), sorted(clocks.since))
            if clocks
            else None
        )
        away = [
            protocol.AwayNow(
                seat, self.decide_in(seat) or 0.0, list(present), dict(self.votes.get(seat, {}))
            )
            for seat in self.since
        ]
        proposal = self.proposal(state, seats)
        proposal_message = _proposal(proposal, voters(seats, status), now) if proposal else None
        return protocol.TimingNow(
            clocks_now, status.paused, proposal_message, away, sorted(status.out)
        )


def seats_on_move(state: GameState, seats: Sequence[SeatRow]) -> list[int]:
    """Seats of people on move in a running game."""
    if state.over or state.status.paused:
        return []
    return [
        seat for seat in state.actors if seats[seat].kind == "person" and not seats[seat].stand_in
    ]


def _seconds_left(clocks: GameClock, now: float) -> list[float]:
    return [round(clocks.left_at(seat, now), 3) for seat in range(len(clocks.left))]


def _proposal(proposal: Proposal, voters: Sequence[int], now: float) -> protocol.ProposalNow:
    missing = [seat for seat in voters if seat not in proposal.agreed]
    return protocol.ProposalNow(
        proposal.number,
        proposal.what,
        proposal.seat,
        list(proposal.agreed),
        missing,
        max(0.0, proposal.until - now),
    )
