"""Bazaar: reasons that speak of purchases: the end, a card bought now, points, stars, waiting.

Each generator yields all that is true and speaks for the first move of a pair; thresholds were
chosen by how often a reason holds for the move that a search prefers.
"""

from collections.abc import Iterator

from souk.core.messages import Message, Seat
from souk.core.reasons import Reason
from souk.games.bazaar.explanations_hands import LATER, size
from souk.games.bazaar.explanations_prospects import Pair

Reasons = Iterator[Reason]
FIRST = 100.0  # points of reasons about the end
LEAST = 0.1  # of a purchase now that the estimate thinks little of


def reason(family: str, points: float, message: Message, *, last: bool = False) -> Reason:
    return Reason(message.key.rpartition(".")[2], family, points, message, last)


def stall_place(*stalls: int) -> list[str]:
    return [f"stall {stall + 1}" for stall in stalls]


def of_the_end(pair: Pair) -> Reasons:
    yield from _of_closing(pair)
    yield from _of_catching_up(pair)


def of_purchases(pair: Pair) -> Reasons:
    yield from _of_buying_at_all(pair)
    if pair.a.sale and pair.b.sale:
        yield from _of_points(pair)
        yield from _of_stars(pair)
        yield from _of_rivals_next(pair)
        yield from _of_chips_kept(pair)
    yield from _of_spoiling(pair)
    yield from _of_waiting(pair)


# ---------------------------------------------------------------- the end of the game


def _of_closing(pair: Pair) -> Reasons:
    me, market = Seat(pair.seat), pair.market
    one, other = pair.a.sale, pair.b.sale
    closing, other_closing = (
        sale is not None and market.closes(sale.stalls) for sale in (one, other)
    )
    if one and closing and not other_closing and pair.ahead + one.points > 0:
        message = Message("bazaar.why.win_now", me=me).at(*stall_place(*one.stalls))
        yield reason("end", FIRST, message, last=True)
    if other and other_closing and not closing and pair.ahead + other.points < 0:
        message = Message("bazaar.why.not_yet", me=me).at(*stall_place(*other.stalls))
        yield reason("end", FIRST, message, last=True)


def _of_catching_up(pair: Pair) -> Reasons:
    """Near the end only a card for as many points as the leader is ahead helps."""
    market, behind = pair.market, -pair.ahead
    if market.sales_left() > 2 or behind <= 0 or not pair.b.swap or pair.b.sale:
        return
    best, other = (
        max(
            market.best_reached(pair.seat, end.hand) if end.sale is None else 0
            for end in prospect.outcomes
        )
        for prospect in (pair.a, pair.b)
    )
    if other < behind <= best:
        leader = max(pair.rivals, key=lambda rival: market.points[rival])
        message = Message("bazaar.why.must_catch", me=Seat(pair.seat), n=behind)
        yield reason("end", 1.5, message.at(f"seat {leader}"), last=True)


# ---------------------------------------------------------------- a card now


def _of_buying_at_all(pair: Pair) -> Reasons:
    """The first move buys, the other does not."""
    sale, could = pair.a.sale, pair.b.only.could if pair.b.only else {}
    if sale is None or pair.b.sale:
        return
    me, places, points = Seat(pair.seat), stall_place(*sale.stalls), max(LEAST, pair.value)
    if could:
        if sale.points > max(could.values()):
            message = Message("bazaar.why.more_points", n=sale.points, m=max(could.values()))
            yield reason("points", points, message.at(*places))
        return
    rivals = pair.market.rivals_next(pair.seat, sale.stalls[0])
    if rivals:
        message = Message("bazaar.why.race", who=Seat(rivals[0]))
        yield reason("buy", 1.05 * points, message.at(*places, f"seat {rivals[0]}"))
    if pair.b.rolls and pair.b.buying_faces:
        yield reason("buy", points, Message("bazaar.why.buy_sure", me=me).at(*places))
    elif sale.points >= 1:
        message = Message("bazaar.why.buy_now", me=me, n=sale.points)
        yield reason("buy", points, message.at(*places))


def _of_points(pair: Pair) -> Reasons:
    one, other = pair.a.sale, pair.b.sale
    assert one
    assert other
    more, places = one.points - other.points, stall_place(*one.stalls)
    if more <= 0:
        return
    if len(one.stalls) > len(other.stalls):
        message = Message("bazaar.why.two_cards", n=one.points, m=other.points)
        yield reason("points", more + 0.3, message.at(*places))
    elif len(one.stalls) == 2 and set(one.stalls) == set(other.stalls):
        message = Message("bazaar.why.order", n=one.points, m=other.points)
        yield reason("points", more + 0.3, message.at(*places))
    elif one.stalls == other.stalls:
        left = Message(f"bazaar.why.left.{min(one.rest, 3)}")
        message = Message("bazaar.why.fewer_left", left=left, n=one.points, m=other.points)
        yield reason("points", more + 0.5, message.at(*places))
    else:
        message = Message("bazaar.why.more_points", n=one.points, m=other.points)
        yield reason("points", more + 0.3, message.at(*places))


def _of_stars(pair: Pair) -> Reasons:
    """Z21: an empty stall gives every card a star, of which the next to buy profits first."""
    one, other = pair.a.sale, pair.b.sale
    assert one
    assert other
    opens, other_opens = pair.market.opens(one.stalls), pair.market.opens(other.stalls)
    if other_opens and not opens and not pair.market.closes(other.stalls):
        message = Message("bazaar.why.no_star").at(*stall_place(*other.stalls))
        yield reason("star", 1.5, message)
    if opens and not other_opens and pair.value > 0 and not pair.market.closes(one.stalls):
        yield reason("star", 1.0, Message("bazaar.why.star").at(*stall_place(*one.stalls)))


def _of_rivals_next(pair: Pair) -> Reasons:
    one, other = pair.a.sale, pair.b.sale
    assert one
    assert other
    if one.stalls == other.stalls:
        return
    rivals = pair.market.rivals_next(pair.seat, one.stalls[0])
    if rivals and not pair.market.rivals_next(pair.seat, other.stalls[0]):
        places = [*stall_place(*one.stalls, *other.stalls), f"seat {rivals[0]}"]
        message = Message("bazaar.why.deny", who=Seat(rivals[0])).at(*places)
        yield reason("buy", 0.4 * one.points + 0.2, message)


def _of_chips_kept(pair: Pair) -> Reasons:
    one, other, market = pair.a.sale, pair.b.sale, pair.market
    assert one
    assert other
    more = pair.a.kept - pair.b.kept
    if more < 0.15:
        return
    me, seat = Seat(pair.seat), f"seat {pair.seat}"
    soon, later = (market.soonest(pair.seat, sale.kept, sale.stalls) for sale in (one, other))
    if soon < later and not market.opens(one.stalls):
        message = Message("bazaar.why.keep_next", me=me, n=soon)
        yield reason("kept", more, message.at(seat))
    elif size(one.kept) > size(other.kept):
        message = Message("bazaar.why.keep_more", me=me, n=size(one.kept), m=size(other.kept))
        yield reason("kept", more, message.at(seat))


def _of_spoiling(pair: Pair) -> Reasons:
    """A rival's best next purchase loses two points or more because its card is bought."""
    market, one, other = pair.market, pair.a.sale, pair.b.sale
    if one is None or (one.stalls == other.stalls if other else not pair.a.buys_now):
        return
    taken, other_taken = one.stalls, other.stalls if other else ()

    def best(rival: int, gone: tuple[int, ...]) -> int:
        wares = market.reach(rival, market.hands[rival], 1)
        return max((points for stall, points in wares.items() if stall not in gone), default=0)

    loss = {rival: best(rival, other_taken) - best(rival, taken) for rival in pair.rivals}
    if not loss:
        return
    rival = max(loss, key=lambda rival: loss[rival])
    if loss[rival] >= 2:
        message = Message("bazaar.why.spoil", who=Seat(rival), n=best(rival, other_taken))
        places = [*stall_place(*taken), f"seat {rival}"]
        yield reason("buy", 0.4 * loss[rival], message.at(*places))


# ---------------------------------------------------------------- not yet


def _of_waiting(pair: Pair) -> Reasons:
    """The other move buys, the first does not."""
    sale, end = pair.b.sale, pair.a.only
    if sale is None or pair.a.sale:
        return
    if end is None:
        return
    yield from _of_a_better_card(pair)
    plan = pair.a.plan()
    if (
        plan.points > sale.points
        and plan.trades > 1
        and pair.value > 0.1
        and plan.stall is not None
    ):
        message = Message("bazaar.why.patience", n=sale.points, m=plan.points, trades=plan.trades)
        yield reason("wait", max(0.2, pair.value), message.at(*stall_place(plan.stall)))
    elif pair.market.opens(sale.stalls):
        message = Message("bazaar.why.no_star").at(*stall_place(*sale.stalls))
        yield reason("star", 0.5, message)


def _of_a_better_card(pair: Pair) -> Reasons:
    sale, end = pair.b.sale, pair.a.only
    assert sale
    assert end
    best = pair.market.best_reached(pair.seat, end.hand, 1)
    if best > sale.points:
        points = max(LATER * best - sale.points, pair.value, 0.2)
        message = Message("bazaar.why.wait", n=sale.points, m=best)
        yield reason("wait", points, message.at(*stall_place(*sale.stalls)))
    elif sale.points <= 2 and pair.value > 0.1:
        message = Message("bazaar.why.too_early", left=sale.rest, n=sale.points)
        yield reason("wait", pair.value, message.at(*stall_place(*sale.stalls)))
