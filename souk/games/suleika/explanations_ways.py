"""Suleika: why one way is better than another, most specific first."""

from collections.abc import Iterator

from souk.core.messages import Message, Seat
from souk.core.reasons import Reason
from souk.games.suleika import rules
from souk.games.suleika.explanations_market import Market, importance, strongest_rival
from souk.games.suleika.explanations_terms import (
    SendTerms,
    send_terms,
    way_terms,
    way_weights,
)
from souk.games.suleika.notation import DIRECTIONS, field_name

_LESS = 0.3  # smallest saving, on average, that is called cheaper
_EACH = 0.1  # smallest part of a lead for what comes after the walk
_FROM_THERE = {2: 0.15, 4: 0.3}  # the same for what can be covered
_DEARER = 0.25
_HARM = 0.95  # what a point of harm is worth next to a piastre, where the rival walks
_HOME = 0.06  # and a roll that stops on the rival's own carpet


def compare_ways(market: Market, seat: int, better: int, other: int) -> list[Reason]:
    """Compare two turns of Omar by the player who walks."""
    comparison = _Ways(market, seat, better, other)
    return [*comparison.of_tolls(), *comparison.of_what_follows()]


class _Ways:
    def __init__(self, market: Market, seat: int, better: int, other: int) -> None:
        self.market, self.seat = market, seat
        self.a, self.b = way_terms(market, seat, better), way_terms(market, seat, other)
        self.weigh = importance(market, seat)
        self.top = strongest_rival(market, seat)
        self.saved = self.b.pay - self.a.pay
        self.cost = self.saved + self.b.gift - self.a.gift
        self.dearest = max(self.b.stops, key=lambda stop: stop.paid)
        self.way, self.other = heading(self.a.facing), heading(self.b.facing)

    # ------------------------------------------------------------ tolls

    def of_tolls(self) -> Iterator[Reason]:
        a, b = self.a, self.b
        me, about = Seat(self.seat), places(self.market.area(self.dearest.field))
        if a.free == 6 > b.free:
            yield _toll(
                "way_free",
                self.cost + 0.1,
                Message(
                    "suleika.why.way_free", way=self.way, other=self.other, n=b.worst, me=me
                ).at(*about),
            )
        elif a.free > b.free > 0:
            yield _toll(
                "way_safer",
                max(self.cost, 0.3),
                Message("suleika.why.way_safer", n=a.free, other=self.other, m=b.free).at(*about),
            )
        elif a.free > b.free:
            yield _toll(
                "way_safer",
                max(self.cost, 0.3),
                Message("suleika.why.way_never", n=a.free, other=self.other, me=me).at(*about),
            )
        if a.free < 6:
            yield from self._of_prices(me, about)

    def _of_prices(self, me: Seat, about: list[str]) -> Iterator[Reason]:
        a, b = self.a, self.b
        if b.worst - a.worst >= 2:
            message = Message(
                "suleika.why.way_worst", n=a.worst, m=b.worst, who=Seat(self.dearest.to), me=me
            )
            points = max(self.cost, 0.1) * 0.95 + 0.05 * (b.worst - a.worst)
            yield _toll("way_worst", points, message.at(*about))
        if self.saved >= _LESS:
            yield _toll("way_cheaper", self.cost * 0.9, self._cheaper(me))
        top = self.top
        if (
            top is not None
            and b.to[top] - a.to[top] >= _DEARER
            and b.rolls_to[top] > a.rolls_to[top]
            and self.saved > -0.4
        ):
            key = "way_payee" if self._leads(top) else "way_rival"
            points = self.weigh[top] * (b.to[top] - a.to[top]) + 0.1
            message = Message(f"suleika.why.{key}", who=Seat(top), me=me)
            yield _toll("way_payee", points, message.at(*self._carpet_of(top)))

    def _cheaper(self, me: Seat) -> Message:
        """Names whose carpet makes the other way dear, if it is one rival's."""
        dear = max(self.b.to, key=lambda rival: self.b.to[rival] - self.a.to[rival])
        if self.b.to[dear] - self.a.to[dear] >= _LESS:
            message = Message("suleika.why.way_cheaper", who=Seat(dear), other=self.other, me=me)
            return message.at(*self._carpet_of(dear))
        return Message("suleika.why.way_less", me=me, other=self.other)

    def _leads(self, rival: int) -> bool:
        return self.market.points(rival) > self.market.points(self.seat)

    def _carpet_of(self, rival: int) -> list[str]:
        """The dearest carpet of a rival on the other way."""
        stops = [stop for stop in self.b.stops if stop.to == rival]
        dearest = max(stops, key=lambda stop: stop.paid)
        return places(self.market.area(dearest.field))

    # ------------------------------------------------------------ what follows

    def of_what_follows(self) -> Iterator[Reason]:
        a, b, scale = self.a, self.b, way_weights(self.market)
        yield from self._of_growth(scale.earn * (a.earn + a.shown - b.earn - b.shown))
        yield from self._of_reach(scale.hit * (a.hit - b.hit))
        who = Seat(self.market.next_seat(self.seat))
        near = scale.near * (a.near - b.near)
        if near >= _EACH and a.traps > b.traps:
            message = Message("suleika.why.way_trap", who=who, me=Seat(self.seat))
            own = max(self.market.carpets(self.seat), key=int.bit_count, default=0)
            yield Reason("way_trap", "next", near, message.at(*places(own)))
        flow = scale.flow * (a.flow - b.flow)
        if flow >= 0.15 and a.passed > b.passed and self.market.players > 2:
            message = Message("suleika.why.way_pass_on", who=who)
            yield Reason("way_pass_on", "next", flow, message)

    def _of_growth(self, points: float) -> Iterator[Reason]:
        a, b, me = self.a, self.b, Seat(self.seat)
        if points < _EACH:
            return
        own = self.market.colours(self.seat)
        colour = self.market.up if self.market.players == 2 else own[0]
        about = places(self.market.cover[colour])
        if a.home > b.home:
            message = Message("suleika.why.way_home", me=me)
            yield Reason("way_home", "grow", points, message.at(*about))
        elif a.joins > b.joins:
            message = Message("suleika.why.way_grow", n=a.joins, m=b.joins, me=me)
            yield Reason("way_grow", "grow", points, message.at(*about))
        elif a.largest > b.largest:
            message = Message("suleika.why.way_larger", me=me)
            yield Reason("way_grow", "grow", points, message.at(*about))

    def _of_reach(self, points: float) -> Iterator[Reason]:
        a, b = self.a, self.b
        if points < _FROM_THERE[2 if self.market.players == 2 else 4]:
            return
        target = max(self.weigh, key=lambda rival: a.hurts[rival] - b.hurts[rival])
        if not a.reach[target]:
            return
        largest = max(self.market.carpets(target), key=int.bit_count, default=0)
        values = {"who": Seat(target), "me": Seat(self.seat)}
        if a.reach[target] > b.reach[target]:
            message = Message(
                "suleika.why.way_reach", n=a.reach[target], m=b.reach[target], **values
            )
        else:
            message = Message("suleika.why.way_cut", **values)
        yield Reason("way_cut", "cover", points, message.at(*places(largest)))


# ---------------------------------------------------------------- S40: sending the next player


def compare_sends(market: Market, seat: int, better: int, other: int) -> list[Reason]:
    """S40: compare two ways on which the next player has to walk: dear for them is good."""
    a, b = send_terms(market, seat, better), send_terms(market, seat, other)
    who = Seat(market.walker)
    reasons = [*_of_sending_dear(market, a, b, who, Seat(seat))]
    spared = _HARM * (b.harm - a.harm)
    if spared >= _EACH:
        own = max(market.carpets(seat), key=int.bit_count, default=0)
        message = Message("suleika.why.send_past", who=who, me=Seat(seat)).at(*places(own))
        reasons.append(Reason("send_past", "next", spared, message))
    if b.home > a.home:
        message = Message("suleika.why.send_off", who=who, other=heading(b.facing))
        reasons.append(Reason("send_off", "grow", _HOME * (b.home - a.home), message))
    return reasons


def _of_sending_dear(
    market: Market, a: SendTerms, b: SendTerms, who: Seat, me: Seat
) -> Iterator[Reason]:
    points = a.pay - b.pay
    if points < 0.2:
        return
    about = places(market.area(max(a.stops, key=lambda stop: stop.paid).field))
    if a.free < b.free:
        message = Message(
            "suleika.why.send_dear", who=who, n=6 - a.free, m=6 - b.free, other=heading(b.facing)
        )
        yield _toll("send_dear", points, message.at(*about))
    elif a.worst > b.worst:
        message = Message("suleika.why.send_worst", who=who, n=a.worst, m=b.worst, me=me)
        yield _toll("send_dear", points, message.at(*about))
    else:
        message = Message("suleika.why.send_more", who=who, me=me, other=heading(b.facing))
        yield _toll("send_dear", points, message.at(*about))


# ---------------------------------------------------------------- shared


def heading(facing: int) -> Message:
    return Message(f"suleika.heading.{DIRECTIONS[facing]}")


def places(area: int) -> list[str]:
    """The fields of a set as places of a message."""
    return [f"field {field_name(field)}" for field in range(rules.SIDE**2) if area >> field & 1]


def _toll(key: str, points: float, message: Message) -> Reason:
    return Reason(key, "toll", points, message)
