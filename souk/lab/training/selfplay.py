"""Self-play of searches on all cores: for training data, and for matches between two sides."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from souk.bots.kernels.tree import EDGE, NODE
from souk.bots.search import search_style
from souk.bots.workspace import Workspace
from souk.core.position import Position
from souk.games import game as find_game
from souk.kernel.interpreter import load_kernel
from souk.lab.training.selfplay_kernels import (
    PROBABILITY_SCALE,
    SIDES,
    START,
    STATES,
    TABLE,
    plan_type,
    play_games,
    result_type,
    sample_type,
)
from souk.lab.training.settings import SelfPlaySettings
from souk.lab.workers import Workers
from souk.nets.loader import NONE, net_of

Samples = np.ndarray[Any, np.dtype[np.void]]

# edges allocated per playout
_EDGES = 40


@dataclass(frozen=True)
class Side:
    """The search settings of one side."""

    # a file, none, or "" for the game's own
    net: str = NONE
    # None here and below: the bot's default
    exploration: float | None = None
    horizon: int | None = None
    # None: as in the self-play settings
    playouts: int | None = None
    patience: int | None = None
    weighs: bool | None = None


@dataclass(frozen=True)
class SelfPlayTask:
    """A few games at one table, as sent to a worker."""

    game: str
    players: int
    seed: int
    # number of the task
    number: int
    games: int
    sides: tuple[Side, ...]
    # side of each seat
    seats: tuple[int, ...]
    settings: SelfPlaySettings


def opening_position(task: SelfPlayTask) -> Position:
    """The start position of a task: a random variant and first seat, up to the first decision."""
    game, rng = find_game(task.game), random.Random(task.seed * 1_000_003 + task.number)
    options: dict[str, Any] = dict(rng.choice(list(game.net_features.variants(task.players))))
    if game.options(task.players).get("first") is not None:
        options["first"] = rng.randrange(task.players)
    pos = game.start(task.players, **options)
    while not pos.actors:
        pos.draw(rng)
    return pos


def kernel_arguments(
    task: SelfPlayTask, position: Position | None = None
) -> tuple[Position, tuple[Samples, ...]]:
    """The position of a task (or the given one) and the arguments of `play_games`."""
    pos = position or opening_position(task)
    game, settings = pos.game, task.settings
    workspace = Workspace(pos, pos.actors[0], states=STATES)
    workspace.states[START] = workspace.states[TABLE]
    max_playouts = max(
        settings.playouts, settings.quick, *(side.playouts or 0 for side in task.sides)
    )
    nodes = np.zeros(1 << (2 * max_playouts + 64).bit_length(), NODE)
    edges = np.zeros(_EDGES * (max_playouts + 8), EDGE)
    nets = np.concatenate(
        [net_of(game, pos.players, side.net) for side in (task.sides * SIDES)[:SIDES]]
    )
    capacity = int(task.games * settings.kept * 400) if settings.kept else 0
    # Sized for the maximum number of players, so that one kernel serves all.
    samples = np.zeros(max(1, capacity), sample_type(game.net_features.MOST_SEEN, game.players[-1]))
    results = np.zeros(task.games, result_type(game.players[-1]))
    plan = _plan(task, pos, nets)
    return pos, (
        workspace.states,
        workspace.array,
        nodes,
        edges,
        workspace.lookup,
        nets,
        plan,
        samples,
        results,
    )


def play_task(task: SelfPlayTask) -> tuple[Samples, Samples]:
    """Play the games of a task; return the kept positions and the results."""
    pos, arrays = kernel_arguments(task)
    load_kernel(pos.game, play_games)(*arrays)
    *_, plan, samples, results = arrays
    return (
        _of_seats(
            samples[: int(plan["kept"][0])],
            sample_type(pos.game.net_features.MOST_SEEN, pos.players),
        ),
        _of_seats(results, result_type(pos.players)),
    )


def _of_seats(array: Samples, layout: np.dtype[np.void]) -> Samples:
    """The same records without unused seats."""
    trimmed = np.zeros(len(array), layout)
    for field in layout.names or ():
        seats = trimmed[field].shape[-1] if trimmed[field].ndim > 1 else None
        trimmed[field] = array[field][..., :seats] if seats else array[field]
    return trimmed


def _plan(task: SelfPlayTask, pos: Position, nets: Samples) -> Samples:
    plan, settings = np.zeros(1, plan_type(pos.game.players[-1])), task.settings
    plan["seed"], plan["first"], plan["games"] = task.seed, task.number * task.games, task.games
    plan["kept_of"] = round(PROBABILITY_SCALE * settings.kept)
    plan["epsilon"] = round(PROBABILITY_SCALE * settings.epsilon)
    plan["random_opening"], plan["side"][0, : pos.players] = settings.random_opening, task.seats
    for number, side in enumerate((task.sides * SIDES)[:SIDES]):
        defaults = search_style(pos.game, pos.players, nets[number : number + 1])
        for field in ("horizon", "exploration", "patience", "weighs"):
            value = getattr(side, field)
            plan[field][0, number] = getattr(defaults, field) if value is None else value
        plan["playouts"][0, number] = side.playouts or settings.playouts
        plan["quick"][0, number] = side.playouts or settings.quick
    return plan


def compile_selfplay(game: str, players: int) -> None:
    """Compile the kernels in this process, so that the others load them from disk."""
    play_task(
        SelfPlayTask(game, players, 0, 0, 1, (Side(),), (0,) * players, SelfPlaySettings(1, 1))
    )


def selfplay(
    workers: Workers,
    game: str,
    players: int,
    side: Side,
    settings: SelfPlaySettings,
    seed: int,
    tasks: Sequence[int],
    games: int,
) -> Iterator[Samples]:
    """Yield the positions of some tasks, in order."""
    self_play_tasks = (
        SelfPlayTask(game, players, seed, number, games, (side,), (0,) * players, settings)
        for number in tasks
    )
    for samples, _ in workers.in_order(play_task, self_play_tasks):
        yield samples


def line_ups(players: int, number: int = 0) -> list[tuple[int, ...]]:
    """The seats of two sides in a pair of games: a random order, and its inverse.

    Not always alternating: it matters whether one's own side moves next.
    """
    sides = [seat % 2 for seat in range(players)]
    random.Random(number).shuffle(sides)
    return [tuple(sides), tuple(1 - side for side in sides)]


def match(
    workers: Workers,
    game: str,
    players: int,
    sides: Mapping[int, Side] | Sequence[Side],
    playouts: int,
    seed: int,
    pairs: int,
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The first side's share of wins in pairs of games with the same dice and swapped seats.

    With an odd number of players, each side is in the majority once.
    """
    settings = SelfPlaySettings(playouts, playouts, kept=0.0, epsilon=0.0)
    pairs_per_task = 4
    tasks = [
        SelfPlayTask(
            game, players, seed, number, pairs_per_task, (sides[0], sides[1]), seats, settings
        )
        for number in range(-(-pairs // pairs_per_task))
        for seats in line_ups(players, number)
    ]
    shares: dict[tuple[int, ...], list[float]] = {}
    for task, (_, results) in workers.as_completed(play_task, tasks):
        is_first_side = np.array(task.seats) == 0
        for number, wins in enumerate(results["wins"]):
            shares.setdefault((task.number, number), []).append(float(wins[is_first_side].sum()))
    return np.array([np.mean(pair) for _, pair in sorted(shares.items())])
