"""Suleika: why one place for a rug is better than another, most specific first."""

from collections.abc import Iterator

from souk.core.messages import Message, Seat
from souk.core.reasons import Reason
from souk.games.suleika.explanations_market import (
    Market,
    areas,
    exposure,
    from_edge,
    importance,
    pieces,
    strongest_rival,
)
from souk.games.suleika.explanations_terms import RugTerms, rug_terms, rug_weights
from souk.games.suleika.explanations_ways import places
from souk.games.suleika.notation import COLOURS

_GROWTH = 0.1  # smallest parts of a lead that are reasons
_TRAP = 0.15
_CUT = 0.12
_FLOW = 0.06
_SAFE = 0.1
_EXPOSED = 12  # places from which a rug can be covered


def compare_rugs(market: Market, seat: int, better: int, other: int) -> list[Reason]:
    a, b = (rug_terms(market, seat, move, risky=True) for move in (better, other))
    comparison = _Rugs(market, seat, a, b)
    if not a.then.turns:
        return [*comparison.of_the_end()]
    return [
        *comparison.of_own_carpets(),
        *comparison.of_the_next_walk(),
        *comparison.of_cuts(),
        *comparison.of_hiding(),
        *comparison.of_safety(),
    ]


class _Rugs:
    def __init__(self, market: Market, seat: int, a: RugTerms, b: RugTerms) -> None:
        self.market, self.seat, self.a, self.b = market, seat, a, b
        self.me = Seat(seat)
        self.weigh = importance(market, seat)
        self.top = strongest_rival(market, seat)
        self.scale = rug_weights(market)

    # ------------------------------------------------------------ the last rug

    def of_the_end(self) -> Iterator[Reason]:
        """S31: only halves count any more."""
        a, b = self.a, self.b
        net = (a.shown - b.shown) + sum(
            weight * (a.hides[rival] - b.hides[rival]) for rival, weight in self.weigh.items()
        )
        if net <= 0:
            return
        hidden = {rival: n for rival, n in a.hides.items() if n}
        yield Reason("last_rug", "end", net, self._last(hidden).at(*_fields(a.fields)), last=True)

    def _last(self, hidden: dict[int, int]) -> Message:
        shown = self.a.shown
        if not hidden:
            return Message("suleika.why.last_shown", n=shown, me=self.me)
        who = max(hidden, key=lambda rival: (hidden[rival], self.weigh[rival]))
        if not shown:
            return Message("suleika.why.last_hides", m=hidden[who], who=Seat(who))
        return Message("suleika.why.last_rug", n=shown, m=hidden[who], who=Seat(who), me=self.me)

    # ------------------------------------------------------------ own carpets

    def of_own_carpets(self) -> Iterator[Reason]:
        a, b = self.a, self.b
        earn = self.scale.earn * (a.earn - b.earn)
        if earn > _GROWTH:
            yield from self._of_growth(earn)
        if a.shown > b.shown:
            message = Message("suleika.why.keep_own", n=2 - b.shown, me=self.me)
            covered = self.market.fields(self.seat) & _set(b.fields)
            about = message.at(*places(covered))
            yield Reason("keep_own", "own", float(a.shown - b.shown), about)

    def _of_growth(self, earn: float) -> Iterator[Reason]:
        a, b, about = self.a, self.b, places(self.a.area)
        if a.size > b.size and a.joined == 2 > b.joined:
            message = self._own("join_two", n=a.size)
            yield Reason("join_two", "carpet", earn + 0.1, message.at(*about))
        elif a.size > b.size and a.size > 2:
            message = self._own("join", n=a.size, m=b.size)
            yield Reason("join", "carpet", earn, message.at(*about))
        elif b.own_split > 1 or b.own_smaller:
            key = "keep_whole" if b.own_split > 1 else "keep_size"
            message = Message(f"suleika.why.{key}", me=self.me)
            lost = self.market.fields(self.seat) & _set(b.fields)
            yield Reason("keep_whole", "carpet", earn, message.at(*places(lost)))

    def _own(self, key: str, **values: int) -> Message:
        """A sentence about my carpet, with its colour if I have two."""
        if self.market.players > 2:
            return Message(f"suleika.why.{key}", me=self.me, **values)
        colour = _colour(self.market.up)
        return Message(f"suleika.why.{key}_of", me=self.me, colour=colour, **values)

    # ------------------------------------------------------------ the next walk

    def of_the_next_walk(self) -> Iterator[Reason]:
        a, b = self.a, self.b
        near = self.scale.near * (a.near - b.near)
        if near >= _TRAP and a.next != self.seat:
            message = self._trap()
            if message:
                yield Reason("trap", "next", near, message.at(*places(a.area)))
        starve = self.scale.flow * (a.flow - b.flow)
        who = max(self.weigh, key=lambda rival: b.pays.get(rival, 0) - a.pays.get(rival, 0))
        if (
            starve >= _FLOW
            and b.pays.get(who, 0) - a.pays.get(who, 0) > 0.1
            and b.pays_open[who] > a.pays_open[who]
        ):
            message = Message("suleika.why.starve", next=Seat(a.next), who=Seat(who))
            about = places(self.market.fields(who) & _set(a.fields))
            yield Reason("starve", "flow", starve, message.at(*about))

    def _trap(self) -> Message | None:
        a, b = self.a, self.b
        values = {"who": Seat(a.next), "me": self.me}
        if a.then.turn_at_end:
            return Message("suleika.why.aim", **values) if a.near > b.near else None
        if a.crossed > b.crossed:
            if a.crossed == len(a.then.ways):
                return Message("suleika.why.trap_all", **values)
            return Message("suleika.why.trap", n=a.crossed, **values)
        return Message("suleika.why.trap_more", **values) if a.stops > b.stops else None

    # ------------------------------------------------------------ rivals' carpets

    def of_cuts(self) -> Iterator[Reason]:
        a, b = self.a, self.b
        for rival, weight in self.weigh.items():
            cut = self.scale.hit * weight * (a.cost[rival] - b.cost[rival])
            if cut < _CUT or not a.hides[rival]:
                continue
            points = cut + weight * (a.hides[rival] - b.hides[rival])
            split = a.split[rival] > max(1, b.split[rival])
            key, message = ("cut", self._cut(rival)) if split else ("shrink", self._shrink(rival))
            yield Reason(key, "cover", points, message)

    def _cut(self, rival: int) -> Message:
        then, n = self.a.then, self.a.split[rival]
        colour, area = next(
            (colour, area)
            for colour in self.market.colours(rival)
            for area in areas(self.market.cover[colour])
            if pieces(area, then.cover[colour]) == n
        )
        about = places(area & then.cover[colour])
        who = Seat(rival)
        if n > 2:
            return Message("suleika.why.cut_up", who=who, n=n).at(*about)
        if self.market.players > 2:
            return Message("suleika.why.cut", who=who).at(*about)
        return Message("suleika.why.cut_of", who=who, colour=_colour(colour)).at(*about)

    def _shrink(self, rival: int) -> Message:
        lost = self.market.fields(rival) & _set(self.a.fields)
        return Message("suleika.why.shrink", who=Seat(rival)).at(*places(lost))

    def of_hiding(self) -> Iterator[Reason]:
        a, b, top = self.a, self.b, self.top
        if top is not None and a.hides[top] > b.hides[top]:
            leads = self.market.points(top) > self.market.points(self.seat)
            key = "hide_leader" if leads else "hide_rival"
            message = Message(f"suleika.why.{key}", n=a.hides[top], who=Seat(top))
            points = self.weigh[top] * (a.hides[top] - b.hides[top])
            yield Reason("hide_leader", "cover", points, message.at(*self._covered(top)))
        more = sum(
            weight * (a.hides[rival] - b.hides[rival]) for rival, weight in self.weigh.items()
        )
        if more > 0:
            yield Reason("hide", "cover", more, self._hide())

    def _hide(self) -> Message:
        hidden = [rival for rival, n in self.a.hides.items() if n]
        about = [place for rival in hidden for place in self._covered(rival)]
        if len(hidden) == 2:
            one, other = map(Seat, hidden)
            return Message("suleika.why.hide_both", who=one, other=other).at(*about)
        who, n = Seat(hidden[0]), self.a.hides[hidden[0]]
        return Message("suleika.why.hide", n=n, who=who).at(*about)

    def _covered(self, rival: int) -> list[str]:
        return places(self.market.fields(rival) & _set(self.a.fields))

    # ------------------------------------------------------------ what may happen to the rug

    def of_safety(self) -> Iterator[Reason]:
        a, b = self.a, self.b
        safe = self.scale.risk * (b.risk - a.risk)
        if safe >= _SAFE and b.risk_open > a.risk_open:
            message = Message("suleika.why.safe", who=Seat(a.next))
            yield Reason("safe", "safe", safe, message.at(*places(a.area)))
        exposed = [sum(map(exposure, terms.fields)) for terms in (a, b)]
        distance = [sum(map(from_edge, terms.fields)) for terms in (a, b)]
        if exposed[1] - exposed[0] >= _EXPOSED and distance[0] < distance[1]:
            message = Message("suleika.why.edge").at(*_fields(a.fields))
            yield Reason("edge", "edge", 0.15, message)


def _set(fields: tuple[int, int]) -> int:
    return 1 << fields[0] | 1 << fields[1]


def _fields(fields: tuple[int, int]) -> list[str]:
    return places(_set(fields))


def _colour(colour: int) -> Message:
    return Message(f"suleika.word.colour.{COLOURS[colour]}")
