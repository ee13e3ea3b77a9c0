"""Attributes every change of the win chances to luck or to a mistake, from the end backwards.

The final result is certain. Before a die or card the chances are the mean over its outcomes, before
a move those of the best move. Each difference between two events is therefore luck or a mistake,
and nothing is left over.
"""

from collections.abc import Sequence
from math import fsum

import numpy as np

from souk.analysis.events import BetterMove, ChanceEvent, EventAnalysis, SecretChoice
from souk.analysis.study import Balance, Shares, Step, mark_of
from souk.analysis.win_chances import Chances

Event = tuple[int | None, str]


def attribute(
    events: Sequence[Event],
    analyses: Sequence[EventAnalysis],
    secret: Sequence[bool],
    result: Chances,
) -> list[Step]:
    """The steps of a game with this result."""
    steps: list[Step] = []
    after, rest = result, result  # `rest`: chances after the last secret choice of a round
    for event, analysis, hidden in reversed(list(zip(events, analyses, secret, strict=True))):
        if isinstance(analysis, SecretChoice):
            rest = after if analysis.place == len(analysis.round.seats) - 1 else rest
            step = _choice(event, analysis, after, rest)
        elif event[0] is None:
            step = _outcome(event, analysis, after)
        else:
            step = _move(event, analysis, after, "secret" if hidden else "move")
        steps.append(step)
        after = np.array(step.before)
    return steps[::-1]


def balances(start: Shares, result: Shares, steps: list[Step]) -> list[Balance]:
    """Luck and mistakes summed over the game, for every seat."""
    totals = []
    for seat in range(len(start)):
        luck = fsum(step.luck[seat] for step in steps)
        own = fsum(step.gifts[seat] for step in steps if step.seat == seat)
        others = fsum(step.gifts[seat] for step in steps if step.seat != seat)
        totals.append(Balance(start[seat], luck, own, others, result[seat]))
    return totals


def _outcome(event: Event, analysis: EventAnalysis, after: Chances) -> Step:
    before = (
        analysis.share * after + analysis.others if isinstance(analysis, ChanceEvent) else after
    )
    return _step(event, "chance", before, after, np.zeros_like(after))


def _move(event: Event, analysis: EventAnalysis, after: Chances, kind: str) -> Step:
    seat, move = event
    assert seat is not None
    if not isinstance(analysis, BetterMove) or analysis.advantage.chances[seat] <= 0:
        considered, exact = (
            ([], False)
            if isinstance(analysis, ChanceEvent | SecretChoice)
            else (list(analysis.considered), analysis.exact)
        )
        error = analysis.advantage.error if isinstance(analysis, BetterMove) else 0.0
        return _step(
            event,
            kind,
            after,
            after,
            np.zeros_like(after),
            best=move,
            error=error,
            considered=considered,
            exact=exact,
        )
    before = moved_to(after, analysis.advantage.chances, seat)
    error, loss = analysis.advantage.error, float(before[seat] - after[seat])
    return _step(
        event,
        kind,
        before,
        after,
        after - before,
        best=analysis.best,
        loss=loss,
        error=error,
        mark=mark_of(loss, error),
        considered=list(analysis.considered),
        exact=analysis.exact,
    )


def _choice(event: Event, analysis: SecretChoice, after: Chances, rest: Chances) -> Step:
    """A secret choice. It gave away what it was worth less than the mix; the rest is luck.

    The loss is credited to those who gained by it.
    """
    choices, place, seat = analysis.round, analysis.place, analysis.round.seats[analysis.place]
    before = shifted(rest, choices.expected(place) - choices.expected(len(choices.seats)))
    gain, error = choices.gain(place)
    loss = max(0.0, -float(gain[seat]))
    given = np.maximum(0.0, np.delete(gain, seat))
    shares = given / given.sum() if given.sum() > 0 else np.full(len(given), 1 / len(given))
    gifts = np.insert(loss * shares, seat, -loss)
    mix = dict(zip(choices.moves[place], map(float, choices.mixes[place]), strict=True))
    return _step(
        event,
        "secret",
        before,
        after,
        gifts,
        mix=mix,
        loss=loss,
        error=error,
        mark=mark_of(loss, error),
        considered=list(analysis.considered),
    )


def _step(
    event: Event, kind: str, before: Chances, after: Chances, gifts: Chances, **more: object
) -> Step:
    """A step; whatever is nobody's mistake is luck."""
    seat, text = event
    luck = after - before - gifts
    chances = as_tuple(before), as_tuple(after)
    return Step(seat, text, kind, *chances, as_tuple(luck), as_tuple(gifts), **more)  # type: ignore[arg-type]


def as_tuple(values: Chances) -> Shares:
    return tuple(map(float, values))


def moved_to(chances: Chances, change: Chances, seat: int) -> Chances:
    """Chances with the mover's advantage added exactly; the others share the rest."""
    own = min(1.0, float(chances[seat] + change[seat]))
    others = np.maximum(0.0, np.delete(chances + change, seat))
    shares = others / others.sum() if others.sum() > 0 else np.full(len(others), 1 / len(others))
    return np.insert(shares * (1 - own), seat, own)


def shifted(chances: Chances, change: Chances) -> Chances:
    """Chances plus a change, clipped to be positive and normalised."""
    positive = np.maximum(0.0, chances + change)
    return np.asarray(positive / positive.sum())
