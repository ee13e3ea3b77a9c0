"""Solitaire puzzles of Bazaar with known dice, in three grades, solved by breadth-first search."""

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from souk.core.game_modules import Options
from souk.core.position import Position
from souk.games.bazaar.board_info import choices
from souk.games.bazaar.box import RATE_CARDS
from souk.games.bazaar.notation import FACES
from souk.games.bazaar.rules import ACT, BUY, CHOICE_FACE, price
from souk.games.bazaar.solitaire_solver import all_hands, transitions

DICE = 12  # known beforehand
GRADES = ("easy", "medium", "hard")
_LENGTHS = {"easy": (4, 5), "medium": (6, 7), "hard": (8, 10)}  # actions of a shortest solution
# Shortest solutions: with more of them the choice hardly matters.
_MOST_WAYS = 12

Place = tuple[int, int]  # number of a hand, and dice used
# By number of actions: places first reached then, and the number of ways there.
Layers = list[dict[Place, int]]


def draw_solitaire(grade: str, rng: Random) -> tuple[Options, list[str]] | None:
    """Rate cards, a ware and dice; None if the solution's length misses the grade or
    solutions are too many.
    """
    from souk.games.bazaar import GAME

    rates = sorted(rng.sample(range(1, RATE_CARDS + 1), 2))
    ware = rng.choice(choices(GAME.start(players=1))["ware"])
    coming = [rng.choice(FACES) for _ in range(DICE)]
    start = GAME.start(players=1, rates=tuple(rates), ware=ware)
    layers, (low, high) = _layers(start, coming), _LENGTHS[grade]
    goal = _goal_in(start, layers[-1])
    fits = goal is not None and low <= len(layers) - 1 <= high and layers[-1][goal] <= _MOST_WAYS
    return ({"rates": rates, "ware": ware}, coming) if fits else None


def shortest(start: Position, coming: Sequence[str]) -> list[str]:
    """The moves of a shortest solution, including the purchase at its end."""
    pos, used, moves = start.copy(), 0, []
    for place in _way(start, coming)[1:]:
        step = next(
            step for step in _actions(pos, coming, used) if _place(step[1], step[2]) == place
        )
        moves += step[0]
        _, pos, used = step
    return [*moves, "buy 1"]


# ---------------------------------------------------------------- search over hands


def _layers(start: Position, coming: Sequence[str]) -> Layers:
    """All places by number of actions, up to the first layer where the ware is payable.

    Without a last layer if it never is.
    """
    layers: Layers = [{(0, 0): 1}]
    seen = set(layers[0])
    while layers[-1] and _goal_in(start, layers[-1]) is None:
        following: dict[Place, int] = {}
        for place, ways in layers[-1].items():
            for then in _next(start, coming, place):
                if then not in seen:
                    following[then] = following.get(then, 0) + ways
        seen |= following.keys()
        layers.append(following)
    return layers


def _next(start: Position, coming: Sequence[str], place: Place) -> set[Place]:
    """Places one action away."""
    (hand, used), (trade_to, roll_to) = place, transitions(start.options["rates"])
    places = {(int(to), used) for to in trade_to[hand] if to >= 0}
    if used < len(coming):
        face = FACES.index(coming[used])
        rolled = roll_to[hand] if face == CHOICE_FACE else roll_to[hand, face]
        places |= {(int(to), used + 1) for to in rolled.reshape(-1) if to >= 0}
    return places


def _goal_in(start: Position, layer: dict[Place, int]) -> Place | None:
    """A place of a layer with exactly the chips for the ware."""
    goal = int(np.searchsorted(all_hands(), price(start.state, 0)))
    return next((place for place in sorted(layer) if place[0] == goal), None)


def _way(start: Position, coming: Sequence[str]) -> list[Place]:
    """The places of a shortest solution."""
    layers = _layers(start, coming)
    goal = _goal_in(start, layers[-1])
    if goal is None:
        raise ValueError("coming: the ware cannot be had with these dice")
    way = [goal]
    for layer in reversed(layers[:-1]):
        way.append(next(place for place in sorted(layer) if way[-1] in _next(start, coming, place)))
    return way[::-1]


# ---------------------------------------------------------------- moves


def _actions(
    pos: Position, coming: Sequence[str], used: int, before: tuple[str, ...] = ()
) -> Iterator[tuple[list[str], Position, int]]:
    """Every action of a position, as its moves with the resulting position and dice used."""
    for move in pos.moves(0):
        then, more = pos.copy(), used
        then.play(0, move)
        if not then.over and not then.actors and used < len(coming):
            then.resolve(coming[used])
            more += 1
        if then.state.phase in (ACT, BUY):
            yield [*before, move], then, more
        elif then.actors:
            yield from _actions(then, coming, more, (*before, move))


def _place(pos: Position, used: int) -> Place:
    return int(np.searchsorted(all_hands(), pos.state.chips[0])), used
