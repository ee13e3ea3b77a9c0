"""What both Basari games show at a table: who holds the majorities and what they would bring, and what may be said in a haggle.

Nothing is reckoned here that the rules reckon: they score, hand over and carry out on copies, and tell what that brings.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from souk.core.facts import Fact
from souk.core.game import Game
from souk.core.position import Position
from souk.games.haggling import rules as haggling
from souk.games.haggling.facts import GemsTaken, MajorityScored, PointsScored
from souk.games.haggling.notation import GEM_NAMES, Gems, haggle_move_text
from souk.kernel.bits import count
from souk.kernel.twins import Function

_MORE = (1, 2)  # by how many gems the larger raises are higher than what lies on the table


class HagglingBox(msgspec.Struct, kw_only=True):
    colours: list[str] = msgspec.field(default_factory=lambda: list(GEM_NAMES))  # from the highest to the lowest
    majority: list[int] = msgspec.field(
        default_factory=lambda: list(haggling.MAJORITY_POINTS)
    )  # what the most of each is worth


class Payout(msgspec.Struct, array_like=True):
    """What a colour would bring at a scoring: to whom, and how much to each. Every message has four of them, so they are short."""

    seats: list[int]
    points: int


class Brings(msgspec.Struct):
    """What the actions for points and for gems would bring a seat."""

    points: int
    gems: Gems


class Deal(msgspec.Struct):
    """A move that ends a haggle, or would if it were accepted, and what a scoring would then bring."""

    move: str
    scoring: int


class HagglingScene(msgspec.Struct, omit_defaults=True):
    most: list[Payout] = []  # by colour
    scoring: list[int] = []  # by seat: all that a scoring would bring now
    lost: list[str] = []  # of the choices that lie open: the actions that too many have chosen
    brings: Brings | None = None  # for a seat of one's own
    stakes: list[
        int | Gems
    ] = []  # what the action they haggle for would bring the opener and the other, where that is known
    deals: list[Deal] = []  # for whoever is to speak: to stop, and some raises from the cheapest on
    may_say: list[
        str
    ] = []  # by whoever is to speak, for all to see: to stop, where that may be, and the cheapest raise


def brought(pos: Position, seat: int, carry_out: Function, points: int, gems: int) -> Brings:
    """What two actions, the one for points and the one for gems, would bring a seat."""
    found = Brings(0, [0] * haggling.COLOURS)
    for action in (points, gems):
        for fact in pos.game.trial(pos.state, carry_out, action, seat)[1]:
            match fact:
                case PointsScored(_, n):
                    found.points = n
                case GemsTaken(_, taken):
                    found.gems = taken
    return found


def stakes(pos: Position, carry_out: Function, points: int, gems: int) -> list[int | Gems]:
    """What the action they haggle for would bring the opener and the other, where that is known."""
    s = pos.state
    both = [brought(pos, seat, carry_out, points, gems) for seat in (s.opener, s.other)]
    if s.action == points:
        return [each.points for each in both]
    return [each.gems for each in both] if s.action == gems else []


def may_say(pos: Position) -> list[str]:
    """What whoever is to speak may say: to stop, where that may be, and the cheapest raise."""
    return [haggle_move_text(move) for move in pos.move_codes(pos.state.turn, 2)]


def lost(s: Any, actions: Sequence[str], is_lost: Function) -> list[str]:
    """Of the choices that lie open, the actions that are not settled at all, because too many have chosen them."""
    if s.action == haggling.NONE:
        return []
    return [text for action, text in enumerate(actions) if is_lost(action, count(haggling.chose(s, action)))]


class Scorer:
    """What a scoring would bring if it came now: `scoring` are the rules that it consists of."""

    def __init__(self, game: Game, scoring: tuple[Function, ...], carry_out: Function) -> None:
        self.game, self.scoring, self.carry_out = game, scoring, carry_out

    def show(self, scene: HagglingScene, s: Any) -> None:
        """What everybody is shown."""
        open_to_all = self.game.state(s.array.copy())
        haggling.forget_choices(open_to_all)  # of which each seat sees another part, and which change nothing here
        scene.most, scene.scoring = _scored(self.game, self.scoring, open_to_all.array.tobytes())

    def deals(self, s: Any, seat: int, free_to_pass: bool) -> list[Deal]:
        """For the seat that is to speak: moves that it may make, each with what a scoring would bring it were the haggle to end so."""
        if s.opener == haggling.NONE or s.turn != seat:
            return []
        stop = haggling.may_stop(s, seat, free_to_pass)
        moves = [*([stop] if stop else []), *(haggling.OFFER + offer for offer in raises(s, seat))]
        return [Deal(haggle_move_text(move), self._scoring_then(s, seat, move)) for move in moves]

    def _scoring_then(self, s: Any, seat: int, move: int) -> int:
        """What a scoring would bring a seat once its move has ended the haggle: an offer by being accepted."""
        then, action, last = self.game.state(s.array.copy()), s.action, seat
        if move >= haggling.OFFER:
            haggling.speak(then, seat, move)
            last, move = haggling.partner(s, seat), haggling.ACCEPT
        winner = haggling.speak(then, last, move)
        self.carry_out(then, action, winner)
        return _gains(self.game, self.scoring, then)[seat]


@lru_cache(maxsize=256)
def _scored(game: Game, scoring: tuple[Function, ...], state: bytes) -> tuple[list[Payout], list[int]]:
    """The same is shown to every seat at a table, one after the other: it is worked out once."""
    s = game.state(game.read(state))
    payouts: list[Payout] = []
    for fact in _facts(game, scoring, s):
        if isinstance(fact, MajorityScored):
            payouts.append(Payout(fact.seats, fact.points))
    return payouts, _gains(game, scoring, s)


def _facts(game: Game, scoring: Sequence[Function], s: Any) -> list[Fact]:
    found: list[Fact] = []
    for rule in scoring:
        s, facts = game.trial(s, rule)
        found += facts
    return found


def _gains(game: Game, scoring: Sequence[Function], s: Any) -> list[int]:
    """By seat, the points that a scoring brings."""
    scored: Any = game.state(s.array.copy())
    for rule in scoring:
        rule(scored)
    return [scored.points[seat] - s.points[seat] for seat in range(s.players)]


def raises(s: Any, seat: int) -> list[int]:
    """A few offers a seat may make, from the lowest: the cheapest raise, the one after it, and the lowest with more gems."""
    held = haggling.hand(s, seat)
    cheapest = haggling.next_offer(held, s.offer)
    found = {cheapest, haggling.next_offer(held, cheapest) if cheapest else 0}
    for more in _MORE:
        n = haggling.size(s.offer) + more
        if n <= haggling.size(held):
            found.add(haggling.lowest_offer(held, n, 0))
    return sorted(found - {0}, key=lambda offer: (haggling.size(offer), offer))
