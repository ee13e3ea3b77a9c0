"""Facts of Basari, the card game: what each event did."""

from functools import partial
from typing import Any

from souk.core.facts import SeatFact
from souk.games.basari_cards import rules
from souk.games.basari_cards.box import card_text
from souk.games.basari_cards.notation import ACTIONS, gems_on
from souk.games.basari_common import facts as shared
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.facts import (
    GemsTaken,
    HaggleCalled,
    PointsScored,
    gained,
    held,
    seats_in,
)
from souk.games.basari_common.notation import Gems, counts
from souk.kernel.tracing import Trace


class CardTurnedUp(SeatFact, frozen=True):
    """K10, K13: a card was dealt to a seat, or drawn for action A; the seat gets its workers."""

    card: str
    workers: int
    points: int
    gems: Gems
    drawn: bool


class GemsReturned(SeatFact, frozen=True):
    """K31: gems went back to the supply."""

    gems: Gems


class CameToNothing(SeatFact, frozen=True):
    """K17, K33: an action brought nothing.

    A: the pile is empty; B, C: the seat has no card; D: the supply is empty.
    """

    action: str


class DealEnded(shared.ScoringStarted, frozen=True):
    """K40: a seat has enough workers, so the deal is scored."""


class WorkersScored(shared.BonusScored, frozen=True):
    """K43: points for enough workers."""


KINDS = (*shared.KINDS, CardTurnedUp, GemsReturned, CameToNothing, DealEnded, WorkersScored)


# ---------------------------------------------------------------- tracers


def _turning_up(s: Any, seat: int, card: int) -> Trace:
    text, workers, points = (
        card_text(s.deck[card]),
        rules.workers_on(s, card),
        rules.points_on(s, card),
    )
    yield CardTurnedUp(seat, text, workers, points, gems_on(s, card), s.phase == rules.DRAW)
    yield


def _carrying_out(s: Any, action: int, seat: int) -> Trace:
    points, gems, card = s.points[seat], held(s, seat), s.card[seat]
    waits = yield
    if waits:
        return
    if action == rules.A or card == haggling.NONE:
        yield CameToNothing(seat, ACTIONS[action])
    elif action == rules.B:
        yield PointsScored(seat, s.points[seat] - points, ACTIONS[action])
    else:
        yield GemsTaken(seat, gained(s, seat, gems), gems_on(s, card))


def _beginning_haggle(s: Any, opener: int, other: int) -> Trace:
    yield HaggleCalled(ACTIONS[s.action], [opener, other], opener)
    yield


def _beginning_exchange(s: Any, seats: int) -> Trace:
    waits = yield
    if not waits:
        for seat in seats_in(seats):
            yield CameToNothing(seat, ACTIONS[rules.D])


def _giving(s: Any, seat: int, gems: int) -> Trace:
    yield GemsReturned(seat, counts(gems))
    yield


def _taking(s: Any, seat: int, gems: int) -> Trace:
    later = [
        follower
        for follower in seats_in(haggling.chose(s, rules.D))
        if rules.precedes(s, seat, follower)
    ]
    yield GemsTaken(seat, counts(gems), counts(gems))
    goes_on = yield
    if not goes_on:
        for follower in later:
            yield CameToNothing(follower, ACTIONS[rules.D])


def _scoring_workers(s: Any) -> Trace:
    points = list(s.points[: s.players])
    yield
    yield from shared.bonuses(WorkersScored, s, points)


def _ending_deal(s: Any) -> Trace:
    yield DealEnded(s.deals + 1)
    yield


TRACERS = shared.tracers(rules, ACTIONS) | {
    rules.turn_up: _turning_up,
    rules.carry_out: _carrying_out,
    haggling.begin_haggle: _beginning_haggle,
    rules.begin_exchange: _beginning_exchange,
    rules.give: _giving,
    rules.take: _taking,
    rules.end_deal: _ending_deal,
    rules.score_workers: _scoring_workers,
}


# ---------------------------------------------------------------- sources of points

# By seat: points from cards, workers, and the majorities of each deal.
sources = partial(
    shared.sources, actions={"B": "cards"}, bonus="workers", scoring="deal", scorings=rules.DEALS
)
