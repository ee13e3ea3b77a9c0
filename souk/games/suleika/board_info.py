"""Suleika for the eye: where Omar may walk and what that would cost, what a rug would join, who has what."""

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import msgspec

from souk.core.position import Position
from souk.games.suleika import rules
from souk.games.suleika.notation import DIRECTIONS, INITIALS, TURNS, Direction, field_name
from souk.games.suleika.ways import walk, way_text
from souk.kernel.bits import bit, count
from souk.kernel.interpreting import quick

LONGEST = 4  # the most steps the die may show
FIELDS = range(rules.SIDE * rules.SIDE)
NOBODY = -1
_SIDES: dict[Direction, int] = {"n": 2, "e": 3, "s": 1, "w": 0}  # as `rules.beside` counts them
_NEAR = [  # by field: those beside it
    {to: near for to, side in _SIDES.items() if (near := rules.beside(field, side)) >= 0} for field in FIELDS
]

_halves, _price = quick(rules.halves), quick(rules.price)
_pay_owner, _colour_at = quick(rules.pay_owner), quick(rules.colour_at)

# ---------------------------------------------------------------- what never changes


class SuleikaBox(msgspec.Struct):
    colours: list[str]  # by seat: the initials of its colours
    balconies: list[str]  # the sides of fields that they join, such as "a7n b7n"
    sixths: list[int]  # how many of the die's faces show one step, two, and so on


def box(pos: Position) -> SuleikaBox:
    s = pos.state
    colours = ["".join(INITIALS[c] for c in range(4) if rules.owner(s, c) == seat) for seat in range(s.players)]
    return SuleikaBox(colours, BALCONIES, _die())


def _balconies() -> list[str]:
    """S12: every balcony once, found by walking off the market wherever it ends."""
    found = set()
    for field in FIELDS:
        for facing in range(4):
            [(back, now)] = walk(field, facing, 1)
            if now != facing:
                inside = DIRECTIONS[rules.turned(now, rules.BACK)]
                found.add(" ".join(sorted((field_name(field) + DIRECTIONS[facing], field_name(back) + inside))))
    return sorted(found)


BALCONIES = _balconies()


def _die() -> list[int]:
    """S6: how many of the die's six faces show one step, two, and so on."""
    faces, weights = [0] * rules.WIDEST, [0] * rules.WIDEST
    n = rules.outcomes(SimpleNamespace(phase=rules.DIE), faces, weights)
    return weights[:n]


# ---------------------------------------------------------------- what lies on the table


class Way(msgspec.Struct, omit_defaults=True):
    """A way that Omar may go. Where any stop on it costs something: what would be owed on each, what paid, and to whom."""

    faces: Direction
    way: str
    owed: list[int] = []
    pays: list[int] = []
    to: list[int] = []


class SuleikaScene(msgspec.Struct, omit_defaults=True):
    halves: list[int]  # by seat: those that can be seen
    rugs: list[int]  # by seat: those still to lay
    covered: dict[str, Direction]  # by field of a rug that shows there alone: where its other half seems to lie
    walker: int | None = None  # for whoever is to turn Omar: who will walk him
    ways: dict[str, Way] = {}  # and the ways he may be sent
    areas: list[int] = []  # for whoever is to lay a rug: the area that each of the moves would make


def scene(pos: Position, seat: int) -> SuleikaScene:
    s = pos.state
    found = SuleikaScene(
        [*_halves_of(tuple(s.cover), s.players)],
        [int(rules.rugs_left(s, each)) for each in range(s.players)],
        _covered(tuple(s.rug)),
    )
    if s.turn == seat and s.phase == rules.TURN:
        found.walker = int(rules.walker(s))
        trial: Any = s.copy()
        found.ways = {TURNS[move]: _way(s, rules.turned(s.facing, move), trial) for move in pos.move_codes(seat)}
    elif s.turn == seat and s.phase == rules.RUG:
        found.areas = [_area_with(s, move) for move in pos.move_codes(seat)]
    return found


@lru_cache(maxsize=512)
def _halves_of(cover: tuple[int, ...], players: int) -> list[int]:
    """By seat: the halves that can be seen. They change with a rug only."""
    s = SimpleNamespace(cover=cover, players=players)
    return [int(_halves(s, seat)) for seat in range(players)]


@lru_cache(maxsize=2048)
def _covered(rugs: tuple[int, ...]) -> dict[str, Direction]:
    """By field where a rug shows whose other half does not: the first direction in which one was laid later. (Under which
    of its neighbours the other half lies, a position does not hold.) Worked out once, as every seat is shown the same."""
    found: dict[str, Direction] = {}
    for field, rug in enumerate(rugs):
        if rug:
            around = [rugs[near] for near in _NEAR[field].values()]
            if rug not in around:
                later = (to for to, other in zip(_NEAR[field], around, strict=True) if other > rug)
                found[field_name(field)] = next(later, "n")
    return found


def _way(s: Any, facing: int, trial: Any) -> Way:
    walked = walk(s.omar, facing, LONGEST)
    way = Way(DIRECTIONS[facing], way_text(facing, walked))  # type: ignore[arg-type]
    tolls = [_toll(s, field, trial) for field, _ in walked]
    if any(owed for owed, _, _ in tolls):
        way.owed, way.pays, way.to = (list(column) for column in zip(*tolls, strict=True))
    return way


def _toll(s: Any, field: int, trial: Any) -> tuple[int, int, int]:
    """S13–S16: what a stop would cost, what the purse can pay of it, and whose it would be. It is tried in `trial`, where only purses and Omar change."""
    who = rules.walker(s)
    owed = int(_price(s, who, field))
    if not owed:
        return 0, 0, NOBODY
    trial.money[:] = s.money
    trial.turn, trial.omar = who, field
    _pay_owner(trial)
    return owed, int(s.money[who] - trial.money[who]), int(rules.owner(s, _colour_at(s, field)))


def _area_with(s: Any, move: int) -> int:
    """S13: how large an area the rug would be part of, once laid."""
    near, far = rules.near_half(move), rules.far_half(move)
    colour = s.up if s.players == 2 else s.turn
    return int(count(rules.connected(s.cover[colour] | bit(near) | bit(far), near)))
