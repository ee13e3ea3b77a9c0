"""Bazaar: where a roll, a trade, a chip taken or a purchase leads, for explanations."""

from typing import NamedTuple

from souk.core.position import Position
from souk.games.bazaar import rules
from souk.games.bazaar.explanations_hands import Buys, Market, Plan, Sale, lacking, size
from souk.games.bazaar.notation import Swap, stalls_of


class Outcome(NamedTuple):
    """A hand when it comes to buying: the best purchase, or the chips kept."""

    hand: int  # afterwards
    sale: Sale | None
    could: Buys  # what it could buy, even where it had better not
    value: float

    @property
    def points(self) -> int:
        return self.sale.points if self.sale else 0


class Prospect:
    """What a move of a seat leads to: one outcome, or six after a roll."""

    def __init__(self, market: Market, seat: int, code: int) -> None:
        self.market, self.seat, self.code = market, seat, code
        hand = market.hands[seat]
        self.rolls = code == rules.ROLL
        self.buys_now = rules.BUY_ONE <= code < rules.DONE
        self.swap: Swap | None = None
        if rules.TRADE <= code < rules.TAKE:
            self.swap = market.swaps[code - rules.TRADE]
        self.outcomes = self._outcomes(hand)
        self.only = None if self.rolls else self.outcomes[0]
        self.sale = self.only.sale if self.only else None
        self.value = self._mean([outcome.value for outcome in self.outcomes])

    @property
    def gain(self) -> int:
        """Chips more after a trade."""
        return size(self.swap.gets) - size(self.swap.gives) if self.swap else 0

    @property
    def buying_faces(self) -> int:
        """Faces of this roll that let the seat buy at once, Choice among them; 6 without one."""
        faces = sum(bool(outcome.could) for outcome in self.outcomes[: rules.COLOURS])
        if not self.rolls:
            return 6 * (self.sale is not None)
        return faces + (faces > 0)

    @property
    def kept(self) -> float:
        """The estimate of the chips left after a purchase."""
        return sum(
            self.market.worth(outcome.hand) for outcome in self.outcomes if outcome.sale
        ) / len(self.outcomes)

    @property
    def going(self) -> list[Outcome]:
        """The outcomes without a purchase."""
        return [outcome for outcome in self.outcomes if outcome.sale is None]

    @property
    def near_faces(self) -> int:
        """Faces of this roll, of six, that leave one trade to a purchase, Choice among them."""
        near = sum(self._is_near(end) for end in self.outcomes[: rules.COLOURS])
        if not self.rolls:
            return 6 * near
        return near + (near > 0)

    @property
    def lucky(self) -> float:
        """Faces that let the seat buy next turn, on average."""
        ends = [self.market.lucky(self.seat, end.hand) for end in self.going]
        return sum(ends) / len(ends) if ends else 0.0

    @property
    def plan_worth(self) -> float:
        return self._mean(
            [
                float(end.points) if end.sale else self.market.plan(self.seat, end.hand).worth
                for end in self.outcomes
            ]
        )

    def plan(self) -> Plan:
        """The best purchase by trades from the only outcome; after a roll only its worth."""
        if self.only is None or self.only.sale:
            return Plan(self.plan_worth, rules.LIMIT, None, 0)
        return self.market.plan(self.seat, self.only.hand)

    def next_points(self) -> int:
        """The most points one more trade could lead to."""
        return max(
            (self.market.best_reached(self.seat, end.hand, 1) for end in self.going), default=0
        )

    def lacks(self, stall: int) -> float:
        """Chips missing for a ware, on average."""
        price = self.market.prices[stall]
        assert price is not None
        return self._mean([float(lacking(end.hand, price)) for end in self.outcomes])

    def _is_near(self, end: Outcome) -> bool:
        return not end.could and bool(self.market.reach(self.seat, end.hand, 1))

    def _mean(self, values: list[float]) -> float:
        return sum(values) / len(values)

    def _outcomes(self, hand: int) -> list[Outcome]:
        if self.rolls:
            return self._of_a_roll(hand)
        if self.swap:
            return [self._with(hand - self.swap.gives + self.swap.gets)]
        if rules.TAKE <= self.code < rules.BUY_ONE:
            return [self._with(hand + rules.chip(self.code - rules.TAKE))]
        if self.buys_now:
            stalls = tuple(stalls_of(self.code))
            sales = self.market.sales(hand)
            sale = next((sale for sale in sales if sale.stalls == stalls), None)
            # Of two wares the first may close the bazaar: then it is bought alone.
            sale = sale or next(sale for sale in sales if sale.stalls == stalls[:1])
            return [self._bought(hand, sale)]
        return [self._kept(hand, {})]

    def _of_a_roll(self, hand: int) -> list[Outcome]:
        """Over the faces; Choice takes the best. An eleventh chip that buys nothing is lost."""
        faces = [hand + rules.chip(colour) for colour in range(rules.COLOURS)]
        outcomes = [
            self._with(then if size(then) <= rules.LIMIT or self.market.buys(then) else hand)
            for then in faces
        ]
        return [*outcomes, max(outcomes, key=lambda outcome: outcome.value)]

    def _with(self, hand: int) -> Outcome:
        """Buy if that is worth more than going on, which ten chips at most allow."""
        kept = self._kept(hand, self.market.buys(hand))
        sales = [self._bought(hand, sale) for sale in self.market.sales(hand)]
        best = max(sales, key=lambda outcome: outcome.value, default=kept)
        return kept if size(hand) <= rules.LIMIT and kept.value > best.value else best

    def _bought(self, hand: int, sale: Sale) -> Outcome:
        value = self.market.value_of_sale(sale)
        return Outcome(sale.kept, sale, self.market.buys(hand), value)

    def _kept(self, hand: int, could: Buys) -> Outcome:
        return Outcome(hand, None, could, self.market.value_of(self.seat, hand))


CLEAR = 0.25  # least lead of the estimate: below that it has the wrong sign too often


class Pair:
    """Two moves of a seat, the first of which is to be explained."""

    def __init__(self, pos: Position, seat: int, better: str, other: str) -> None:
        self.market, self.seat = Market(pos), seat
        self.a, self.b = (
            Prospect(self.market, seat, pos.game.notation.read_move(pos.state, move))
            for move in (better, other)
        )
        lead = self.a.value - self.b.value
        # The referee between "nearer" and "fewer chips left": without it nearly every move has
        # something to be said for it.
        self.is_clear = lead >= CLEAR
        self.value = max(0.0, lead)
        points = self.market.points
        self.ahead = points[seat] - max(
            (points[rival] for rival in range(len(points)) if rival != seat), default=0
        )

    @property
    def rivals(self) -> list[int]:
        return [rival for rival in range(self.market.players) if rival != self.seat]
