"""Bazaar: reasons on the way to a card: plans, chips missing, luck, chips to spare.

The estimate of all hands is the referee between "nearer" and "fewer chips left", so most of these
count only where it does not prefer the other move.
"""

from collections.abc import Iterator

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.bazaar import rules
from souk.games.bazaar.explanations_hands import LATER, MOST_TRADES, Market, covers, lacking, size
from souk.games.bazaar.explanations_prospects import Pair
from souk.games.bazaar.explanations_purchases import reason, stall_place
from souk.games.bazaar.notation import Swap

Reasons = Iterator[Reason]


def of_the_way(pair: Pair) -> Reasons:
    if pair.a.sale is None and pair.b.sale is None:
        if pair.a.only is not None:
            yield from _of_plans(pair)
            yield from _of_chips_missing(pair)
            yield from _of_room(pair)
            yield from _of_growth(pair)
        if pair.a.only is not None and pair.b.only is not None:
            yield from _of_all_cards(pair)
            yield from _of_rivals(pair)
        yield from _of_chips_given(pair)
        yield from _of_too_many(pair)
    if pair.a.rolls:
        yield from _of_a_roll(pair)


# ---------------------------------------------------------------- plans


def _of_plans(pair: Pair) -> Reasons:
    """The best purchase by trades alone comes sooner, or brings more."""
    one, other, me = pair.a.plan(), pair.b.plan(), Seat(pair.seat)
    more = one.worth - other.worth
    if one.stall is None or more < 0.1:
        return
    places, stall, end = stall_place(one.stall), one.stall + 1, pair.b.only
    later = pair.market.fewest(pair.seat, end.hand, one.stall) if end else MOST_TRADES + 1
    most = pair.market.best_reached(pair.seat, end.hand, MOST_TRADES) if end else 0
    if one.trades == 1:
        message = Message("bazaar.why.next_turn", stall=stall, n=one.points)
    elif one.trades < later <= MOST_TRADES:
        message = Message("bazaar.why.nearer", stall=stall, n=one.trades, m=later)
    elif 0 < most < one.points:
        message = Message("bazaar.why.worth_more", stall=stall, n=one.points, m=most, me=me)
    else:
        message = Message("bazaar.why.in_reach", stall=stall, n=one.trades)
    yield reason("road", more, message.at(*places))


def _of_chips_missing(pair: Pair) -> Reasons:
    end = pair.a.only
    assert end
    aim = pair.market.aim(end.hand)
    if aim is None or pair.value <= 0.05:
        return
    missing, other = int(pair.a.lacks(aim)), pair.b.lacks(aim)
    me, places = Seat(pair.seat), stall_place(aim)
    if 0 < missing <= other - 0.5:
        message = Message("bazaar.why.closer", me=me, stall=aim + 1, n=missing)
        yield reason("road", 0.9 * pair.value, message.at(*places))
    elif missing == other and pair.b.only and size(end.hand) < size(pair.b.only.hand):
        message = Message("bazaar.why.fewer_chips", me=me, stall=aim + 1)
        yield reason("road", 0.8 * pair.value, message.at(*places))


def _of_room(pair: Pair) -> Reasons:
    """More than one card within reach, more faces that buy."""
    end, market, me = pair.a.only, pair.market, Seat(pair.seat)
    assert end
    cards = market.reach(pair.seat, end.hand, 1)
    if pair.b.only:
        others = market.reach(pair.seat, pair.b.only.hand, 1)
        if len(cards) >= 2 and len(cards) > len(others):
            message = Message("bazaar.why.two_ways", n=len(cards)).at(*stall_place(*cards))
            yield reason("room", 0.3 * max(pair.value, 0.3), message)
    faces = market.lucky(pair.seat, end.hand)
    if faces - pair.b.lucky >= 0.9 and pair.value > 0:
        message = Message("bazaar.why.lucky_next", me=me, n=faces)
        if faces == 6:
            message = Message("bazaar.why.any_roll", me=me)
        yield reason("luck", 0.5 * pair.value + 0.1, message.at(f"seat {pair.seat}"))


def _of_growth(pair: Pair) -> Reasons:
    if pair.a.gain > max(0, pair.b.gain if pair.b.swap else 1) and pair.value > 0.05:
        swap = pair.a.swap
        assert swap
        message = Message("bazaar.why.more_chips", n=size(swap.gives), m=size(swap.gets))
        yield reason("chips", 0.7 * pair.value, message.at(f"seat {pair.seat}"))
    if pair.b.rolls and size(pair.market.hands[pair.seat]) >= rules.LIMIT:
        yield reason("chips", 0.5 + pair.value, Message("bazaar.why.full", me=Seat(pair.seat)))


def _of_all_cards(pair: Pair) -> Reasons:
    one, other, market = pair.a.only, pair.b.only, pair.market
    assert one
    assert other
    points = 0.15 + 0.3 * pair.value
    fewer = market.missing_in_all(other.hand) - market.missing_in_all(one.hand)
    if fewer > 0:
        yield reason("room", points, Message("bazaar.why.fits_more", n=fewer))
    near, others = market.near(pair.seat, one.hand), market.near(pair.seat, other.hand)
    if len(near) > len(others):
        message = Message("bazaar.why.choice", n=len(near), m=len(others))
        yield reason("room", points, message.at(*stall_place(*sorted(near))))


def _of_rivals(pair: Pair) -> Reasons:
    """The card of the other plan is within a rival's reach, that of the first of nobody's."""
    one, other = pair.a.plan().stall, pair.b.plan().stall
    if one is None or other is None or one == other:
        return
    rivals = pair.market.rivals_next(pair.seat, other)
    if rivals and not pair.market.rivals_next(pair.seat, one):
        places = [*stall_place(one, other), f"seat {rivals[0]}"]
        message = Message("bazaar.why.contested", who=Seat(rivals[0])).at(*places)
        yield reason("rivals", 0.4 + 0.5 * pair.value, message)


# ---------------------------------------------------------------- rolls and chips to spare


def _of_chips_given(pair: Pair) -> Reasons:
    """A trade for more chips that can wait; a trade that costs chips where a roll adds one."""
    swap, me = pair.b.swap, Seat(pair.seat)
    if swap is None:
        return
    if pair.b.gain >= 2 and pair.value > 0:
        if all(_can_still(end.hand, swap) for end in pair.a.outcomes):
            message = Message("bazaar.why.reserve", me=me).at(f"seat {pair.seat}")
            yield reason("chips", 0.15 + 0.6 * pair.value, message)
    if pair.a.rolls and pair.b.gain < 0:
        message = Message("bazaar.why.roll_keeps", me=me, n=-pair.b.gain)
        yield reason("chips", 0.8 * pair.value + 0.2, message)
    elif pair.a.rolls and pair.b.gain <= 1:
        yield from _of_an_idle_trade(pair)


def _can_still(hand: int, swap: Swap) -> bool:
    return covers(hand, swap.gives) and size(hand - swap.gives + swap.gets) <= rules.LIMIT


def _of_an_idle_trade(pair: Pair) -> Reasons:
    market, end = pair.market, pair.b.only
    assert end
    hand = market.hands[pair.seat]
    now, after = market.plan(pair.seat, hand), market.plan(pair.seat, end.hand)
    slower = market.soonest(pair.seat, end.hand) >= market.soonest(pair.seat, hand)
    if slower and after.worth <= LATER * now.worth + 0.05:
        message = Message("bazaar.why.roll_adds", me=Seat(pair.seat))
        yield reason("chips", 0.7 * pair.value + 0.15, message)


def _of_too_many(pair: Pair) -> Reasons:
    if not pair.b.swap or pair.b.gain <= 0:
        return
    market, end = pair.market, pair.b.only
    assert end
    other = market.best_reached(pair.seat, end.hand)
    best = max(
        market.best_reached(pair.seat, end.hand) if end.sale is None else 0
        for end in pair.a.outcomes
    )
    if 0 < other <= 3 and best > other:
        message = Message("bazaar.why.too_many", n=other).at(f"seat {pair.seat}")
        yield reason("chips", max(0.2, pair.value, 0.3 * (best - other)), message)


def _of_a_roll(pair: Pair) -> Reasons:
    faces, me = pair.a.buying_faces, Seat(pair.seat)
    if pair.b.buying_faces < faces < 6:
        message = Message("bazaar.why.lucky_now", me=me, n=faces)
        yield reason("luck", max(pair.value, 0.2), message)
    if pair.b.sale or pair.b.buys_now:
        return
    near = pair.a.near_faces
    if near > pair.b.near_faces:
        message = Message("bazaar.why.roll_next", me=me, n=near)
        yield reason("luck", max(0.2, pair.value), message)


# ---------------------------------------------------------------- the eleventh chip


def of_a_return(pos: Position, better: int, other: int) -> Reasons:
    """Z15: which chip the seat on turn loses."""
    market = Market(pos)
    holder = market.turn
    one, two = (
        market.hands[holder] - rules.chip(code - rules.GIVE_BACK) for code in (better, other)
    )
    slower, faster = market.soonest(holder, one), market.soonest(holder, two)
    loss = market.going_on(two) - market.going_on(one)
    aim = market.aim(two)
    who, seat = Seat(holder), f"seat {holder}"
    if slower > faster:
        message = Message("bazaar.why.take_key", who=who).at(seat)
        yield reason("take", 1 + loss, message)
    elif aim is not None and loss > 0:
        price = market.prices[aim]
        assert price is not None
        if lacking(one, price) > lacking(two, price):
            message = Message("bazaar.why.take_needed", who=who, stall=aim + 1)
            yield reason("take", loss, message.at(seat, *stall_place(aim)))
