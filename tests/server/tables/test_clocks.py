"""Clocks: in any order of events nobody gains or loses more than the lag."""

import sqlite3
from contextlib import closing
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import ClockTerms
from souk.server.tables.timing.clocks import MOST_LAG, GameClock, checked_terms
from souk.server.tables.timing.timing_rows import TimingState, read_timing, save_statements
from souk.server.tables.votes.proposal_state import ProposalState

SEATS = 4
NEARLY = 1e-6
KINDS = st.sampled_from(["move", "game", "days"])
SECONDS = st.floats(0, 90)
SOME = st.sets(st.integers(0, SEATS - 1))


class ClockMachine(RuleBasedStateMachine):
    """A table's clocks next to an independent account of thinking times."""

    @initialize(kind=KINDS, increment=st.floats(0, 10))
    def begin(self, kind: str, increment: float) -> None:
        by_game = kind == "game"
        self.terms = ClockTerms(
            kind, 86_400.0 if kind == "days" else 120.0, increment if by_game else 0.0
        )  # type: ignore[arg-type]
        self.clocks = GameClock.new(self.terms, SEATS)
        self.now = 1000.0
        self.budget = [self.terms.seconds] * SEATS  # time left by this account
        self.lag = [0.0] * SEATS  # lag that may have been given back
        self.began: dict[int, float] = {}
        self.anew = set(range(SEATS))

    def _stop(self, seat: int) -> None:
        if seat in self.began:
            self.budget[seat] = max(0.0, self.budget[seat] - (self.now - self.began.pop(seat)))

    def _think(self, seats: set[int], same: bool) -> None:
        for seat in list(self.began):
            if seat not in seats:
                self._stop(seat)
                self.anew |= set() if same else {seat}
        for seat in seats - set(self.began):
            self.began[seat] = self.now
            if self.terms.kind != "game" and seat in self.anew:
                self.budget[seat], self.lag[seat] = self.terms.seconds, 0.0
        self.anew -= seats
        self.clocks = self.clocks.thinking(sorted(seats), self.now, same)

    @rule(seconds=SECONDS)
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(seat=st.integers(0, SEATS - 1), lag=st.floats(-1, 5), then=SOME)
    def a_move(self, seat: int, lag: float, then: set[int]) -> None:
        if seat in self.began:
            self._stop(seat)
            self.budget[seat] += self.terms.increment
            self.lag[seat] += MOST_LAG
            self.anew.add(seat)
        self.clocks = self.clocks.moved(seat, self.now, lag)
        self._think(then, same=False)

    @rule(then=SOME)
    def a_pause_or_its_end(self, then: set[int]) -> None:
        self._think(then, same=True)

    @rule()
    def a_restart(self) -> None:
        """Downtime of any length costs no clock time."""
        with closing(sqlite3.connect(":memory:")) as file:
            file.execute("CREATE TABLE tables (id)")
            file.execute("INSERT INTO tables VALUES ('t')")
            file.execute('CREATE TABLE timing ("table", version, terms, state, due)')
            [insert, _] = save_statements(
                "t", TimingState(), TimingState(1, self.clocks, ProposalState()), self.now
            )
            file.execute(insert.text, insert.values)
            found = read_timing(file, "t").clocks
        assert found == self.clocks
        self.clocks = found

    @invariant()
    def nobody_is_given_or_taken_more_than_the_lag(self) -> None:
        if not hasattr(self, "clocks"):
            return
        for seat in range(SEATS):
            mine = max(0.0, self.budget[seat] - (self.now - self.began.get(seat, self.now)))
            found = self.clocks.left_at(seat, self.now)
            assert mine - NEARLY <= found <= mine + self.lag[seat] + NEARLY
        assert set(self.clocks.since) == set(self.began)

    @invariant()
    def flags_fall_when_they_are_due(self) -> None:
        if hasattr(self, "clocks") and self.clocks.due is not None:
            assert not self.clocks.expired(self.clocks.due - 0.001)
            assert self.clocks.expired(self.clocks.due + 0.001)


TestClockMachine = ClockMachine.TestCase
TestClockMachine.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


@given(st.lists(st.floats(0, 20), min_size=1, max_size=20), st.floats(0, 2))
def test_all_moves_of_a_game_share_its_time(thoughts: list[float], lag: float) -> None:
    clocks, now = GameClock.new(ClockTerms("game", 60.0, 3.0), 2), 0.0
    for thought in thoughts:
        clocks = clocks.thinking([0], now).moved(0, now + thought, lag)
        now += thought
    counted = sum(max(0.0, thought - min(lag, MOST_LAG)) for thought in thoughts)
    if all(sum(thoughts[: n + 1]) < 60.0 for n in range(len(thoughts))):
        assert clocks.left_at(0, now) == pytest.approx(60.0 + 3.0 * len(thoughts) - counted)
    assert clocks.left_at(1, now) == 60.0


def test_a_move_taken_back_goes_on_with_what_was_left() -> None:
    clocks = (
        GameClock.new(ClockTerms("move", 30.0), 2)
        .thinking([0], 0.0)
        .moved(0, 20.0, 0.0)
        .thinking([1], 20.0)
    )
    again = clocks.took_back(0).thinking([0], 25.0, same=True)
    assert again.left_at(0, 25.0) == 10.0
    assert (
        again.moved(0, 26.0, 0.0).thinking([1], 26.0).left_at(1, 26.0) == 25.0
    )  # and the other as well


@pytest.mark.parametrize(
    "terms",
    [
        ClockTerms("move", 1.0),
        ClockTerms("move", float("nan")),
        ClockTerms("game", float("inf")),
        ClockTerms("days", 10.0),
        ClockTerms("game", 60.0, -1.0),
        ClockTerms("game", 60.0, 1e9),
        ClockTerms("move", 60.0, 5.0),
    ],
    ids=str,
)
def test_strange_clocks_are_refused(terms: ClockTerms) -> None:
    with pytest.raises(RequestRefused):
        checked_terms(terms)


@given(st.lists(st.floats(0, 1e6), min_size=2))
def test_the_time_of_the_house_never_goes_back(kept: list[float]) -> None:
    from souk.server.tables.timing.uptime_clock import UptimeClock

    time, seen = UptimeClock(), []
    for each in kept:
        time.reckon_from(each)
        seen.append(time.now())
        assert seen[-1] >= each
    assert all(one <= two for one, two in pairwise(seen))
