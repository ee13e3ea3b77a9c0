"""Suleika: what a rug or a way is worth, in terms that add up and are counted in piastres.

The weights are least squares of the search's lead on the differences of the terms, about 2,500
pairs of moves for each number of players (three: as four), rounded by hand.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from souk.games.suleika import rules
from souk.games.suleika.explanations_market import Market, Stop, areas, importance, pieces

# How much of a rug's harm the next player is expected to do, and of what passes between others.
_RISK, _FLOW = 0.5, 0.5
# The likeliest way counts for most of what the next player pays; another may be chosen.
_LIKELY, _ANY = 0.7, 0.3


class Weights(NamedTuple):
    """What a point of each term is worth next to a piastre."""

    earn: float
    hit: float
    near: float
    flow: float
    risk: float = 0.0


# S40, from 430 pairs: what the next player does to a carpet counts for more than what one pays now.
_TURNING_AT_END = Weights(3.2, 3.3, 1.2, 0.0, 2.0)
_RUGS = {2: Weights(1.2, 1.4, 1.5, 0.2, 1.0), 4: Weights(0.5, 1.0, 1.2, 0.2, 0.35)}
_WAYS = {2: Weights(0.4, 1.0, 1.2, 0.2), 4: Weights(0.3, 1.2, 0.5, 0.4)}


def rug_weights(market: Market) -> Weights:
    if market.turn_at_end:
        return _TURNING_AT_END
    return _RUGS[2 if market.players == 2 else 4]


def way_weights(market: Market) -> Weights:
    return _WAYS[2 if market.players == 2 else 4]


# ---------------------------------------------------------------- rugs


@dataclass(slots=True)
class RugTerms:
    """A place for a rug."""

    fields: tuple[int, int]
    then: Market
    area: int  # the carpet the rug becomes part of, as a set of fields
    joined: int  # own carpets that become one with the rug
    shown: int  # own halves more
    earn: float  # what own carpets earn afterwards
    hides: dict[int, int]  # by rival: halves
    cost: dict[int, float]  # by rival: what its carpets earn less
    split: dict[int, int]  # by rival: the most pieces that one of its carpets falls into
    own_split: int
    own_smaller: bool
    hit: float  # harm to rivals, by how much each matters
    next: int  # who walks Omar next
    crossed: int = 0  # ways of the next player on which a stop pays me
    stops: int = 0  # sixths over all those ways that pay me
    near: float = 0.0  # what the next player pays me
    open: float = 0.0  # the same if all ways were equally likely
    pays: dict[int, float] = field(default_factory=dict)  # by rival: what it gets on that way
    pays_open: dict[int, float] = field(default_factory=dict)
    flow: float = 0.0
    risk: float = 0.0  # what the next player's best rug takes from me
    risk_open: float = 0.0

    @property
    def size(self) -> int:
        return self.area.bit_count()

    @property
    def total(self) -> float:
        return self.shown + self.earn + self.hit + self.near + _FLOW * self.flow - _RISK * self.risk


def rug_terms(market: Market, seat: int, move: int, *, risky: bool = False) -> RugTerms:
    """Weigh a place; `risky` adds what the next player can do to it, which is slow."""
    terms = _laid(market, seat, move)
    then = terms.then
    if then.turns and terms.next != seat:
        _walks_next(terms, seat, importance(market, seat))
        if risky:
            _add_risk(terms, seat)
    return terms


def _laid(market: Market, seat: int, move: int) -> RugTerms:
    then, weigh = market.lay(move), importance(market, seat)
    near, far = rules.near_half(move), rules.far_half(move)
    colour = market.up if market.players == 2 else seat
    area, new = then.area(near), 1 << near | 1 << far
    hides = {rival: market.halves(rival) - then.halves(rival) for rival in weigh}
    cost = {
        rival: then.income(rival) * (market.squares(rival) - then.squares(rival)) for rival in weigh
    }
    return RugTerms(
        fields=(near, far),
        then=then,
        area=area,
        joined=sum(bool(old & ~new & area) for old in areas(market.cover[colour])),
        shown=then.halves(seat) - market.halves(seat),
        earn=then.income(seat) * then.squares(seat),
        hides=hides,
        cost=cost,
        split={rival: _split(market, then, rival) for rival in weigh},
        own_split=_split(market, then, seat),
        own_smaller=then.squares(seat) < market.squares(seat),
        hit=sum(weigh[rival] * (hides[rival] + cost[rival]) for rival in weigh),
        next=then.walker if then.turns else -1,
    )


def _split(market: Market, then: Market, seat: int) -> int:
    return max(
        (
            pieces(area, then.cover[colour])
            for colour in market.colours(seat)
            for area in areas(market.cover[colour])
        ),
        default=0,
    )


def _walks_next(terms: RugTerms, seat: int, weigh: dict[int, float]) -> None:
    """Add what the next walk brings: to me, and from one rival to another."""
    then = terms.then
    ways = [then.way(terms.next, facing) for facing in then.ways]
    aimed = then.turn_at_end  # S40: then I choose the way myself
    facing = _best_aim(then, seat) if aimed else then.likely_way(terms.next)
    likely = then.way(terms.next, facing)
    terms.crossed = sum(any(stop.to == seat for stop in way) for way in ways)
    terms.stops = sum(stop.sixths for way in ways for stop in way if stop.to == seat)
    terms.open = sum(_paid_to(way, seat) for way in ways) / len(ways)
    toll = _paid_to(likely, seat)
    terms.near = toll if aimed else _LIKELY * toll + _ANY * terms.open
    terms.pays = {rival: _paid_to(likely, rival) for rival in weigh}
    terms.pays_open = {
        rival: sum(_paid_to(way, rival) for way in ways) / len(ways) for rival in weigh
    }
    # Money that passes between rivals only matters by who they are.
    lost = weigh.get(terms.next, 0.0) * (toll + sum(terms.pays.values()))
    terms.flow = lost - sum(weigh[rival] * paid for rival, paid in terms.pays.items())


def _best_aim(market: Market, seat: int) -> int:
    return max(market.ways, key=lambda facing: _paid_to(market.way(market.walker, facing), seat))


def _paid_to(way: list[Stop], seat: int) -> float:
    return sum(stop.sixths * stop.paid for stop in way if stop.to == seat) / 6


def _add_risk(terms: RugTerms, seat: int) -> None:
    then = terms.then
    by_way = {facing: _harm(then, seat, terms.next, facing) for facing in then.ways}
    likely = _best_aim(then, seat) if then.turn_at_end else then.likely_way(terms.next)
    terms.risk = by_way[likely]
    terms.risk_open = sum(by_way.values()) / len(by_way)


def _harm(market: Market, seat: int, walker: int, facing: int) -> float:
    """What the walker's best rug takes from a seat, over the die."""
    before, own = market.holding(seat), market.fields(seat)
    lost = 0.0
    for stop in market.way(walker, facing):
        worst = 0.0
        for move in _walked(market, walker, stop).places():
            covered = 1 << rules.near_half(move) | 1 << rules.far_half(move)
            if covered & own:
                worst = max(worst, before - _holding_without(market, seat, covered))
        lost += stop.sixths * worst / 6
    return lost


def _walked(market: Market, walker: int, stop: Stop) -> Market:
    """Omar stands on a stop; with two players one of the walker's colours has come up."""
    moved = market.copy()
    moved.omar, moved.phase, moved.turn = stop.field, rules.RUG, walker
    if moved.players == 2:
        moved.up = max(moved.colours(walker), key=moved.left.__getitem__)
    return moved


def _holding_without(market: Market, seat: int, covered: int) -> float:
    rest = market.copy()
    rest.cover = [fields & ~covered for fields in market.cover]
    return rest.holding(seat)


# ---------------------------------------------------------------- ways


@dataclass(slots=True)
class WayTerms:
    """A way for Omar: the toll over six rolls, and the best rug that can then be laid, on average.

    Further figures hold whichever rug is chosen, so that a sentence can rest on them.
    """

    facing: int
    stops: list[Stop]
    pay: float
    free: int  # rolls of six that cost nothing
    worst: int
    to: dict[int, float]  # by rival: what it gets
    rolls_to: dict[int, int]  # by rival: rolls that pay it
    gift: float  # what rivals get, by how much each matters
    home: int  # rolls that stop on my carpet of the colour to be laid
    joins: int  # rolls after which the rug can join a carpet of mine
    largest: float  # the largest carpet it can make, on average
    reach: dict[int, int]  # by rival: rolls after which the rug can cover a square
    traps: float  # the most the next player can then be made to pay me, all ways alike
    passed: float  # what the next player pays from there, all ways alike
    earn: float = 0.0
    shown: float = 0.0
    hit: float = 0.0
    near: float = 0.0
    flow: float = 0.0
    hurts: dict[int, float] = field(default_factory=dict)  # by rival: what the best rug costs it


def way_terms(market: Market, seat: int, move: int) -> WayTerms:
    facing, weigh = market.turned(move), importance(market, seat)
    stops = market.way(seat, facing)
    places = [_after(market, seat, stop) for stop in stops]
    terms = _tolls(market, seat, facing, stops, weigh)
    for stop, choices in zip(stops, places, strict=True):
        best = max(choices, key=lambda choice: choice.total)
        _add_stop(terms, market, seat, stop, choices, best)
    return terms


def _tolls(
    market: Market, seat: int, facing: int, stops: list[Stop], weigh: dict[int, float]
) -> WayTerms:
    colour = market.up if market.players == 2 else seat
    to = {rival: _paid_to(stops, rival) for rival in weigh}
    return WayTerms(
        facing=facing,
        stops=stops,
        pay=sum(stop.sixths * stop.paid for stop in stops) / 6,
        free=sum(stop.sixths for stop in stops if not stop.paid),
        worst=max(stop.paid for stop in stops),
        to=to,
        rolls_to={rival: sum(stop.sixths for stop in stops if stop.to == rival) for rival in weigh},
        gift=sum(weigh[rival] * paid for rival, paid in to.items()),
        home=sum(stop.sixths for stop in stops if market.cover[colour] >> stop.field & 1),
        joins=0,
        largest=0.0,
        reach=dict.fromkeys(weigh, 0),
        traps=0.0,
        passed=0.0,
        hurts=dict.fromkeys(weigh, 0.0),
    )


def _after(market: Market, seat: int, stop: Stop) -> list[RugTerms]:
    moved = market.after_walking(seat, stop)
    return [rug_terms(moved, seat, move) for move in moved.places()]


def _add_stop(
    terms: WayTerms,
    market: Market,
    seat: int,
    stop: Stop,
    choices: list[RugTerms],
    best: RugTerms,
) -> None:
    share = stop.sixths / 6
    terms.earn += share * best.earn
    terms.shown += share * best.shown
    terms.hit += share * best.hit
    terms.near += share * best.near
    terms.flow += share * best.flow
    terms.joins += stop.sixths * any(choice.joined for choice in choices)
    terms.largest += share * max(choice.size for choice in choices)
    terms.traps += share * max(choice.open for choice in choices)
    terms.passed += share * _passing(market.after_walking(seat, stop), market.next_seat(seat))
    for rival in terms.reach:
        terms.reach[rival] += stop.sixths * any(choice.hides[rival] for choice in choices)
        terms.hurts[rival] += share * (best.hides[rival] + best.cost[rival])


def _passing(market: Market, walker: int) -> float:
    """What a walk costs from here, over the die and all ways alike."""
    ways = [market.way(walker, facing) for facing in market.ways]
    return sum(stop.sixths * stop.paid / 6 for way in ways for stop in way) / len(ways)


# ---------------------------------------------------------------- ways for the next player (S40)


@dataclass(slots=True)
class SendTerms:
    """A way on which the next player has to walk Omar."""

    facing: int
    stops: list[Stop]
    pay: float  # to me
    free: int
    worst: int
    harm: float  # what the walker's best rug takes from me
    home: int  # rolls that stop on the walker's own carpets


def send_terms(market: Market, seat: int, move: int) -> SendTerms:
    facing, walker = market.turned(move), market.walker
    stops = market.way(walker, facing)
    own = market.fields(walker)
    return SendTerms(
        facing=facing,
        stops=stops,
        pay=_paid_to(stops, seat),
        free=sum(stop.sixths for stop in stops if not stop.paid),
        worst=max(stop.paid for stop in stops),
        harm=_harm(market, seat, walker, facing),
        home=sum(stop.sixths for stop in stops if own >> stop.field & 1),
    )
