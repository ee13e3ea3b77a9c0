"""Both Basari games: reasons for a secret choice: who else wants it, and what it brings."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from souk.core.messages import Message, Seat
from souk.core.reasons import Reason
from souk.games.basari_common.explanations_court import (
    EVERY_COLOUR,
    EXCHANGE,
    GEMS,
    POINTS,
    Court,
    Likely,
    Wishes,
    alone_and_shared,
    colour_name,
    gem_place,
    hope,
    reason,
)
from souk.games.basari_common.rules import MAJORITY_POINTS

Reasons = Iterator[Reason]
WANTS = 0.5  # least share of a choice to say that somebody wants it
_MATTERS = 0.3  # points of difference in how contested two actions are
# What rivals want is guessed from a short search, so it counts less than what is seen. Both are
# rounded from a fit to 175 pairs of choices that a search tells apart.
_BY_CROWD, _BY_DENIAL = 0.5, 0.5


class Choice(NamedTuple):
    """Two actions of a seat, the first of which is to be explained.

    What an action may be expected to bring is its worth times the hope to get it, so a difference
    splits exactly into `crowd` (who else wants it) and `more` (what it brings); `denied` is what
    rivals who want it lose by it.
    """

    court: Court
    seat: int
    action: int
    other: int
    wishes: Wishes
    nouns: Sequence[Message]  # by action: its name as an object, such as "the gems"
    crowd: float
    more: float
    denied: float

    @property
    def is_clear(self) -> bool:
        """Whether the estimate prefers the first."""
        return self.crowd + self.more + self.denied >= self.court.clear

    @property
    def worth_more(self) -> float:
        """How much more the action itself is worth."""
        court = self.court
        return court.worth(self.seat, self.action) - court.worth(self.seat, self.other)

    def wanting(self, action: int) -> list[int]:
        return [rival for rival, mix in self.wishes.items() if mix[action] >= WANTS]


def compare(
    court: Court, seat: int, action: int, other: int, wishes: Wishes, nouns: Sequence[Message]
) -> Choice:
    """Split the difference of what two actions may be expected to bring."""
    hopes = hope(wishes, action), hope(wishes, other)
    worths = court.worth(seat, action), court.worth(seat, other)
    return Choice(
        court,
        seat,
        action,
        other,
        wishes,
        nouns,
        crowd=_BY_CROWD * (hopes[0] - hopes[1]) * sum(worths) / 2,
        more=(worths[0] - worths[1]) * sum(hopes) / 2,
        denied=_BY_DENIAL * (_denied(court, wishes, action) - _denied(court, wishes, other)),
    )


def _denied(court: Court, wishes: Wishes, action: int) -> float:
    """What rivals lose if one more seat chooses an action: a rival alone on it half of it, one of
    two the other half. The exchange is never lost.
    """
    if action == EXCHANGE:
        return 0.0
    lost = 0.0
    for rival, mix in wishes.items():
        others = {other: wish for other, wish in wishes.items() if other != rival}
        lost += (
            0.5 * mix[action] * court.worth(rival, action) * sum(alone_and_shared(others, action))
        )
    return court.edge * lost


def read_wishes(likely: Likely, actions: Sequence[str]) -> Wishes:
    """The shares of choices by move, as lists by action."""
    return {
        rival: [float(mix.get(action, 0.0)) for action in actions] for rival, mix in likely.items()
    }


# ---------------------------------------------------------------- who else wants it


def of_others(choice: Choice) -> Reasons:
    wanted, others = choice.wanting(choice.action), choice.wanting(choice.other)
    noun, other = choice.nouns[choice.action], choice.nouns[choice.other]
    me, crowd = Seat(choice.seat), choice.crowd
    if crowd >= _MATTERS:
        places = [f"seat {rival}" for rival in others]
        if choice.action == EXCHANGE and len(others) >= 2:
            message = Message("basari-common.why.never_lost", action=other)
            yield reason("others", crowd, message.at(*places))
        elif len(others) >= 2 and choice.other != EXCHANGE:
            both = [Seat(rival) for rival in others[:2]]
            message = Message("basari-common.why.crowd", both=both, action=other)
            yield reason("others", crowd, message.at(*places))
        elif len(others) == 1 and not wanted:
            who = Seat(others[0])
            message = Message("basari-common.why.alone", who=who, other=other, me=me, action=noun)
            yield reason("others", crowd, message.at(*places))
        elif _is_less_contested(choice):
            message = Message("basari-common.why.less_contested", action=noun, other=other)
            yield reason("others", crowd, message)
    yield from _of_blocking(choice, wanted)


def _is_less_contested(choice: Choice) -> bool:
    one, other = (
        alone_and_shared(choice.wishes, action)[0] for action in (choice.action, choice.other)
    )
    return one - other >= 0.15


def _of_blocking(choice: Choice, wanted: list[int]) -> Reasons:
    """The leading rival would get the action alone."""
    court, points = choice.court, choice.court.points
    if not choice.wishes or len(wanted) != 1:
        return
    leader = max(choice.wishes, key=lambda rival: points[rival])
    worth = court.worth(leader, choice.action)
    if wanted == [leader] and points[leader] >= points[choice.seat] and worth >= 4:
        action = choice.nouns[choice.action]
        message = Message("basari-common.why.block", who=Seat(leader), action=action)
        yield reason("others", 0.25 * worth, message.at(f"seat {leader}"))


# ---------------------------------------------------------------- what it brings


def of_gems(choice: Choice, points: float) -> Reasons:
    """For the gems: majorities won, shared or secured, and a rival's ended."""
    court, seat = choice.court, choice.seat
    then = court.with_gems({seat: court.shown[seat]})
    now, after = court.majorities(court.gems, seat), court.majorities(then, seat)
    yield of_colours(court, seat, then, points)
    broken = [
        (rival, colour)
        for rival in range(court.players)
        for colour in EVERY_COLOUR
        if rival != seat and court.leads(rival, colour) and colour in after and colour not in now
    ]
    if broken:
        rival, colour = broken[0]
        message = Message(
            "basari-common.why.take_from", who=Seat(rival), colour=colour_name(colour)
        )
        yield reason("colour", 0.9 * points, message.at(gem_place(colour), f"seat {rival}"))


def of_colours(court: Court, seat: int, then: list[list[int]], points: float) -> Reason:
    """The best that more gems do for a seat."""
    now, after = court.majorities(court.gems, seat), court.majorities(then, seat)
    me, held, old = Seat(seat), then[seat], court.gems[seat]
    taken = [c for c in after if after[c] == 1 and now.get(c) != 1]
    tied = [c for c in after if c not in now and c not in taken]
    safer = [c for c in after if after[c] == 1 and now.get(c) == 1 and held[c] > old[c]]
    for key, colours in (("lead_colour", taken), ("tie_colour", tied), ("safe_colour", safer)):
        if colours:
            return _of_a_colour(key, me, colours[0], points)
    short = {c: max(gems[c] for gems in then) - held[c] for c in EVERY_COLOUR if held[c] > old[c]}
    near = [c for c, n in short.items() if n in (1, 2)]
    if near:
        name = colour_name(near[0])
        message = Message("basari-common.why.near_colour", me=me, n=short[near[0]], colour=name)
        return reason("colour", points, message.at(gem_place(near[0])))
    n = sum(held) - sum(old)
    return reason("colour", 0.8 * points, Message("basari-common.why.many_gems", me=me, n=n))


def _of_a_colour(key: str, me: Seat, colour: int, points: float) -> Reason:
    name, n = colour_name(colour), MAJORITY_POINTS[colour]
    if key == "lead_colour":
        message = Message("basari-common.why.lead_colour", me=me, colour=name, n=n)
    elif key == "tie_colour":
        message = Message("basari-common.why.tie_colour", me=me, colour=name, n=n)
    else:
        message = Message("basari-common.why.safe_colour", me=me, colour=name)
    return reason("colour", points, message.at(gem_place(colour)))


def of_points_against_gems(choice: Choice, points: float) -> Reasons:
    court, seat = choice.court, choice.seat
    then = court.with_gems({seat: court.shown[seat]})
    now, after = court.majorities(court.gems, seat), court.majorities(then, seat)
    me, n = Seat(seat), court.arch[seat]
    if not any(after[colour] < now.get(colour, 9) for colour in after):
        message = Message("basari-common.why.gems_idle", me=me, n=n)
        yield reason("points", points, message.at(f"seat {seat}"))
    elif choice.worth_more > 0.3:
        message = Message("basari-common.why.points_more", n=n)
        yield reason("points", points, message.at(f"seat {seat}"))


def of_points_and_gems(choice: Choice, points: float) -> Reasons:
    """What both games share about what an action brings."""
    if choice.action == GEMS:
        yield from of_gems(choice, points)
    if choice.action == POINTS and choice.other == GEMS:
        yield from of_points_against_gems(choice, points)
