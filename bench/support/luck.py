"""Games of which it is noted what was luck: what every die and card brought everybody, against the average of all that might have come up."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from souk.bots.kernels.value import share_win
from souk.core.position import Position
from souk.core.record import Record
from souk.kernel.chance import draw, stream_start, stream_step
from souk.kernel.interpreting import entry
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import actors, outcomes, over, random_outcome, resolve, standing
from souk.lab.training.kernels import START, TABLE, decide, search_from
from souk.lab.training.selfplay import Manner, Side, Stint, laid_out

LOOKS = 300  # playouts by which an outcome is judged


def tally_type(wide: int, seats: int) -> np.dtype[np.void]:
    """What is noted of a game: how it ended and what was luck, by seat; and of the die that is due, every outcome."""
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
def judge_outcome(states, desk, nodes, edges, lore, minds, plan, chances):
    """What everybody's chances are in the position on the table, by the first side's short search."""
    s = states[TABLE]
    if over(s):
        share_win(standing(s, desk.scores), s.players, chances)
    else:
        plan.now = LOOKS
        search_from(states, desk, nodes, edges, lore, minds[0], plan, 0)
        for seat in range(i64(s.players)):
            chances[seat] = plan.wins[seat]


@rule
def note_luck(states, desks, nodes, edges, lore, minds, plans, tallies, came):
    """Note what was luck in what comes up now: `came`, of all that might."""
    desk = desks[0]
    tally = tallies[0]
    states[START] = states[TABLE]
    s = states[START]
    n = outcomes(s, desk.out, desk.weights)
    total = 0.0
    for k in range(n):
        tally.outcome[k] = desk.out[k]
        tally.weight[k] = desk.weights[k]
        total += desk.weights[k]
    for k in range(n):
        states[TABLE] = states[START]
        resolve(states[TABLE], i64(tally.outcome[k]))
        judge_outcome(states, desk, nodes, edges, lore, minds, plans[0], tally.chances[k])
    for k in range(n):
        more = (1.0 if tally.outcome[k] == came else 0.0) - tally.weight[k] / total
        for seat in range(i64(s.players)):
            tally.luck[seat] += more * tally.chances[k, seat]
    states[TABLE] = states[START]


@rule
def play_fairly(states, desks, nodes, edges, lore, minds, plans, tallies, game):
    """One game from the position on the table to its end."""
    desk = desks[0]
    desk.guided = 1
    start = stream_start(plans[0].seed, game)
    step = stream_step(start)
    n = 0
    while not over(states[TABLE]):
        x = draw(start, step, n)
        n += 1
        if actors(states[TABLE]) == 0:
            came = i64(random_outcome(states[TABLE], x, desk.out, desk.weights))
            note_luck(states, desks, nodes, edges, lore, minds, plans, tallies, came)
            resolve(states[TABLE], came)
        else:
            decide(states, desk, nodes, edges, lore, minds, plans[0], x, True)
    share_win(standing(states[TABLE], desk.scores), states[TABLE].players, tallies[0].wins)


# ---------------------------------------------------------------- games that others have played


def luck_in(record: Record) -> Sequence[float]:
    """How much of the win luck brought each seat in a game, from its first decision on."""
    positions = list(record.positions())
    first = next(number for number, position in enumerate(positions) if position.actors)
    arrays, tally = _desk_for(positions[first])
    for position, (seat, text) in zip(positions[first:], record.events[first:], strict=False):
        if seat is None:
            arrays[0][TABLE] = position.array[0]
            came = position.game.notation.read_outcome(position.state, text)
            entry(position.game, note_luck)(*arrays, tally, came)
    return [float(luck) for luck in tally["luck"][0, : record.start.players]]


def compile_here(game: str, players: int) -> None:
    """Compile in this process what finds luck, so that all others find it on disk."""
    record, rng = Record(game, players), random.Random(1)
    while not record.events or record.events[-1][0] is None or record.position.actors:
        position = record.position
        record.draw(rng) if not position.actors else record.play(
            position.actors[0], position.moves(position.actors[0])[0]
        )
    record.draw(rng)
    luck_in(record)


def _desk_for(position: Position) -> tuple[tuple[Any, ...], Any]:
    """All that `note_luck` takes: the game's own mind is to judge, by short searches."""
    manner = Manner(LOOKS, LOOKS, kept=0.0, wild=0.0)
    nobody = (0,) * position.players
    stint = Stint(position.game.name, position.players, 0, 0, 1, (Side(mind=""),), nobody, manner)
    states, desk, nodes, edges, lore, minds, plan, *_ = laid_out(stint, position)[1]
    desk["guided"] = 1
    tally = np.zeros(1, tally_type(position.game.widest, position.game.players[-1]))
    return (states, desk, nodes, edges, lore, minds, plan), tally
