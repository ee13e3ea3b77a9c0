"""Basari's facts: what each event did."""

from functools import partial
from typing import Any

from souk.core.facts import SeatFact
from souk.games.basari import rules
from souk.games.basari.notation import ACTIONS, gems_on
from souk.games.basari_common import facts as shared
from souk.games.basari_common.facts import (
    GemsTaken,
    HaggleCalled,
    PointsScored,
    gained,
    held,
)
from souk.kernel.tracing import Trace


class DiscPlaced(SeatFact, frozen=True):
    """B5: a seat chose its start."""

    arch: int


class FigureWalked(SeatFact, frozen=True):
    """B10, B12: a figure walked what the die showed, arch by arch."""

    die: int
    path: list[int]
    again: bool  # by the action dice, not at the start of a round


class OpenerFound(SeatFact, frozen=True):
    """B20: on equal points a roll decided who opens the haggle."""


class ScoringBegan(shared.ScoringStarted, frozen=True):
    """B30: a figure has completed a lap, so there is a scoring."""


class LapScored(shared.BonusScored, frozen=True):
    """B31: points for completing a lap."""


KINDS = (*shared.KINDS, DiscPlaced, FigureWalked, OpenerFound, ScoringBegan, LapScored)


# ---------------------------------------------------------------- tracers


def _placing(s: Any, seat: int, arch: int) -> Trace:
    yield DiscPlaced(seat, arch)
    yield


def _walking(s: Any, seat: int, steps: int) -> Trace:
    start, again = s.figure[seat], s.phase == rules.ROLL
    yield
    yield FigureWalked(
        seat, steps, [rules.arch_after(start, step) for step in range(1, steps + 1)], again
    )


def _rolling(s: Any, seat: int, roll: int) -> Trace:
    yield
    yield PointsScored(seat, rules.points_of_roll(roll), ACTIONS[rules.DICE])


def _carrying_out(s: Any, action: int, seat: int) -> Trace:
    points = s.points[seat]
    yield
    if action == rules.POINTS:
        yield PointsScored(seat, s.points[seat] - points, ACTIONS[action])


def _taking(s: Any, seat: int) -> Trace:
    before, wanted = held(s, seat), gems_on(s, s.figure[seat])
    yield
    yield GemsTaken(seat, gained(s, seat, before), wanted)


def _calling(s: Any, action: int, seats: int) -> Trace:
    yield
    level = s.phase == rules.OPENER
    yield HaggleCalled(ACTIONS[action], [s.opener, s.other], None if level else s.opener)


def _opening(s: Any, seat: int) -> Trace:
    yield OpenerFound(seat)
    yield


def _scoring_laps(s: Any) -> Trace:
    points = list(s.points[: s.players])
    laps = yield
    if laps:
        yield ScoringBegan(s.scorings + 1)
    yield from shared.bonuses(LapScored, s, points)


TRACERS = shared.tracers(rules, ACTIONS) | {
    rules.place: _placing,
    rules.walk: _walking,
    rules.score_roll: _rolling,
    rules.carry_out: _carrying_out,
    rules.take_gems: _taking,
    rules.call_to_haggle: _calling,
    rules.open_haggle: _opening,
    rules.score_laps: _scoring_laps,
}


# ---------------------------------------------------------------- sources of points

# By seat: points from dice, arches, laps, and the majorities of each scoring.
sources = partial(
    shared.sources,
    actions={"dice": "dice", "points": "points"},
    bonus="lap",
    scoring="scoring",
    scorings=rules.SCORINGS,
)
