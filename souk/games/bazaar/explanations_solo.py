"""Bazaar solitaire: reasons in chips and trades, ranked by expected actions from the solver."""

from collections.abc import Iterator
from functools import cache

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.bazaar import rules
from souk.games.bazaar.explanations_hands import covers, lacking, size
from souk.games.bazaar.explanations_purchases import reason
from souk.games.bazaar.notation import swaps

MOST_TRADES = 5  # ways longer than this are no longer seen by a person
_DOES = 0.05  # actions that are worth a reason


class Way:
    """Hands that a move leads to, and how far each is from the exact price."""

    def __init__(self, pos: Position, move: str) -> None:
        s = pos.state
        self.price = int(rules.price(s, 0))
        self._swaps = [(swap.gives, swap.gets) for swap in swaps(s)]
        self._pool = int(s.chips[0]) + int(s.bank)
        self.rolls = move == "roll"
        self.hands = _hands_after(pos, move)
        self._missing_now = lacking(int(s.chips[0]), self.price)
        self._trades = cache(self._trades_from)

    @property
    def trades(self) -> int | None:
        """Trades to the exact price, without luck; None if too many or after a roll."""
        return None if self.rolls else self._trades(self.hands[0])

    @property
    def missing(self) -> float:
        return sum(lacking(hand, self.price) for hand in self.hands) / len(self.hands)

    @property
    def surplus(self) -> float:
        """Chips that the card has no use for."""
        return self.missing + sum(map(size, self.hands)) / len(self.hands) - rules.PRICE

    @property
    def faces(self) -> int:
        """Faces of the next roll that complete the price, Choice among them."""
        hand = self.hands[0]
        if self.rolls or size(hand) != rules.PRICE - 1:
            return 0
        return 2 if lacking(hand, self.price) == 1 else 0

    @property
    def near_faces(self) -> int:
        """Faces of this roll after which at most one trade is missing."""
        ends = [self._trades(hand) for hand in self.hands] if self.rolls else []
        near = sum(trades is not None and trades <= 1 for trades in ends)
        return near + (near > 0)  # and Choice

    @property
    def may_help(self) -> bool:
        """Whether some hand is nearer to the price in chips than now."""
        return any(lacking(hand, self.price) < self._missing_now for hand in self.hands)

    def _trades_from(self, hand: int) -> int | None:
        seen, layer = {hand}, [hand]
        for trades in range(MOST_TRADES + 1):
            if self.price in layer:
                return trades
            layer = [then for one in layer for then in self._after_trades(one) if then not in seen]
            seen.update(layer)
            layer = list(dict.fromkeys(layer))
        return None

    def _after_trades(self, hand: int) -> Iterator[int]:
        for gives, gets in self._swaps:
            if covers(hand, gives) and covers(self._pool - hand, gets):
                then = hand - gives + gets
                if size(then) <= rules.LIMIT:
                    yield then


def _hands_after(pos: Position, move: str) -> list[int]:
    """One hand, or one for every colour of the die."""
    after = pos.copy()
    after.play(0, move)
    if after.state.phase != rules.DIE:
        return [int(after.state.chips[0])]
    hand, bank = int(pos.state.chips[0]), int(pos.state.bank)
    chips = [rules.chip(colour) for colour in range(rules.COLOURS)]
    if size(hand) >= rules.LIMIT:
        return [hand]
    return [hand + chip for chip in chips if covers(bank, chip)]


def compare_alone(pos: Position, better: str, other: str) -> list[Reason]:
    """Reasons in solitaire; none for cards that the solver does not know."""
    scores = {move: score for move, _, score in pos.game.heuristics.exact_moves(pos)}
    if not scores:
        return []
    saved = scores[other] - scores[better]
    return [] if saved < _DOES else list(_reasons(pos, better, other, saved))


def _reasons(pos: Position, better: str, other: str, saved: float) -> Iterator[Reason]:
    me, bought = Seat(0), pos.copy()
    bought.play(0, better)
    if bought.over or bought.state.phase == rules.BUY:
        yield reason("road", saved, Message("bazaar.why.solo_exact").at("stall 1"))
        return
    if pos.state.phase == rules.BUY:
        return
    one, two = Way(pos, better), Way(pos, other)
    yield from _of_trades(one, two, saved)
    yield from _of_chips(one, two, saved, me)
    if one.faces > two.faces:
        message = Message("bazaar.why.solo_faces", me=me, n=one.faces)
        yield reason("luck", 0.7 * saved, message.at("stall 1"))
    if one.near_faces and two.trades is None and not two.rolls:
        message = Message("bazaar.why.solo_roll", me=me, n=one.near_faces)
        yield reason("luck", 0.8 * saved, message.at("stall 1"))
    if two.rolls and size(int(pos.state.chips[0])) >= rules.LIMIT:
        yield reason("chips", saved, Message("bazaar.why.full", me=me))


def _of_trades(one: Way, two: Way, saved: float) -> Iterator[Reason]:
    if one.trades is None or (two.rolls and one.trades > 2):
        return
    if two.trades is None:
        message = Message("bazaar.why.solo_reach", n=one.trades).at("stall 1")
        yield reason("road", saved, message)
    elif one.trades < two.trades:
        message = Message("bazaar.why.solo_nearer", n=one.trades, m=two.trades).at("stall 1")
        yield reason("road", saved, message)


def _of_chips(one: Way, two: Way, saved: float, me: Seat) -> Iterator[Reason]:
    fewer, less = two.missing - one.missing, two.surplus - one.surplus
    if fewer >= 0.5 and not one.rolls:
        message = Message("bazaar.why.solo_closer", me=me, n=round(one.missing)).at("stall 1")
        yield reason("road", 0.9 * saved, message)
    if less >= 0.5 and not one.rolls:
        message = Message("bazaar.why.solo_surplus", n=round(one.surplus)).at("seat 0")
        yield reason("chips", 0.8 * saved, message)
    if one.rolls and fewer > 0 and one.may_help:
        yield reason("chips", 0.6 * saved, Message("bazaar.why.solo_adds", me=me).at("seat 0"))
