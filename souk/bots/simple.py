"""Bots that do not search: one that plays at random, one that looks a single step ahead, and a beginner."""

from collections import Counter

import numpy as np

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.compiled import Desk, kernel, seed_for
from souk.bots.glance import glance, temptations
from souk.core.chance import below, draw, stream_start, stream_step
from souk.core.position import Position

_DRAWS = 12  # by which the random bot's shares are counted
_TIMES = 12  # that each move is played out
_FIRST_IMPRESSION = 4


class Random(Bot):
    """Plays as `souk.simulate` does: every move equally likely, but for offers. It has no opinion: even chances, the score as it is."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name, self.seed = name, seed

    def think(self, view: Position, seat: int) -> Choice:
        game = view.game
        start = int(seed_for(self.seed, view, seat))
        step, room = stream_step(start), [0] * game.widest
        drawn = [game.rules.random_move(view.state, seat, draw(start, step, n), room) for n in range(_DRAWS)]
        win, score = 1 / view.players, float(view.scores[seat])
        considered = [
            Considered(game.words.move_text(view.state, move), times / _DRAWS, win, score)
            for move, times in sorted(Counter(drawn).items(), key=lambda item: -item[1])
        ]
        return Choice(game.words.move_text(view.state, drawn[0]), considered)


def _look(view: Position, seat: int, seed: np.uint64, times: int) -> tuple[Desk, int]:
    """Every candidate played out so many times: the desk with what came of them, and their number."""
    desk = Desk(view)
    rooms = desk.found, desk.out, desk.weights, desk.lore, desk.scores, desk.values, desk.wins, desk.reasons
    n = kernel(view.game, glance)(desk.states, seat, seed, times, 0, *rooms)
    desk.reasons /= times
    return desk, n


def _choice(desk: Desk, order: list[int], picked: int) -> Choice:
    considered = [
        Considered(desk.text(desk.found[k]), float(k == picked), float(desk.reasons[k, 0]), float(desk.reasons[k, 1]))
        for k in order
    ]
    return Choice(desk.text(desk.found[picked]), considered)


class Greedy(Bot):
    """Looks a single step ahead and takes what leads to the best chances. With a `habit` it first asks what the trader of
    that game always does."""

    def __init__(self, name: str, seed: int | None = None, times: int = _TIMES, *, habit: bool = False) -> None:
        self.name, self.seed, self.times, self.habit = name, seed, times, habit

    def think(self, view: Position, seat: int) -> Choice:
        desk, n = _look(view, seat, seed_for(self.seed, view, seat), self.times)
        order = sorted(range(n), key=lambda k: (-round(float(desk.reasons[k, 0]), 9), -desk.reasons[k, 1]))
        picked = order[0]
        if self.habit:
            move = view.game.rules.habit(view.state, seat, [0] * len(desk.found), desk.lore)
            known = [k for k in range(n) if desk.found[k] == move]
            picked = known[0] if known else picked
            order = [picked, *(k for k in order if k != picked)]
        return _choice(desk, order, picked)


class Beginner(Bot):
    """Takes what looks best at first sight, among the moves it does not overlook."""

    def __init__(self, name: str, seed: int | None = None, overlooks: float = 0.3) -> None:
        self.name, self.seed, self.overlooks = name, seed, overlooks

    def think(self, view: Position, seat: int) -> Choice:
        seed = seed_for(self.seed, view, seat)
        desk, n = _look(view, seat, seed, _FIRST_IMPRESSION)
        tempting = np.zeros(len(desk.found))
        kernel(view.game, temptations)(desk.states[0], seat, desk.found, desk.lore, tempting)
        order = sorted(range(n), key=lambda k: -tempting[k])
        start = stream_start(int(seed), 1)
        step = stream_step(start)
        seen = [k for k in order if below(draw(start, step, k), 1000) >= 1000 * self.overlooks]
        return _choice(desk, order, (seen or order)[0])
