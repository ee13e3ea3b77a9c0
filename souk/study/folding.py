"""From looks at single events to the study of a game: everybody's chances are worked out from the end backwards.

The result is certain. Before a die or card the chances are the mean of what could have come up, of which one thing did; before a move they are those of the
best move. So what happened between two events is always luck, or somebody's error, and nothing is left over.
"""

from collections.abc import Sequence

import numpy as np

from souk.study.looking import Concealed, Drawn, Look, Outdone
from souk.study.study import Shares, Step, mark_of
from souk.study.weighing import Chances

Event = tuple[int | None, str]


def fold(events: Sequence[Event], looks: Sequence[Look], secret: Sequence[bool], result: Chances) -> list[Step]:
    """The steps of a game that came to this result."""
    steps: list[Step] = []
    after, rest = result, result  # `rest`: after the last secret choice of a round
    for event, look, hidden in reversed(list(zip(events, looks, secret, strict=True))):
        if isinstance(look, Concealed):
            rest = after if look.place == len(look.round.seats) - 1 else rest
            step = _choice(event, look, after, rest)
        elif event[0] is None:
            step = _outcome(event, look, after)
        else:
            step = _move(event, look, after, "secret" if hidden else "move")
        steps.append(step)
        after = np.array(step.before)
    return steps[::-1]


def _outcome(event: Event, look: Look, after: Chances) -> Step:
    before = look.share * after + look.others if isinstance(look, Drawn) else after
    return _step(event, "chance", before, after, np.zeros_like(after))


def _move(event: Event, look: Look, after: Chances, kind: str) -> Step:
    seat, move = event
    assert seat is not None
    if not isinstance(look, Outdone) or look.lead.chances[seat] <= 0:
        considered, exact = ([], False) if isinstance(look, Drawn | Concealed) else (list(look.considered), look.exact)
        error = look.lead.error if isinstance(look, Outdone) else 0.0
        return _step(
            event, kind, after, after, np.zeros_like(after), best=move, error=error, considered=considered, exact=exact
        )
    before = moved_to(after, look.lead.chances, seat)
    error, loss = look.lead.error, float(before[seat] - after[seat])
    return _step(event, kind, before, after, after - before, best=look.best, loss=loss, error=error, mark=mark_of(loss, error),
                 considered=list(look.considered), exact=look.exact)  # fmt: skip


def _choice(event: Event, look: Concealed, after: Chances, rest: Chances) -> Step:
    """A secret choice. What it gave away is what it was worth less than the mix; those who gained by that are given it. All else is luck."""
    choices, place, seat = look.round, look.place, look.round.seats[look.place]
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
        considered=list(look.considered),
    )


def _step(event: Event, kind: str, before: Chances, after: Chances, gifts: Chances, **more: object) -> Step:
    """Whatever is nobody's error is luck."""
    seat, text = event
    luck = after - before - gifts
    return Step(seat, text, kind, plain(before), plain(after), plain(luck), plain(gifts), **more)  # type: ignore[arg-type]


def plain(values: Chances) -> Shares:
    return tuple(map(float, values))


def moved_to(chances: Chances, lead: Chances, seat: int) -> Chances:
    """Chances with a lead added that is the seat's to have: the others share what is left."""
    own = min(1.0, float(chances[seat] + lead[seat]))
    others = np.maximum(0.0, np.delete(chances + lead, seat))
    shares = others / others.sum() if others.sum() > 0 else np.full(len(others), 1 / len(others))
    return np.insert(shares * (1 - own), seat, own)


def shifted(chances: Chances, change: Chances) -> Chances:
    """Chances after a change that may not be quite possible: nobody has less than none, and all add up to 1."""
    found = np.maximum(0.0, chances + change)
    return np.asarray(found / found.sum())
