"""Board display shared by both Basari games: majorities, what they would pay, and moves in a
haggle.

Scoring, handing over and carrying out are done by the rules themselves, on copies.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from souk.core.facts import Fact
from souk.core.game import Game
from souk.core.position import Position
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.facts import MajorityScored
from souk.games.basari_common.notation import GEM_NAMES, Gems, counts, haggle_move_text
from souk.kernel.bitset import count
from souk.kernel.interpreter import fast_rule
from souk.kernel.rule_clones import Function
from souk.kernel.state import field_overwriter

_begin_haggle, _speak = fast_rule(haggling.begin_haggle), fast_rule(haggling.speak)
_MORE = (1, 2)  # how many gems the larger raises add to the current offer


class HagglingBox(msgspec.Struct, kw_only=True):
    # highest rank first
    colours: list[str] = msgspec.field(default_factory=lambda: list(GEM_NAMES))
    # points for the majority of each colour
    majority: list[int] = msgspec.field(default_factory=lambda: list(haggling.MAJORITY_POINTS))


class Payout(msgspec.Struct, array_like=True):
    """What a colour would pay at a scoring: to whom, and how much each.

    An array on the wire, as every message carries four.
    """

    seats: list[int]
    points: int


class Brings(msgspec.Struct):
    """What the actions for points and for gems would bring a seat."""

    points: int
    gems: Gems


class Deal(msgspec.Struct, omit_defaults=True):
    """A move that ends a haggle, or would if accepted, and its consequences."""

    move: str
    winner: int  # gets the action; what it brings is in `stakes`
    loser: int  # gets the gems
    gems: Gems
    # What a scoring would then bring the viewing seat, if any.
    scoring: int | None = None


class HagglingScene(msgspec.Struct, omit_defaults=True):
    most: list[Payout] = []  # by colour
    scoring: list[int] = []  # by seat: points a scoring would bring now
    lost: list[str] = []  # actions of the revealed choices that too many have chosen
    brings: Brings | None = None  # for the viewing seat
    # What the action at stake would bring the opener and the other, if known.
    stakes: list[int | Gems] = []
    deals: list[Deal] = []  # for the seat to speak: stopping, and some raises, cheapest first
    # For everybody else: the consequences of accepting the current offer.
    on_counter: Deal | None = None
    # For everybody: the speaker's options, i.e. stopping if allowed, and the cheapest raise.
    may_say: list[str] = []


class Prospects:
    """What a scoring, the actions and a haggle's deals would bring now, by the game's own rules."""

    def __init__(
        self,
        rules: Any,
        actions: tuple[str, ...],
        points: int,
        gems: int,
        scoring: tuple[Function, ...],
        free_to_pass: bool,
    ) -> None:
        """`points` and `gems`: the actions that bring these; `scoring`: the rules a scoring
        runs.
        """
        self.rules, self.actions, self.points, self.gems = rules, actions, points, gems
        self.scoring, self.free_to_pass = tuple(map(fast_rule, scoring)), free_to_pass
        self._carry_out = fast_rule(rules.carry_out)
        self._told_scoring = scoring
        haggle = {
            "choice": haggling.NONE,
            "action": haggling.NONE,
            "opener": haggling.NONE,
            "other": haggling.NONE,
        }
        # Cache key: a state stripped of what does not affect points and gems (choices, of which
        # each seat sees different ones, and the haggle). It stays the same through many events and
        # for all viewers.
        self.what_counts = field_overwriter(
            rules.STATE, **haggle, turn=haggling.NONE, offer=0, phase=rules.CHOOSE
        )

    def show(self, scene: HagglingScene, pos: Position, seat: int, has_place: bool) -> None:
        """Add the prospects to what a seat is shown.

        `has_place`: its actions would bring something.
        """
        s, bare = pos.state, self.what_counts(pos.packed)
        scene.most, scene.scoring = _scored(pos.game, self._told_scoring, bare)
        scene.lost = self._lost(s)
        if has_place:
            scene.brings = self._brought(pos.game, bare, seat)
        if s.opener != haggling.NONE:
            scene.stakes = self._stakes(pos, bare)
            if s.turn != haggling.NONE:  # otherwise the opener is not known yet
                scene.deals = self._deals(pos, seat, bare)
                scene.on_counter = self._on_counter(pos, seat, bare)
                scene.may_say = may_say(pos)

    def in_passing(self, pos: Position) -> HagglingScene | None:
        """Revealed choices are cleared in the end, and lost actions with them."""
        lost = self._lost(pos.state)
        return HagglingScene(lost=lost) if lost else None

    def _brought(self, game: Game, bare: bytes, seat: int) -> Brings:
        """What the actions for points and for gems would bring a seat."""
        return _brought(game, self._carry_out, (self.points, self.gems), seat, bare)

    def stakes(self, pos: Position) -> list[int | Gems]:
        """What the action at stake would bring the opener and the other, if known."""
        return self._stakes(pos, self.what_counts(pos.packed))

    def _stakes(self, pos: Position, bare: bytes) -> list[int | Gems]:
        s = pos.state
        both = [self._brought(pos.game, bare, seat) for seat in (s.opener, s.other)]
        if s.action == self.points:
            return [brings.points for brings in both]
        return [brings.gems for brings in both] if s.action == self.gems else []

    def _lost(self, s: Any) -> list[str]:
        """Actions of the revealed choices that too many have chosen."""
        if s.action == haggling.NONE:
            return []
        chosen = (count(haggling.chose(s, action)) for action in range(len(self.actions)))
        return [
            self.actions[action]
            for action, seats in enumerate(chosen)
            if self.rules.is_lost(action, seats)
        ]

    def _deals(self, pos: Position, seat: int, bare: bytes) -> list[Deal]:
        """The moves of the seat to speak, each with its consequences if it ended the haggle."""
        s = pos.state
        if s.turn != seat:
            return []
        stop = haggling.may_stop(s, seat, self.free_to_pass)
        moves = [*([stop] if stop else []), *(haggling.OFFER + offer for offer in raises(s, seat))]
        return [self._deal(pos.game, s, move, seat, bare) for move in moves]

    def _on_counter(self, pos: Position, seat: int, bare: bytes) -> Deal | None:
        """For everybody but the speaker: the consequences of accepting the current offer."""
        s = pos.state
        return (
            self._deal(pos.game, s, haggling.ACCEPT, seat, bare)
            if s.offer and s.turn != seat
            else None
        )

    def deal(self, game: Game, s: Any, move: int, seat: int) -> Deal:
        """Consequences of a move once it has ended the haggle (an offer: once accepted), as
        `seat` sees them.
        """
        return self._deal(game, s, move, seat, self.what_counts(s.raw))

    def _deal(self, game: Game, s: Any, move: int, seat: int, bare: bytes) -> Deal:
        raised = move >= haggling.OFFER
        last, offer = (
            (haggling.partner(s, s.turn), move - haggling.OFFER) if raised else (s.turn, s.offer)
        )
        haggle = s.action, s.opener, s.other, last, offer
        winner, scoring = _dealt(game, self._carry_out, self.scoring, haggle, bare)
        return Deal(
            haggle_move_text(move),
            winner,
            last,
            counts(offer),
            scoring[seat] if seat >= 0 else None,
        )


def may_say(pos: Position) -> list[str]:
    """The speaker's options: stopping if allowed, and the cheapest raise."""
    return [haggle_move_text(move) for move in pos.move_codes(pos.state.turn, 2)]


@lru_cache(maxsize=2048)
def _brought(
    game: Game, carry_out: Function, actions: tuple[int, int], seat: int, state: bytes
) -> Brings:
    """What an action for points and one for gems bring a seat. Neither affects the other."""
    s: Any = game.fast_state(bytearray(state))
    points, held = s.points[seat], s.gems.tolist()[seat]
    for action in actions:
        carry_out(s, action, seat)
    now: Gems = s.gems.tolist()[seat]
    return Brings(
        s.points[seat] - points, [more - less for more, less in zip(now, held, strict=True)]
    )


@lru_cache(maxsize=4096)
def _dealt(
    game: Game,
    carry_out: Function,
    scoring: tuple[Function, ...],
    haggle: tuple[int, int, int, int, int],
    state: bytes,
) -> tuple[int, list[int]]:
    """Who carries out an action after `last` accepts an offer (or passes), and what a scoring
    then brings each seat.

    Cached: players return to the same offers, and every seat is shown them.
    """
    s: Any = game.fast_state(bytearray(state))
    action, opener, other, last, offer = haggle
    _begin_haggle(s, opener, other)
    s.offer = offer
    winner: int = _speak(s, last, haggling.ACCEPT if offer else haggling.PASS)
    carry_out(s, action, winner)
    return winner, gains(scoring, s)


@lru_cache(maxsize=1024)
def _scored(
    game: Game, scoring: tuple[Function, ...], state: bytes
) -> tuple[list[Payout], list[int]]:
    """Majority payouts, and the points of a scoring by seat.

    Cached, as every seat is shown the same.
    """
    before: Any = game.fast_state(bytearray(state))
    then, facts = _told(game, state, scoring)
    payouts = [
        Payout(fact.seats, fact.points) for fact in facts if isinstance(fact, MajorityScored)
    ]
    return payouts, [then.points[seat] - before.points[seat] for seat in range(before.players)]


def _told(game: Game, state: bytes, rules: tuple[Function, ...]) -> tuple[Any, list[Fact]]:
    """The state after some rules, and the facts."""
    s: Any = game.fast_state(bytearray(state))
    facts: list[Fact] = []
    s.listener = facts.append
    for rule in rules:
        game.traced_rules.rule(rule)(s)
    return s, facts


def gains(scoring: Sequence[Function], s: Any) -> list[int]:
    """Points a scoring brings, by seat."""
    scored: Any = s.copy()
    for rule in scoring:
        rule(scored)
    return [scored.points[seat] - s.points[seat] for seat in range(s.players)]


def raises(s: Any, seat: int) -> list[int]:
    """A few of a seat's raises: the cheapest, the next one, and the lowest with more gems."""
    held = haggling.hand(s, seat)
    cheapest = haggling.next_offer(held, s.offer)
    offers = {cheapest, haggling.next_offer(held, cheapest) if cheapest else 0}
    for more in _MORE:
        n = haggling.size(s.offer) + more
        if n <= haggling.size(held):
            offers.add(haggling.lowest_offer(held, n, 0))
    return sorted(offers - {0}, key=lambda offer: (haggling.size(offer), offer))
