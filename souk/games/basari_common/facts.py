"""What happens in both Basari games alike: choices revealed, haggles, gems that change hands, points, majorities.

Gems are counted by colour: red, yellow, green, blue.
"""

from typing import Any

from souk.core.facts import Chose, Fact, SeatFact
from souk.games.haggling import rules as haggling
from souk.games.haggling.notation import Gems, counts
from souk.kernel.twins import Function
from souk.kernel.watching import Witness, Witnessing


class Revealed(Fact, frozen=True):
    """B11, K11: all have chosen: what, by seat."""

    choices: list[str]


class Lost(Fact, frozen=True):
    """B15, K16: too many have chosen an action, so nobody gets it."""

    action: str
    seats: list[int]


class HaggleCalled(Fact, frozen=True):
    """B20, K20: two have chosen an action, and are to haggle for it. `opener` is None where the dice are to say who opens."""

    action: str
    seats: list[int]  # the opener first, once that is known
    opener: int | None


class Offered(SeatFact, frozen=True):
    """B21, K21: gems were laid on the counter."""

    gems: Gems


class HaggleEnded(Fact, frozen=True):
    """B22, K22: one of the two accepted the gems on the counter, or passed for nothing, and leaves the action to the other."""

    action: str
    winner: int  # of the action
    loser: int  # who gets the gems
    gems: Gems
    opener: int


class GemsTaken(SeatFact, frozen=True):
    """B14, K15, K31: gems came from the supply; `wanted` were to be taken, and there may not have been so many."""

    gems: Gems
    wanted: Gems


class PointsScored(SeatFact, frozen=True):
    """B12, B13, K14: an action brought points."""

    points: int
    action: str


class MajorityScored(Fact, frozen=True):
    """B32, B33, K41, K42: what the most gems of a colour brought: to whom, how much to each, and what each of them gave back."""

    colour: int
    seats: list[int]
    points: int
    back: list[int]


KINDS = (
    Chose,
    Revealed,
    Lost,
    HaggleCalled,
    Offered,
    HaggleEnded,
    GemsTaken,
    PointsScored,
    MajorityScored,
)


# ---------------------------------------------------------------- when they are told


def gained(s: Any, seat: int, before: Gems) -> Gems:
    """The gems that a seat has more than before."""
    return [now - then for now, then in zip(held(s, seat), before, strict=True)]


def held(s: Any, seat: int) -> Gems:
    return counts(haggling.hand(s, seat))


def seats_in(seats: int) -> list[int]:
    """A bit set of seats, in order."""
    return [seat for seat in range(seats.bit_length()) if seats >> seat & 1]


def witnesses(rules: Any, actions: tuple[str, ...]) -> dict[Function, Witness]:
    """The witnesses of what both games have in their rules; `actions` are the names of theirs."""

    def playing(s: Any, seat: int, move: int) -> Witnessing:
        if s.phase == rules.CHOOSE and len(seats_in(haggling.yet_to_choose(s))) > 1:
            yield Chose(seat)
        yield

    def settling(s: Any, action: int, winner: int) -> Witnessing:
        if action == 0 and winner == haggling.NONE:
            yield Revealed([actions[choice] for choice in s.choice[: s.players]])
        yield

    def losing(s: Any, action: int) -> Witnessing:
        yield Lost(actions[action], seats_in(haggling.chose(s, action)))
        yield

    def speaking(s: Any, seat: int, move: int) -> Witnessing:
        action, opener, offer = s.action, s.opener, s.offer
        winner = yield
        if winner == haggling.NONE:
            yield Offered(seat, counts(move - haggling.OFFER))
        else:
            yield HaggleEnded(actions[action], winner, seat, counts(offer if move == haggling.ACCEPT else 0), opener)

    def scoring(s: Any, colour: int) -> Witnessing:
        points = list(s.points[: s.players])
        gems = [s.gems[seat, colour] for seat in range(s.players)]
        yield
        seats = [seat for seat in range(s.players) if s.points[seat] > points[seat]]
        each = s.points[seats[0]] - points[seats[0]] if seats else 0
        yield MajorityScored(colour, seats, each, [gems[seat] - s.gems[seat, colour] for seat in seats])

    return {
        rules.play: playing,
        rules.settle: settling,
        haggling.lose: losing,
        haggling.speak: speaking,
        rules.score_majority: scoring,
    }
