"""Bazaar in plain numbers for explanations: what hands buy, now and after trades without luck.

Claims come from these counts; the estimate of `heuristics.py` only ranks true ones. Everything is
on packed bags, as a pair of moves takes thousands of hands.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from souk.core.position import Position
from souk.games.bazaar import rules
from souk.games.bazaar.notation import Swap, swaps
from souk.games.bazaar.ware_values import KEEPING, ROW, number

LATER = 0.78  # of a purchase's points remain a turn later: as in `ware_values`
CONTESTED = 0.6  # of a ware's value remains for every rival one trade away from it
# The estimate of a move, as a sum: points, chips kept after a purchase; else the best ware, the
# mean of all, and the best plan without luck. Rounded from a fit to 840 pairs of moves that a
# search tells apart, of which it gets 86 in a hundred right.
BY_POINTS, BY_BEST, BY_ALL, BY_PLAN = 0.8, 0.55, 0.4, 0.2
STAR_MORE = 1.6  # one more star multiplies points by about this
MOST_TRADES = 4  # of a plan

# By stall: points, and for plans the best of several.
Buys = dict[int, int]

_COLOURS = range(rules.COLOURS)
_SHIFTS = tuple(6 * colour for colour in _COLOURS)
# The top bit of each colour's digits: subtracting keeps all of them only if nothing is missing.
_GUARD = 32 * rules.ONE_OF_EACH


def size(hand: int) -> int:
    """Number of chips in a bag."""
    return (hand * rules.ONE_OF_EACH >> 24) & 63


def covers(hand: int, price: int) -> bool:
    return (hand + _GUARD - price) & _GUARD == _GUARD


def lacking(hand: int, price: int) -> int:
    """Number of chips of a price missing in a hand."""
    return sum(max(0, (price >> shift & 63) - (hand >> shift & 63)) for shift in _SHIFTS)


class Plan(NamedTuple):
    """The best purchase by trades alone."""

    worth: float  # points, less for every turn
    trades: int
    stall: int | None
    points: int


NO_PLAN = Plan(0.0, MOST_TRADES + 1, None, 0)


class Sale(NamedTuple):
    """A purchase open to a hand, of one ware or two."""

    stalls: tuple[int, ...]
    points: int
    rest: int  # chips left over
    kept: int  # those chips


class Market:
    """A position's stalls, rates and hands."""

    def __init__(self, pos: Position) -> None:
        s = pos.state
        self.players, self.turn, self.bank = int(s.players), int(s.turn), int(s.bank)
        self.hands = [int(hand) for hand in s.chips[: self.players]]
        self.points = [int(points) for points in s.points[: self.players]]
        self.left = [int(cards) for cards in s.left[: rules.stalls(s)]]
        self.tops = [int(ware) for ware in s.top[: rules.stalls(s)]]
        self.prices: list[int | None] = [
            None if ware == rules.NO_WARE else int(s.wares[ware]) & rules.BAG for ware in self.tops
        ]
        self.stars = [
            0 if price is None else int(rules.stars_now(s, stall))
            for stall, price in enumerate(self.prices)
        ]
        self.two_at_once = bool(s.double_purchase)
        self.swaps: list[Swap] = swaps(s)
        self.star_factor = STAR_MORE if 0 in self.left else 1.0
        self._pos = pos
        self._reach: dict[tuple[int, int, int], Buys] = {}
        self._near: dict[int, list[int]] = {}

    @cached_property
    def _worths(self) -> Any:
        """Value of every hand for every ware."""
        return self._pos.game.heuristics.build_lookup(self._pos.array)

    # ------------------------------------------------------------ buying

    def buys(self, hand: int) -> Buys:
        """Z12, Z20: the wares a hand pays for, with their points."""
        rest = size(hand) - rules.PRICE
        if rest < 0:
            return {}
        return {
            stall: int(rules.points_for(self.stars[stall], rest))
            for stall, price in enumerate(self.prices)
            if price is not None and covers(hand, price)
        }

    def sales(self, hand: int) -> list[Sale]:
        """Z12, Z40: all purchases open to a hand."""
        rest = size(hand) - rules.PRICE
        single = self.buys(hand)
        sales = [
            Sale((stall,), points, rest, hand - self._price(stall))
            for stall, points in single.items()
        ]
        if self.two_at_once and rest >= rules.PRICE:
            sales += [
                sale
                for one in single
                for two in single
                if one != two and (sale := self._both(hand, one, two))
            ]
        return sales

    def _price(self, stall: int) -> int:
        price = self.prices[stall]
        assert price is not None
        return price

    def _both(self, hand: int, one: int, two: int) -> Sale | None:
        """Z40-Z41: two wares, scored by the chips left after both."""
        cost = self._price(one) + self._price(two)
        if not covers(hand, cost) or self.closes((one,)):
            return None
        rest = size(hand) - 2 * rules.PRICE
        more = 1 if self.opens((one,)) else 0  # the first may empty a stall
        points = rules.points_for(self.stars[one], rest) + rules.points_for(
            self.stars[two] + more, rest
        )
        return Sale((one, two), int(points), rest, hand - cost)

    def _emptied(self, stalls: tuple[int, ...]) -> int:
        return sum(self.left[stall] == 1 for stall in stalls)

    def closes(self, stalls: tuple[int, ...]) -> bool:
        """Z30: whether purchases there end the game."""
        return self._emptied(stalls) > 0 and self.left.count(0) + self._emptied(stalls) >= 2

    def opens(self, stalls: tuple[int, ...]) -> bool:
        """Z21: whether purchases there give every ware its star."""
        return self._emptied(stalls) > 0 and 0 not in self.left

    def sales_left(self) -> int:
        """Purchases until the bazaar closes, at least."""
        return sum(sorted(self.left)[:2])

    # ------------------------------------------------------------ trading

    def after_trades(self, hand: int, pool: int) -> Iterator[int]:
        """Z11, Z13-Z14: hands one trade on; `pool` is the hand and the bank together."""
        bank = pool - hand
        for gives, gets, _ in self.swaps:
            if covers(hand, gives) and covers(bank, gets):
                then = hand - gives + gets
                if size(then) <= rules.LIMIT or self.buys(then):
                    yield then

    def reach(self, seat: int, hand: int, trades: int) -> Buys:
        """Stall and best points after exactly so many trades, without luck."""
        return self._reached(hand, trades, self.bank + self.hands[seat])

    def _reached(self, hand: int, trades: int, pool: int) -> Buys:
        key = hand, trades, pool
        found = self._reach.get(key)
        if found is None:
            found = {}
            for then in self.after_trades(hand, pool):
                for stall, points in self._step(then, trades, pool).items():
                    found[stall] = max(found.get(stall, 0), points)
            self._reach[key] = found
        return found

    def _step(self, then: int, trades: int, pool: int) -> Buys:
        if trades == 1:
            return self.buys(then)
        return self._reached(then, trades - 1, pool) if size(then) <= rules.LIMIT else {}

    def best_reached(self, seat: int, hand: int, most: int = 3) -> int:
        """The most points that up to so many trades lead to, 0 for none."""
        return max(
            (
                points
                for trades in range(1, most + 1)
                for points in self.reach(seat, hand, trades).values()
            ),
            default=0,
        )

    def soonest(
        self, seat: int, hand: int, gone: tuple[int, ...] = (), most: int = MOST_TRADES - 1
    ) -> int:
        """Trades to the first purchase besides stalls `gone`; `most` + 1 if it is further away."""
        ways = range(1, most + 1)
        return next((n for n in ways if self.reach(seat, hand, n).keys() - {*gone}), most + 1)

    def fewest(self, seat: int, hand: int, stall: int) -> int:
        """Trades to a ware; more than MOST_TRADES if it is further away."""
        ways = range(1, MOST_TRADES + 1)
        return next((n for n in ways if stall in self.reach(seat, hand, n)), MOST_TRADES + 1)

    def plan(self, seat: int, hand: int) -> Plan:
        return max(
            (
                Plan(LATER**trades * points, trades, stall, points)
                for trades in range(1, MOST_TRADES + 1)
                for stall, points in self.reach(seat, hand, trades).items()
            ),
            key=lambda plan: plan.worth,
            default=NO_PLAN,
        )

    def near(self, seat: int, hand: int) -> set[int]:
        """Stalls within two trades."""
        return {*self.reach(seat, hand, 1), *self.reach(seat, hand, 2)}

    def rivals_next(self, seat: int, stall: int) -> list[int]:
        """Rivals who can pay for a ware next turn by one trade, in the order of turns."""
        order = [(seat + step) % self.players for step in range(1, self.players)]
        return [rival for rival in order if stall in self.reach(rival, self.hands[rival], 1)]

    def lucky(self, seat: int, hand: int) -> int:
        """Faces of the die, of six, after which a ware can be bought; Choice among them."""
        if size(hand) > rules.LIMIT:
            return 0
        bank = self.bank + self.hands[seat] - hand
        faces = sum(
            bool(bank >> shift & 63) and bool(self.buys(hand + (1 << shift))) for shift in _SHIFTS
        )
        return faces + bool(faces)

    # ------------------------------------------------------------ estimates

    def worth(self, hand: int, ware: int = KEEPING) -> float:
        """The estimate of a hand when going for a ware, or of chips kept after a purchase."""
        return float(self._worths[ROW * number(hand) + ware])

    def aim(self, hand: int) -> int | None:
        """The stall that promises most, if any has a ware."""
        return max(
            (stall for stall, price in enumerate(self.prices) if price is not None),
            key=lambda stall: self.worth(hand, self.tops[stall]),
            default=None,
        )

    def going_on(self, hand: int) -> float:
        """The estimate of a hand at the end of a turn, as if nobody else were there."""
        aim = self.aim(hand)
        return 0.0 if aim is None else self.star_factor * self.worth(hand, self.tops[aim])

    def value_of(self, seat: int, hand: int) -> float:
        """The estimate of a hand at the end of a turn among rivals."""
        worths = [
            0.0 if price is None else self.star_factor * self.worth(hand, ware)
            for ware, price in zip(self.tops, self.prices, strict=True)
        ]
        best = max(
            worth * CONTESTED**rivals
            for worth, rivals in zip(worths, self._rivals_near(seat), strict=True)
        )
        plan = self.plan(seat, hand).worth if size(hand) <= rules.LIMIT else 0.0
        return BY_BEST * best + BY_ALL * sum(worths) / len(worths) + BY_PLAN * plan

    def value_of_sale(self, sale: Sale) -> float:
        return BY_POINTS * sale.points + self.worth(sale.kept)

    def _rivals_near(self, seat: int) -> list[int]:
        """By stall: rivals who can pay for its ware next turn."""
        if seat not in self._near:
            self._near[seat] = [
                len(self.rivals_next(seat, stall)) for stall in range(len(self.tops))
            ]
        return self._near[seat]

    def missing_in_all(self, hand: int) -> int:
        """Chips missing for the wares on offer, all together."""
        return sum(lacking(hand, price) for price in self.prices if price is not None)
