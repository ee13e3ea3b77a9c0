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
from souk.games.haggling.facts import MajorityScored
from souk.games.haggling.notation import GEM_NAMES, Gems, counts, haggle_move_text
from souk.kernel.bits import count
from souk.kernel.interpreting import quick
from souk.kernel.state import forgetting
from souk.kernel.twins import Function

_begin_haggle, _speak = quick(haggling.begin_haggle), quick(haggling.speak)
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


class Deal(msgspec.Struct, omit_defaults=True):
    """A move that ends a haggle, or would if it were accepted, and what comes of it."""

    move: str
    winner: int  # of the action: what that brings is among the stakes
    loser: int  # who gets the gems instead
    gems: Gems
    scoring: int | None = None  # what a scoring would then bring the seat that looks on, if it is one


class HagglingScene(msgspec.Struct, omit_defaults=True):
    most: list[Payout] = []  # by colour
    scoring: list[int] = []  # by seat: all that a scoring would bring now
    lost: list[str] = []  # of the choices that lie open: the actions that too many have chosen
    brings: Brings | None = None  # for a seat of one's own
    stakes: list[
        int | Gems
    ] = []  # what the action they haggle for would bring the opener and the other, where that is known
    deals: list[Deal] = []  # for whoever is to speak: to stop, and some raises from the cheapest on
    on_counter: Deal | None = None  # for all others: what comes of the offer that lies there if it is accepted
    may_say: list[
        str
    ] = []  # by whoever is to speak, for all to see: to stop, where that may be, and the cheapest raise


class Prospects:
    """What a scoring, the actions and the deals of a haggle would bring now, by a game's own rules."""

    def __init__(
        self,
        rules: Any,
        actions: tuple[str, ...],
        points: int,
        gems: int,
        scoring: tuple[Function, ...],
        free_to_pass: bool,
    ) -> None:
        """`points` and `gems` are the actions for them, `scoring` the rules that a scoring consists of."""
        self.rules, self.actions, self.points, self.gems = rules, actions, points, gems
        self.scoring, self.free_to_pass = tuple(map(quick, scoring)), free_to_pass
        self._carry_out = quick(rules.carry_out)
        self._told_scoring = scoring
        haggle = {"choice": haggling.NONE, "action": haggling.NONE, "opener": haggling.NONE, "other": haggling.NONE}
        # A state without what changes nothing about its points and gems: choices, of which each seat sees another part, and the haggle. So it is the same
        # through many events, and for all who look on.
        self.what_counts = forgetting(rules.STATE, **haggle, turn=haggling.NONE, offer=0, phase=rules.CHOOSE)

    def show(self, scene: HagglingScene, pos: Position, seat: int, has_place: bool) -> None:
        """Add them to a scene that a seat is shown. `has_place`: whether its actions would bring it anything yet."""
        s, bare = pos.state, self.what_counts(pos.packed)
        scene.most, scene.scoring = _scored(pos.game, self._told_scoring, bare)
        scene.lost = self._lost(s)
        if has_place:
            scene.brings = self._brought(pos.game, bare, seat)
        if s.opener != haggling.NONE:
            scene.stakes = self._stakes(pos, bare)
            if s.turn != haggling.NONE:  # else it is not known yet who opens
                scene.deals = self._deals(pos, seat, bare)
                scene.on_counter = self._on_counter(pos, seat, bare)
                scene.may_say = may_say(pos)

    def in_passing(self, pos: Position) -> HagglingScene | None:
        """Choices that lie open are put away in the end, and with them what was lost."""
        lost = self._lost(pos.state)
        return HagglingScene(lost=lost) if lost else None

    def _brought(self, game: Game, bare: bytes, seat: int) -> Brings:
        """What two actions, the one for points and the one for gems, would bring a seat."""
        return _brought(game, self._carry_out, (self.points, self.gems), seat, bare)

    def stakes(self, pos: Position) -> list[int | Gems]:
        """What the action they haggle for would bring the opener and the other, where that is known."""
        return self._stakes(pos, self.what_counts(pos.packed))

    def _stakes(self, pos: Position, bare: bytes) -> list[int | Gems]:
        s = pos.state
        both = [self._brought(pos.game, bare, seat) for seat in (s.opener, s.other)]
        if s.action == self.points:
            return [each.points for each in both]
        return [each.gems for each in both] if s.action == self.gems else []

    def _lost(self, s: Any) -> list[str]:
        """Of the choices that lie open, the actions that are not settled at all, because too many have chosen them."""
        if s.action == haggling.NONE:
            return []
        chosen = (count(haggling.chose(s, action)) for action in range(len(self.actions)))
        return [self.actions[action] for action, seats in enumerate(chosen) if self.rules.is_lost(action, seats)]

    def _deals(self, pos: Position, seat: int, bare: bytes) -> list[Deal]:
        """For the seat that is to speak: moves that it may make, each with what comes of it were the haggle to end so."""
        s = pos.state
        if s.turn != seat:
            return []
        stop = haggling.may_stop(s, seat, self.free_to_pass)
        moves = [*([stop] if stop else []), *(haggling.OFFER + offer for offer in raises(s, seat))]
        return [self._deal(pos.game, s, move, seat, bare) for move in moves]

    def _on_counter(self, pos: Position, seat: int, bare: bytes) -> Deal | None:
        """For all but the seat that is to speak: what comes of the offer that lies there if it is accepted."""
        s = pos.state
        return self._deal(pos.game, s, haggling.ACCEPT, seat, bare) if s.offer and s.turn != seat else None

    def deal(self, game: Game, s: Any, move: int, seat: int) -> Deal:
        """What comes of a move once it has ended the haggle, an offer by being accepted; with a scoring as `seat` would see it."""
        return self._deal(game, s, move, seat, self.what_counts(s.raw))

    def _deal(self, game: Game, s: Any, move: int, seat: int, bare: bytes) -> Deal:
        raised = move >= haggling.OFFER
        last, offer = (haggling.partner(s, s.turn), move - haggling.OFFER) if raised else (s.turn, s.offer)
        haggle = s.action, s.opener, s.other, last, offer
        winner, scoring = _dealt(game, self._carry_out, self.scoring, haggle, bare)
        return Deal(haggle_move_text(move), winner, last, counts(offer), scoring[seat] if seat >= 0 else None)


def may_say(pos: Position) -> list[str]:
    """What whoever is to speak may say: to stop, where that may be, and the cheapest raise."""
    return [haggle_move_text(move) for move in pos.move_codes(pos.state.turn, 2)]


@lru_cache(maxsize=2048)
def _brought(game: Game, carry_out: Function, actions: tuple[int, int], seat: int, state: bytes) -> Brings:
    """What an action for points and one for gems bring a seat: neither makes a difference to the other."""
    s: Any = game.quick_state(bytearray(state))
    points, held = s.points[seat], s.gems.tolist()[seat]
    for action in actions:
        carry_out(s, action, seat)
    now: Gems = s.gems.tolist()[seat]
    return Brings(s.points[seat] - points, [more - less for more, less in zip(now, held, strict=True)])


@lru_cache(maxsize=4096)
def _dealt(
    game: Game,
    carry_out: Function,
    scoring: tuple[Function, ...],
    haggle: tuple[int, int, int, int, int],
    state: bytes,
) -> tuple[int, list[int]]:
    """Who carries an action out once `last` has accepted an offer, or passed where it is nothing; and by seat what a scoring then brings. Two who haggle come
    to the same offers again and again, and all look on."""
    s: Any = game.quick_state(bytearray(state))
    action, opener, other, last, offer = haggle
    _begin_haggle(s, opener, other)
    s.offer = offer
    winner: int = _speak(s, last, haggling.ACCEPT if offer else haggling.PASS)
    carry_out(s, action, winner)
    return winner, gains(scoring, s)


@lru_cache(maxsize=1024)
def _scored(game: Game, scoring: tuple[Function, ...], state: bytes) -> tuple[list[Payout], list[int]]:
    """The same is shown to every seat at a table, one after the other: it is worked out once."""
    before: Any = game.quick_state(bytearray(state))
    then, facts = _told(game, state, scoring)
    payouts = [Payout(fact.seats, fact.points) for fact in facts if isinstance(fact, MajorityScored)]
    return payouts, [then.points[seat] - before.points[seat] for seat in range(before.players)]


def _told(game: Game, state: bytes, rules: tuple[Function, ...]) -> tuple[Any, list[Fact]]:
    """What comes of a state by some rules, and the facts."""
    s: Any = game.quick_state(bytearray(state))
    facts: list[Fact] = []
    s.listener = facts.append
    for rule in rules:
        game.watched.rule(rule)(s)
    return s, facts


def gains(scoring: Sequence[Function], s: Any) -> list[int]:
    """By seat, the points that a scoring brings."""
    scored: Any = s.copy()
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
