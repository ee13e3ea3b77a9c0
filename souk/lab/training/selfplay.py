"""Games that searches play against each other, on all cores: to learn from them, or to see who is better."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from souk.bots.desk import Desk
from souk.bots.kernels.tree import EDGE, NODE
from souk.bots.searcher import manner_of
from souk.core.position import Position
from souk.games import game as find_game
from souk.kernel.interpreting import entry
from souk.lab.training.kernels import OF, SIDES, START, STATES, TABLE, plan_type, play_games, result_type, sample_type
from souk.lab.workers import Workers
from souk.minds.shelf import NONE, mind_of

Samples = np.ndarray[Any, np.dtype[np.void]]

_EDGES = 40  # room for so many moves for every playout


@dataclass(frozen=True)
class Side:
    """How one side searches."""

    mind: str = NONE  # a file, none, or "" for the game's own
    exploration: float | None = None  # None, here and below: as a bot would
    horizon: int | None = None
    playouts: int | None = None  # None: as the manner says
    patience: int | None = None
    weighs: bool | None = None


@dataclass(frozen=True)
class Manner:
    """How games are played for learning."""

    playouts: int = 96  # of a search at a position that is kept,
    quick: int = 24  # and at any other
    kept: float = 0.5  # how often a quiet position is kept
    wild: float = 0.02  # how often just any move is made
    scramble: int = 0  # at most so many decisions at the beginning are just any moves


@dataclass(frozen=True)
class Stint:
    """A few games at one table, as a worker is handed them."""

    game: str
    players: int
    seed: int
    number: int  # of the stint
    games: int
    sides: tuple[Side, ...]
    seats: tuple[int, ...]  # the side of each
    manner: Manner


def opened(stint: Stint) -> Position:
    """The table of a stint: one of the game's variants, any seat first, up to the first decision."""
    game, rng = find_game(stint.game), random.Random(stint.seed * 1_000_003 + stint.number)
    options: dict[str, Any] = dict(rng.choice(list(game.mind.variants(stint.players))))
    if game.options(stint.players).get("first") is not None:
        options["first"] = rng.randrange(stint.players)
    pos = game.start(stint.players, **options)
    while not pos.actors:
        pos.draw(rng)
    return pos


def laid_out(stint: Stint, position: Position | None = None) -> tuple[Position, tuple[Samples, ...]]:
    """The table of a stint, or that of a position, and all that `play_games` takes, in its order."""
    pos = position or opened(stint)
    game, manner = pos.game, stint.manner
    desk = Desk(pos, pos.actors[0], states=STATES)
    desk.states[START] = desk.states[TABLE]
    most = max(manner.playouts, manner.quick, *(side.playouts or 0 for side in stint.sides))
    nodes, edges = np.zeros(1 << (2 * most + 64).bit_length(), NODE), np.zeros(_EDGES * (most + 8), EDGE)
    minds = np.concatenate([mind_of(game, pos.players, side.mind) for side in (stint.sides * SIDES)[:SIDES]])
    room = int(stint.games * manner.kept * 400) if manner.kept else 0
    # With room for as many players as there can be: so the games of all numbers of players are played by one kernel.
    samples = np.zeros(max(1, room), sample_type(game.mind.MOST_SEEN, game.players[-1]))
    results = np.zeros(stint.games, result_type(game.players[-1]))
    plan = _plan(stint, pos, minds)
    return pos, (desk.states, desk.array, nodes, edges, desk.lore, minds, plan, samples, results)


def played(stint: Stint) -> tuple[Samples, Samples]:
    """The positions kept, and how each game ended."""
    pos, arrays = laid_out(stint)
    entry(pos.game, play_games)(*arrays)
    *_, plan, samples, results = arrays
    return (
        _of_seats(samples[: int(plan["kept"][0])], sample_type(pos.game.mind.MOST_SEEN, pos.players)),
        _of_seats(results, result_type(pos.players)),
    )


def _of_seats(array: Samples, layout: np.dtype[np.void]) -> Samples:
    """The same without the seats that nobody had."""
    found = np.zeros(len(array), layout)
    for field in layout.names or ():
        seats = found[field].shape[-1] if found[field].ndim > 1 else None
        found[field] = array[field][..., :seats] if seats else array[field]
    return found


def _plan(stint: Stint, pos: Position, minds: Samples) -> Samples:
    plan, manner = np.zeros(1, plan_type(pos.game.players[-1])), stint.manner
    plan["seed"], plan["first"], plan["games"] = stint.seed, stint.number * stint.games, stint.games
    plan["kept_of"], plan["wild"] = round(OF * manner.kept), round(OF * manner.wild)
    plan["scramble"], plan["side"][0, : pos.players] = manner.scramble, stint.seats
    for number, side in enumerate((stint.sides * SIDES)[:SIDES]):
        usual = manner_of(pos.game, pos.players, minds[number : number + 1])
        for field in ("horizon", "exploration", "patience", "weighs"):
            own = getattr(side, field)
            plan[field][0, number] = getattr(usual, field) if own is None else own
        plan["playouts"][0, number] = side.playouts or manner.playouts
        plan["quick"][0, number] = side.playouts or manner.quick
    return plan


def compile_here(game: str, players: int) -> None:
    """Compile in this process what plays, so that all others find it on disk."""
    played(Stint(game, players, 0, 0, 1, (Side(),), (0,) * players, Manner(1, 1)))


def learned_from(
    workers: Workers, game: str, players: int, side: Side, manner: Manner, seed: int, stints: Sequence[int], games: int
) -> Iterator[Samples]:
    """The positions of some stints, in their order."""
    parts = (Stint(game, players, seed, number, games, (side,), (0,) * players, manner) for number in stints)
    for samples, _ in workers.in_order(played, parts):
        yield samples


def line_ups(players: int, number: int = 0) -> list[tuple[int, ...]]:
    """Who sits where so that neither of two sides is better off: in an order that chance gives to this number, and the other way round. (Not always by turns: it
    matters who comes next, oneself or another.)"""
    first = [seat % 2 for seat in range(players)]
    random.Random(number).shuffle(first)
    return [tuple(first), tuple(1 - side for side in first)]


def match(
    workers: Workers,
    game: str,
    players: int,
    sides: Mapping[int, Side] | Sequence[Side],
    playouts: int,
    seed: int,
    pairs: int,
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The share of wins of the first of two sides, for pairs of games with the same dice and changed seats. With an odd number of players
    each side is once in the majority."""
    manner = Manner(playouts, playouts, kept=0.0, wild=0.0)
    each = 4  # pairs in a stint
    parts = [
        Stint(game, players, seed, number, each, (sides[0], sides[1]), seats, manner)
        for number in range(-(-pairs // each))
        for seats in line_ups(players, number)
    ]
    shares: dict[tuple[int, ...], list[float]] = {}
    for stint, (_, results) in workers.each(played, parts):
        mine = np.array(stint.seats) == 0
        for number, wins in enumerate(results["wins"]):
            shares.setdefault((stint.number, number), []).append(float(wins[mine].sum()))
    return np.array([np.mean(each) for _, each in sorted(shares.items())])
