"""Suleika for the board display: possible walks and tolls, areas a rug would form, holdings."""

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import msgspec

from souk.core.position import Position
from souk.games.suleika import rules
from souk.games.suleika.notation import DIRECTIONS, INITIALS, TURNS, Direction, field_name
from souk.games.suleika.paths import walk, way_text
from souk.kernel.bitset import bit, count
from souk.kernel.interpreter import fast_rule

LONGEST = 4  # most steps the die shows
FIELDS = range(rules.SIDE * rules.SIDE)
NOBODY = -1
_SIDES: dict[Direction, int] = {"n": 2, "e": 3, "s": 1, "w": 0}  # numbering of `rules.beside`
_NEAR = [  # by field: its neighbours
    {to: near for to, side in _SIDES.items() if (near := rules.beside(field, side)) >= 0}
    for field in FIELDS
]

_halves, _price = fast_rule(rules.halves), fast_rule(rules.price)
_pay_owner, _colour_at = fast_rule(rules.pay_owner), fast_rule(rules.colour_at)

# ---------------------------------------------------------------- fixed for a game


class SuleikaBox(msgspec.Struct):
    colours: list[str]  # by seat: the initials of its colours
    balconies: list[str]  # field sides they join, such as "a7n b7n"
    sixths: list[int]  # by number of steps: die faces showing it


def box(pos: Position) -> SuleikaBox:
    s = pos.state
    colours = [
        "".join(INITIALS[c] for c in range(4) if rules.owner(s, c) == seat)
        for seat in range(s.players)
    ]
    return SuleikaBox(colours, BALCONIES, _die())


def _balconies() -> list[str]:
    """S12: every balcony once, found by walking off the market at every edge."""
    balconies = set()
    for field in FIELDS:
        for facing in range(4):
            [(back, now)] = walk(field, facing, 1)
            if now != facing:
                inside = DIRECTIONS[rules.turned(now, rules.BACK)]
                balconies.add(
                    " ".join(
                        sorted((field_name(field) + DIRECTIONS[facing], field_name(back) + inside))
                    )
                )
    return sorted(balconies)


BALCONIES = _balconies()


def _die() -> list[int]:
    """S6: how many of the die's six faces show one step, two, and so on."""
    faces, weights = [0] * rules.WIDEST, [0] * rules.WIDEST
    n = rules.outcomes(SimpleNamespace(phase=rules.DIE), faces, weights)
    return weights[:n]


# ---------------------------------------------------------------- the position


class Way(msgspec.Struct, omit_defaults=True):
    """A way Omar may go. If any stop costs something: tolls owed, tolls payable, and payees."""

    faces: Direction
    way: str
    owed: list[int] = []
    pays: list[int] = []
    to: list[int] = []


class SuleikaScene(msgspec.Struct, omit_defaults=True):
    halves: list[int]  # by seat: visible rug halves
    rugs: list[int]  # by seat: rugs still to lay
    # By field of a rug visible on that field alone: where its other half seems to lie.
    covered: dict[str, Direction]
    # For the seat turning Omar: who will walk him, and his possible ways.
    walker: int | None = None
    ways: dict[str, Way] = {}
    # For the seat laying a rug: the area each move would form.
    areas: list[int] = []


def scene(pos: Position, seat: int) -> SuleikaScene:
    s = pos.state
    info = SuleikaScene(
        [*_halves_of(tuple(s.cover), s.players)],
        [int(rules.rugs_left(s, owner)) for owner in range(s.players)],
        _covered(tuple(s.rug)),
    )
    if s.turn == seat and s.phase == rules.TURN:
        info.walker = int(rules.walker(s))
        trial: Any = s.copy()
        info.ways = {
            TURNS[move]: _way(s, rules.turned(s.facing, move), trial)
            for move in pos.move_codes(seat)
        }
    elif s.turn == seat and s.phase == rules.RUG:
        info.areas = [_area_with(s, move) for move in pos.move_codes(seat)]
    return info


@lru_cache(maxsize=512)
def _halves_of(cover: tuple[int, ...], players: int) -> list[int]:
    """By seat: visible halves. Cached: they change only when a rug is laid."""
    s = SimpleNamespace(cover=cover, players=players)
    return [int(_halves(s, seat)) for seat in range(players)]


@lru_cache(maxsize=2048)
def _covered(rugs: tuple[int, ...]) -> dict[str, Direction]:
    """By field showing a single rug half: the first direction in which a later rug lies.

    The position does not say which neighbour hides the other half. Cached: all seats see the same.
    """
    directions: dict[str, Direction] = {}
    for field, rug in enumerate(rugs):
        if rug:
            around = [rugs[near] for near in _NEAR[field].values()]
            if rug not in around:
                later = (to for to, other in zip(_NEAR[field], around, strict=True) if other > rug)
                directions[field_name(field)] = next(later, "n")
    return directions


def _way(s: Any, facing: int, trial: Any) -> Way:
    walked = walk(s.omar, facing, LONGEST)
    way = Way(DIRECTIONS[facing], way_text(facing, walked))  # type: ignore[arg-type]
    tolls = [_toll(s, field, trial) for field, _ in walked]
    if any(owed for owed, _, _ in tolls):
        way.owed, way.pays, way.to = (list(column) for column in zip(*tolls, strict=True))
    return way


def _toll(s: Any, field: int, trial: Any) -> tuple[int, int, int]:
    """S13–S16: toll owed at a stop, what the purse can pay of it, and the payee.

    Tried out in `trial`, where only purses and Omar change.
    """
    who = rules.walker(s)
    owed = int(_price(s, who, field))
    if not owed:
        return 0, 0, NOBODY
    trial.money[:] = s.money
    trial.turn, trial.omar = who, field
    _pay_owner(trial)
    return owed, int(s.money[who] - trial.money[who]), int(rules.owner(s, _colour_at(s, field)))


def _area_with(s: Any, move: int) -> int:
    """S13: size of the area the rug would join."""
    near, far = rules.near_half(move), rules.far_half(move)
    colour = s.up if s.players == 2 else s.turn
    return int(count(rules.connected(s.cover[colour] | bit(near) | bit(far), near)))
