"""Suleika: a market that is cheap to copy, for weighing one move against another.

Holds a state as plain numbers that the rules run on, with what the comparison of moves counts:
carpets, tolls, ways and places for a rug.
"""

from functools import cache, lru_cache
from math import sqrt
from typing import Any

from souk.games.suleika import rules
from souk.games.suleika.paths import HEADINGS, STOPS
from souk.kernel.bitset import bit, write_members
from souk.kernel.interpreter import fast_rule

SIXTHS = (1, 2, 2, 1)  # S6: faces of the die that show one to four steps
# How likely Omar is to stop on a field, for each square of a carpet: about 1/49, fitted.
_INCOME = 0.025
_FIELDS = rules.SIDE**2
_LISTS = ("cover", "rug", "money", "left")
_NUMBERS = ("last", "omar", "facing", "phase", "turn", "up", "players", "turn_at_end")

_colour_at, _owner = fast_rule(rules.colour_at), fast_rule(rules.owner)
_price, _places = fast_rule(rules.price), fast_rule(rules.places)
_rug_at_place, _lay = fast_rule(rules.rug_at_place), fast_rule(rules.lay)
_after_laying = fast_rule(rules.after_laying)
_turned, _walker = fast_rule(rules.turned), fast_rule(rules.walker)


class Stop:
    """One way's stop: how many of six faces lead there, and what it costs the walker."""

    __slots__ = ("facing", "field", "paid", "sixths", "to")

    def __init__(self, sixths: int, field: int, facing: int, paid: int, to: int) -> None:
        self.sixths, self.field, self.facing, self.paid, self.to = sixths, field, facing, paid, to


class Market:
    """A state in plain numbers."""

    cover: list[int]
    rug: list[int]
    money: list[int]
    left: list[int]
    last: int
    omar: int
    facing: int
    phase: int
    turn: int
    up: int
    players: int
    turn_at_end: int

    def __init__(self, state: Any) -> None:
        for name in _LISTS:
            setattr(self, name, [int(number) for number in getattr(state, name)])
        for name in _NUMBERS:
            setattr(self, name, int(getattr(state, name)))

    def copy(self) -> "Market":
        other = Market.__new__(Market)
        vars(other).update(vars(self))
        for name in _LISTS:
            setattr(other, name, getattr(self, name)[:])
        return other

    # ------------------------------------------------------------ seats

    def colours(self, seat: int) -> tuple[int, ...]:
        return (2 * seat, 2 * seat + 1) if self.players == 2 else (seat,)

    def rivals(self, seat: int) -> list[int]:
        return [rival for rival in range(self.players) if rival != seat]

    def fields(self, seat: int) -> int:
        """The fields where a seat's rugs are visible."""
        shown = 0
        for colour in self.colours(seat):
            shown |= self.cover[colour]
        return shown

    def halves(self, seat: int) -> int:
        return self.fields(seat).bit_count()

    def points(self, seat: int) -> int:
        return self.money[seat] + self.halves(seat)

    def squares(self, seat: int) -> int:
        """Σ area² of a seat's carpets: how often they are stepped on, times what that costs."""
        return sum(squares(self.cover[colour]) for colour in self.colours(seat))

    def carpets(self, seat: int) -> list[int]:
        return [area for colour in self.colours(seat) for area in areas(self.cover[colour])]

    @property
    def turns(self) -> int:
        """Rugs still to be laid."""
        return sum(self.left)

    def income(self, seat: int) -> float:
        """What a square of an area still earns a seat: fewer turns, and later ones count less."""
        turns = self.turns
        own = sum(self.left[colour] for colour in self.colours(seat))
        return _INCOME * sqrt(max(turns - 1, 0)) * (1 - own / turns) if turns else 0.0

    def holding(self, seat: int) -> float:
        """A seat's visible halves and what its carpets still earn."""
        return self.halves(seat) + self.income(seat) * self.squares(seat)

    def next_seat(self, seat: int) -> int:
        """The next seat with rugs to lay."""
        for k in range(1, self.players):
            following = (seat + k) % self.players
            if any(self.left[colour] for colour in self.colours(following)):
                return following
        return seat

    # ------------------------------------------------------------ Omar

    def area(self, field: int) -> int:
        """The carpet that a field belongs to."""
        colour = _colour_at(self, field)
        return rules.connected(self.cover[colour], field) if colour >= 0 else 0

    def way(self, walker: int, facing: int) -> list[Stop]:
        """S6, S13: the stops of a way, and what each costs."""
        stops = []
        for k, sixths in enumerate(SIXTHS):
            field, heading = _stop(self.omar, facing, k)
            paid = min(_price(self, walker, field), self.money[walker])
            to = _owner(self, _colour_at(self, field)) if paid else -1
            stops.append(Stop(sixths, field, heading, paid, to))
        return stops

    def turned(self, move: int) -> int:
        """S10: the direction after a turn."""
        return int(_turned(self.facing, move))

    @property
    def walker(self) -> int:
        return int(_walker(self))

    @property
    def ways(self) -> list[int]:
        """S10: the directions Omar can be given."""
        first = rules.BACK if self.last == 0 else rules.LEFT
        return [self.turned(move) for move in range(first, rules.STRAIGHT + 1)]

    def likely_way(self, walker: int) -> int:
        """The way a sensible player takes: little to pay, something to hide."""

        def cost(facing: int) -> float:
            return sum(
                stop.sixths * (stop.paid - 0.25 * self._prey(walker, stop.field))
                for stop in self.way(walker, facing)
            )

        return min(self.ways, key=cost)

    def _prey(self, walker: int, omar: int) -> float:
        """Others' halves that a rug beside Omar could hide."""
        others = 0
        for seat in self.rivals(walker):
            others |= self.fields(seat)
        return 0.25 * sum((pair & others).bit_count() for pair in _pairs_around(omar))

    def after_walking(self, walker: int, stop: Stop) -> "Market":
        """Omar has walked to a stop and the toll is paid."""
        then = self.copy()
        then.omar, then.facing, then.phase, then.turn = stop.field, stop.facing, rules.RUG, walker
        if stop.paid:
            then.money[walker] -= stop.paid
            then.money[stop.to] += stop.paid
        return then

    # ------------------------------------------------------------ rugs

    def places(self) -> list[int]:
        """S17–S19: the rugs that may be laid beside Omar, as moves."""
        bits = [0] * rules.WIDEST
        n = write_members(_places(self), bits)
        return [_rug_at_place(self, place) for place in bits[:n]]

    def lay(self, move: int) -> "Market":
        """The market after a rug."""
        then = self.copy()
        _lay(then, rules.near_half(move), rules.far_half(move))
        _after_laying(then)
        return then


@cache
def _stop(omar: int, facing: int, k: int) -> tuple[int, int]:
    return int(STOPS[omar, facing, k]), int(HEADINGS[omar, facing, k])


@lru_cache(20_000)
def areas(fields: int) -> tuple[int, ...]:
    """S13: the carpets of a colour's visible fields."""
    carpets = []
    while fields:
        area = rules.connected(fields, (fields & -fields).bit_length() - 1)
        carpets.append(area)
        fields &= ~area
    return tuple(carpets)


@lru_cache(20_000)
def squares(fields: int) -> int:
    return sum(area.bit_count() ** 2 for area in areas(fields))


def pieces(area: int, fields: int) -> int:
    """In how many pieces a carpet remains on the fields where it can still be seen."""
    return len(areas(area & fields))


@cache
def _pairs_around(omar: int) -> tuple[int, ...]:
    """The places for a rug beside Omar on an empty market, as sets of two fields."""
    pairs = []
    for near in _beside(omar):
        pairs += [bit(near) | bit(far) for far in _beside(near) if far != omar]
    return tuple(pairs)


def _beside(field: int) -> list[int]:
    return [other for side in range(4) if (other := rules.beside(field, side)) >= 0]


@cache
def exposure(field: int) -> int:
    """How many places for a rug, over all stops of Omar, cover a field."""
    return sum(pair >> field & 1 for omar in range(_FIELDS) for pair in _pairs_around(omar))


def from_edge(field: int) -> int:
    """Steps from the edge of the market."""
    column, row = divmod(field, rules.SIDE)
    return min(column, row, rules.SIDE - 1 - column, rules.SIDE - 1 - row)


# ---------------------------------------------------------------- who matters


def importance(market: Market, seat: int) -> dict[int, float]:
    """What a point taken from each rival is worth to a seat.

    With two players all of it; else most of it from whoever leads.
    """
    rivals = market.rivals(seat)
    strength = {rival: market.money[rival] + market.holding(rival) for rival in rivals}
    most = max(strength.values())
    raw = {rival: 1 / (1 + (most - strength[rival]) / 4) for rival in rivals}
    return {rival: raw[rival] / sum(raw.values()) for rival in rivals}


def strongest_rival(market: Market, seat: int) -> int | None:
    """The rival who stands out from the others by two points or more, with three or four."""
    rivals = sorted(market.rivals(seat), key=market.points, reverse=True)
    if len(rivals) > 1 and market.points(rivals[0]) - market.points(rivals[1]) >= 2:
        return rivals[0]
    return None
