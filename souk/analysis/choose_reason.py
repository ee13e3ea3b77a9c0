"""The one sentence about two moves: first the search's verdict, then the reason that weighs most.

Nearly every move has something to be said for it, so no reason is given for moves that the search
calls equal, nor one that weighs much less than what speaks for the other move.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from souk.core.messages import Message
from souk.core.position import Position
from souk.core.reasons import Reason

# By seat, for a secret choice: how likely each of its moves is.
Likely = Mapping[int, Mapping[str, float]]

# A verdict needs this lead in win chance (alone: in actions), and this many standard errors.
LEAD, LEAD_ALONE, SURE = 0.015, 0.2, 2.5
# Reasons worth a sentence, in win chance, and their share of what speaks for the other move.
_LEAST, _LEAST_SHARE = 0.004, 0.7
_CONCEDED = 0.006  # or, if less than that share, with a concession
_CLOSE = 0.8  # reasons with this share of the largest compete by how specific they are
_FAR_AHEAD = 0.05  # a lead that is called clear, if no reason holds


class Chosen(NamedTuple):
    """The reason to be said, and whether more speaks for the other move."""

    reason: Reason
    concedes: bool


class Comparison(NamedTuple):
    """What is to be said about a move and another one.

    Attributes:
        equal: the search finds no difference, so neither is better.
        sentence: the reason, or that none is simple; None where nothing is known.
        reason: whether `sentence` is one that holds on the board.
        key: of the reason, to say another next time; "" for none.
        further: a second reason, of another cause.
    """

    equal: bool
    sentence: Message | None = None
    reason: bool = False
    key: str = ""
    further: Message | None = None


def is_clear(lead: float, error: float, *, alone: bool = False) -> bool:
    """Whether a lead is large and sure enough to call one move better."""
    return lead >= (LEAD_ALONE if alone else LEAD) and lead >= SURE * error


def compare(
    view: Position,
    seat: int,
    better: str,
    other: str,
    lead: float,
    error: float,
    said: Collection[str] = (),
) -> Comparison:
    """Compare two legal moves by what the seat sees.

    `lead` is what `better` is ahead by in win chance, or in actions alone. `said` are the keys of
    the last few reasons, which are not repeated where another is as good.
    """
    alone = view.players == 1
    if not is_clear(lead, error, alone=alone):
        return Comparison(equal=True)
    found = chosen(view, seat, better, other, said)
    if not found:
        return Comparison(False, _without_reason(lead, alone=alone))
    reason, concedes = found[0]
    sentence = Message("lead_in.concession", why=reason.message) if concedes else reason.message
    sentence.at(*reason.message.about)
    further = found[1].reason.message if len(found) > 1 else None
    return Comparison(False, sentence, reason=True, key=reason.key, further=further)


def chosen(
    view: Position,
    seat: int,
    better: str,
    other: str,
    said: Collection[str] = (),
    likely: Likely | None = None,
) -> list[Chosen]:
    """The reasons to be said for one move against another, the main one first.

    `likely` is how likely the moves of others are that choose secretly at the same time.
    """
    explanations = view.game.explanations
    # Only games with secret choices take it.
    more = (likely,) if likely else ()
    for_better = explanations.compare(view, seat, better, other, *more)
    for_other = explanations.compare(view, seat, other, better, *more)
    return choose(for_better, for_other, explanations.POINT, said)


def choose(
    for_better: Sequence[Reason],
    for_other: Sequence[Reason],
    point: float,
    said: Collection[str] = (),
) -> list[Chosen]:
    """At most two reasons of different families: ends of games first, then by weight.

    Among reasons of nearly the same weight, one not said lately goes first, then the more specific.
    """
    told_of_other = [reason.message for reason in for_other]
    rest = [reason for reason in for_better if reason.message not in told_of_other]
    against = point * max((reason.points for reason in for_other), default=0.0)
    found: list[Chosen] = []
    while rest and len(found) < 2:
        reason = _first(rest, said)
        rest = [each for each in rest if each.family != reason.family]
        weight = point * reason.points
        if reason.last or weight >= max(_LEAST, _LEAST_SHARE * against):
            found.append(Chosen(reason, concedes=False))
        elif weight >= _CONCEDED and not found:
            found.append(Chosen(reason, concedes=True))
    return found


def _first(reasons: Sequence[Reason], said: Collection[str]) -> Reason:
    last = [reason for reason in reasons if reason.last] or reasons
    most = max(reason.points for reason in last)
    close = [reason for reason in last if reason.points >= _CLOSE * most]
    # They are in order of specificity, which `min` keeps.
    return min(close, key=lambda reason: reason.key in said)


def _without_reason(lead: float, *, alone: bool) -> Message:
    if lead >= (2 * LEAD_ALONE if alone else _FAR_AHEAD):
        return Message("lead_in.further_ahead")
    return Message("lead_in.slightly")
