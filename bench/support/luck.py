"""Measures luck: what each die and card brought every seat, against the mean of all outcomes.

A short search evaluates every outcome. Luck has mean zero however wrong the evaluations are.
"""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from souk.bots.kernels.value import share_win
from souk.core.position import Position
from souk.core.record import Record
from souk.kernel.game_ops import actors, outcomes, over, random_outcome, resolve, write_scores
from souk.kernel.interpreter import load_kernel
from souk.kernel.rng import draw, stream_start, stream_step
from souk.kernel.rule import i64, rule
from souk.lab.training.selfplay import SelfPlayTask, Side, kernel_arguments
from souk.lab.training.selfplay_kernels import START, TABLE, decide, search_from
from souk.lab.training.settings import SelfPlaySettings

PLAYOUTS = 300  # per outcome


def tally_type(wide: int, seats: int) -> np.dtype[np.void]:
    """A game's wins and luck by seat, and all outcomes of the current die or card."""
    return np.dtype(
        [
            ("wins", "f8", seats),
            ("luck", "f8", seats),
            ("outcome", "i8", wide),
            ("weight", "f8", wide),
            ("chances", "f8", (wide, seats)),
        ],
        align=True,
    )


@rule
def evaluate_outcome(states, workspace, nodes, edges, lookup, nets, plan, chances):
    """Every seat's win chance in the current position, by a short search."""
    s = states[TABLE]
    if over(s):
        share_win(write_scores(s, workspace.scores), s.players, chances)
    else:
        plan.now = PLAYOUTS
        search_from(states, workspace, nodes, edges, lookup, nets[0], plan, 0)
        for seat in range(i64(s.players)):
            chances[seat] = plan.wins[seat]


@rule
def add_luck(states, workspaces, nodes, edges, lookup, nets, plans, tallies, actual):
    """Add the luck of outcome `actual`, out of all that are possible now."""
    workspace = workspaces[0]
    tally = tallies[0]
    states[START] = states[TABLE]
    s = states[START]
    n = outcomes(s, workspace.out, workspace.weights)
    total = 0.0
    for k in range(n):
        tally.outcome[k] = workspace.out[k]
        tally.weight[k] = workspace.weights[k]
        total += workspace.weights[k]
    for k in range(n):
        states[TABLE] = states[START]
        resolve(states[TABLE], i64(tally.outcome[k]))
        evaluate_outcome(states, workspace, nodes, edges, lookup, nets, plans[0], tally.chances[k])
    for k in range(n):
        surplus = (1.0 if tally.outcome[k] == actual else 0.0) - tally.weight[k] / total
        for seat in range(i64(s.players)):
            tally.luck[seat] += surplus * tally.chances[k, seat]
    states[TABLE] = states[START]


@rule
def play_measuring_luck(states, workspaces, nodes, edges, lookup, nets, plans, tallies, game):
    """Play a game to its end, measuring luck."""
    workspace = workspaces[0]
    workspace.guided = 1
    start = stream_start(plans[0].seed, game)
    step = stream_step(start)
    n = 0
    while not over(states[TABLE]):
        x = draw(start, step, n)
        n += 1
        if actors(states[TABLE]) == 0:
            actual = i64(random_outcome(states[TABLE], x, workspace.out, workspace.weights))
            add_luck(states, workspaces, nodes, edges, lookup, nets, plans, tallies, actual)
            resolve(states[TABLE], actual)
        else:
            decide(states, workspace, nodes, edges, lookup, nets, plans[0], x, True)
    share_win(write_scores(states[TABLE], workspace.scores), states[TABLE].players, tallies[0].wins)


# ---------------------------------------------------------------- recorded games


def luck_in(record: Record) -> Sequence[float]:
    """Luck by seat from the first decision on, in wins."""
    positions = list(record.positions())
    first = next(number for number, position in enumerate(positions) if position.actors)
    arrays, tally = _kernel_arguments_at(positions[first])
    for position, (seat, text) in zip(positions[first:], record.events[first:], strict=False):
        if seat is None:
            arrays[0][TABLE] = position.array[0]
            actual = position.game.notation.read_outcome(position.state, text)
            load_kernel(position.game, add_luck)(*arrays, tally, actual)
    return [float(luck) for luck in tally["luck"][0, : record.start.players]]


def compile_luck(game: str, players: int) -> None:
    """Compile the kernel here, so that workers load it from disk."""
    record, rng = Record(game, players), random.Random(1)
    while not record.events or record.events[-1][0] is None or record.position.actors:
        position = record.position
        if position.actors:
            record.play(position.actors[0], position.moves(position.actors[0])[0])
        else:
            record.draw(rng)
    record.draw(rng)
    luck_in(record)


def _kernel_arguments_at(position: Position) -> tuple[tuple[Any, ...], Any]:
    """Arguments of `add_luck`; the game's own net evaluates."""
    game, seats = position.game, (0,) * position.players
    settings = SelfPlaySettings(PLAYOUTS, PLAYOUTS, kept=0.0, epsilon=0.0)
    task = SelfPlayTask(game.name, len(seats), 0, 0, 1, (Side(net=""),), seats, settings)
    states, workspace, nodes, edges, lookup, nets, plan, *_ = kernel_arguments(task, position)[1]
    workspace["guided"] = 1
    tally = np.zeros(1, tally_type(game.widest, game.players[-1]))
    return (states, workspace, nodes, edges, lookup, nets, plan), tally
