"""Facts of both Basari games: revealed choices, haggles, gem transfers, points, majorities.

Gems are counted by colour: red, yellow, green, blue.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from souk.core.facts import Chose, Fact, SeatFact
from souk.core.game_modules import Sources
from souk.core.position import Position
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.notation import Gems, counts
from souk.kernel.rule_clones import Function
from souk.kernel.tracing import Trace, Tracer


class Revealed(Fact, frozen=True):
    """B11, K11: everybody's choice, once all have chosen."""

    choices: list[str]


class Lost(Fact, frozen=True):
    """B15, K16: too many chose an action, so nobody gets it."""

    action: str
    seats: list[int]


class HaggleCalled(Fact, frozen=True):
    """B20, K20: two chose an action and will haggle.

    `opener` is None if a roll decides who opens.
    """

    action: str
    seats: list[int]  # the opener first, once known
    opener: int | None


class Offered(SeatFact, frozen=True):
    """B21, K21: gems were offered."""

    gems: Gems


class HaggleEnded(Fact, frozen=True):
    """B22, K22: one of the two accepted the gems offered, or passed, leaving the action to
    the other.
    """

    action: str
    winner: int  # gets the action
    loser: int  # gets the gems
    gems: Gems
    opener: int


class GemsTaken(SeatFact, frozen=True):
    """B14, K15, K31: gems came from the supply; `wanted` were due but may have been short."""

    gems: Gems
    wanted: Gems


class PointsScored(SeatFact, frozen=True):
    """B12, B13, K14: an action brought points."""

    points: int
    action: str


class MajorityScored(Fact, frozen=True):
    """B32, B33, K41, K42: who was paid for the majority of a colour, how much each, and
    gems returned.
    """

    colour: int
    seats: list[int]
    points: int
    back: list[int]


class BonusScored(SeatFact, frozen=True):
    """B31, K43: points for coming far enough by a scoring."""

    points: int


class ScoringStarted(Fact, frozen=True):
    """B30, K40: a seat has come far enough, so there is a scoring."""

    number: int  # from 1


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


# ---------------------------------------------------------------- tracers


def gained(s: Any, seat: int, before: Gems) -> Gems:
    """Gems a seat has gained since `before`."""
    return [now - then for now, then in zip(held(s, seat), before, strict=True)]


def points_gained(s: Any, before: Sequence[int]) -> dict[int, int]:
    """Points gained by the seats that have more than before."""
    return {
        seat: s.points[seat] - points
        for seat, points in enumerate(before)
        if s.points[seat] > points
    }


def bonuses(kind: type[BonusScored], s: Any, before: Sequence[int]) -> Iterator[BonusScored]:
    """A fact for every seat that has gained points."""
    return (kind(seat, points) for seat, points in points_gained(s, before).items())


def held(s: Any, seat: int) -> Gems:
    return counts(haggling.hand(s, seat))


def seats_in(seats: int) -> list[int]:
    """Members of a bit set of seats, in order."""
    return [seat for seat in range(seats.bit_length()) if seats >> seat & 1]


def _scoring(s: Any, colour: int, returned_alone: int) -> Trace:
    points = list(s.points[: s.players])
    gems = [s.gems[seat, colour] for seat in range(s.players)]
    yield
    paid = points_gained(s, points)
    returned = [gems[seat] - s.gems[seat, colour] for seat in paid]
    yield MajorityScored(colour, [*paid], next(iter(paid.values()), 0), returned)


def tracers(rules: Any, actions: tuple[str, ...]) -> dict[Function, Tracer]:
    """Tracers of the rules both games share; `actions` are the game's action names."""

    def playing(s: Any, seat: int, move: int) -> Trace:
        if s.phase == rules.CHOOSE and len(seats_in(haggling.yet_to_choose(s))) > 1:
            yield Chose(seat)
        yield

    def settling(s: Any, action: int, winner: int) -> Trace:
        if action == 0 and winner == haggling.NONE:
            yield Revealed([actions[choice] for choice in s.choice[: s.players]])
        yield

    def losing(s: Any, action: int) -> Trace:
        yield Lost(actions[action], seats_in(haggling.chose(s, action)))
        yield

    def speaking(s: Any, seat: int, move: int) -> Trace:
        action, opener, offer = s.action, s.opener, s.offer
        winner = yield
        if winner == haggling.NONE:
            yield Offered(seat, counts(move - haggling.OFFER))
        else:
            yield HaggleEnded(
                actions[action],
                winner,
                seat,
                counts(offer if move == haggling.ACCEPT else 0),
                opener,
            )

    return {
        rules.play: playing,
        rules.settle: settling,
        haggling.lose: losing,
        haggling.speak: speaking,
        haggling.score_majority: _scoring,
    }


# ---------------------------------------------------------------- sources of points


def sources(
    start: Position,
    facts: Iterable[Fact],
    *,
    actions: Mapping[str, str],
    bonus: str,
    scoring: str,
    scorings: int,
) -> Sources:
    """By seat: points from actions, the bonus, and the majorities of each scoring.

    `actions` names the source of points that an action brings at once.
    """
    majorities = [f"{scoring}_{number + 1}" for number in range(scorings)]
    by_seat = [
        dict.fromkeys((*actions.values(), bonus, *majorities), 0) for _ in range(start.players)
    ]
    source = ""
    for fact in facts:
        match fact:
            case PointsScored(seat, points, action):
                by_seat[seat][actions[action]] += points
            case ScoringStarted(number):
                source = majorities[number - 1]
            case BonusScored(seat, points):
                by_seat[seat][bonus] += points
            case MajorityScored(_, seats, points):
                for seat in seats:
                    by_seat[seat][source] += points
    return by_seat
