"""Bazaar claims counted by playing: positions set up in JSON, moves, and the sales that follow."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import souk
from souk.core.facts import Fact
from souk.core.position import Position
from souk.games.bazaar.facts import Sold

BAZAAR = souk.game("bazaar")
COLOURS = ("white", "blue", "green", "red", "yellow")
LETTERS = "WBGRY"
LIMIT = 10

Chips = tuple[int, ...]
Sales = dict[int, int]  # stall from 1: points


def after(pos: Position, seat: int, move: str) -> Position:
    then = pos.copy()
    then.play(seat, move)
    return then


def chips_of(pos: Position, seat: int) -> Chips:
    return tuple(pos.to_json()["chips"][seat])


def on_turn(pos: Position, seat: int, chips: Chips) -> Position:
    """The same stalls with this seat to act, holding these chips."""
    # A hand above the limit belongs to a seat that buys, which does not matter to the others.
    hands = [hand if sum(hand) <= LIMIT else [0] * 5 for hand in pos.to_json()["chips"]]
    hands[seat] = list(chips)
    bank = [20 - sum(column) for column in zip(*hands, strict=True)]
    changed = {"phase": "act", "turn": seat, "chips": hands, "bank": bank}
    return BAZAAR.from_json(pos.to_json() | changed)


def all_sales(pos: Position, seat: int) -> dict[tuple[int, ...], list[int]]:
    """Every purchase open now, of one ware or two, with the points of each ware."""
    sales: dict[tuple[int, ...], list[int]] = {}
    for move in pos.moves(seat) if seat in pos.actors else []:
        if move.startswith("buy"):
            facts: list[Fact] = []
            pos.copy().play(seat, move, facts.append)
            points = [fact.points for fact in facts if isinstance(fact, Sold)]
            sales[tuple(map(int, move.split()[1:]))] = points
    return sales


def sales_now(pos: Position, seat: int) -> Sales:
    return {
        stalls[0]: points[0] for stalls, points in all_sales(pos, seat).items() if len(stalls) < 2
    }


def sales_after(pos: Position, seat: int, move: str) -> Sales:
    """The cards a move pays for: a purchase that one, a trade all that it leads to."""
    if move.startswith("buy"):
        points = all_sales(pos, seat)[tuple(map(int, move.split()[1:]))]
        return {int(move.split()[1]): sum(points)}
    return sales_now(after(pos, seat, move), seat)


@lru_cache(20000)
def _steps(
    text: str, seat: int, chips: Chips
) -> tuple[tuple[Chips, ...], tuple[tuple[int, int], ...]]:
    """Hands one trade on, and the best sales on the way there."""
    pos = on_turn(BAZAAR.from_json(json.loads(text)), seat, chips)
    hands, best = set(), Sales()
    for move in pos.moves(seat):
        if move.startswith("trade"):
            then = after(pos, seat, move)
            hands.add(chips_of(then, seat))
            for stall, points in sales_now(then, seat).items():
                best[stall] = max(best.get(stall, 0), points)
    return tuple(hands), tuple(best.items())


def exactly(pos: Position, seat: int, chips: Chips, trades: int) -> Sales:
    """The best sales after exactly so many trades in so many turns, nobody else playing."""
    text, layer = _setting(pos), {chips}
    for _ in range(trades - 1):
        layer = {
            then for hand in layer for then in _steps(text, seat, hand)[0] if sum(then) <= LIMIT
        }
    best = Sales()
    for hand in layer:
        for stall, points in _steps(text, seat, hand)[1]:
            best[stall] = max(best.get(stall, 0), points)
    return best


def _setting(pos: Position) -> str:
    """The position as text, in a phase that allows any hand."""
    return json.dumps(on_turn(pos, 0, (0,) * 5).to_json())


def fewest(pos: Position, seat: int, chips: Chips, stall: int | None, most: int) -> int:
    """Trades to a card, or to any; `most` + 1 if it is further away."""
    for trades in range(1, most + 1):
        sales = exactly(pos, seat, chips, trades)
        if stall in sales if stall else sales:
            return trades
    return most + 1


def most_points(pos: Position, seat: int, chips: Chips, most: int) -> int:
    """The most points that up to so many trades bring."""
    ways = range(1, most + 1)
    return max(
        (points for n in ways for points in exactly(pos, seat, chips, n).values()), default=0
    )


def buyers_next(pos: Position, seat: int, stall: int) -> list[int]:
    """Rivals who could buy a card on their next turn by one trade."""
    rivals = [rival for rival in range(pos.players) if rival != seat]
    return [rival for rival in rivals if stall in exactly(pos, rival, chips_of(pos, rival), 1)]


def missing(pos: Position, chips: Chips, stall: int) -> int:
    top = pos.to_json()["stalls"][stall - 1]["top"]
    return sum(max(0, top.count(c) - n) for c, n in zip(LETTERS, chips, strict=True))


def faces(pos: Position, seat: int, chips: Chips) -> Iterator[Position]:
    """The six positions after a roll, Choice last."""
    rolled = after(on_turn(pos, seat, chips), seat, "roll")
    for face in (*COLOURS, "choice"):
        then = rolled.copy()
        then.resolve(face)
        yield then


def ends_of_roll(pos: Position, seat: int, chips: Chips) -> list[list[Position]]:
    """By face, the positions it may lead to: with Choice one for every colour."""
    return [
        [after(then, seat, move) for move in then.moves(seat)]
        if then.to_json()["phase"] == "choice"
        else [then]
        for then in faces(pos, seat, chips)
    ]


def buying_faces(pos: Position, seat: int, chips: Chips) -> int:
    return sum(any(sales_now(end, seat) for end in ends) for ends in ends_of_roll(pos, seat, chips))


def hands_after(pos: Position, seat: int, move: str) -> list[Chips]:
    """One hand, or five after a roll: those of the colours."""
    if move != "roll":
        return [chips_of(after(pos, seat, move), seat)]
    held = chips_of(pos, seat)
    if sum(held) >= LIMIT:
        return [held]
    return [chips_of(ends[0], seat) for ends in ends_of_roll(pos, seat, held)[:5]]


def empties(position: dict[str, Any]) -> int:
    return sum(stall["left"] == 0 for stall in position["stalls"])
