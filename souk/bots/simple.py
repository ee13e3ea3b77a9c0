"""Bots that do not search: at random, by a look ahead, by rules of thumb, and a beginner."""

import random
import time
from collections import Counter
from dataclasses import replace

import numpy as np

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.desk import Array, Desk, kernel, seed_for
from souk.bots.kernels.one_ply import glance, temptations, whims
from souk.bots.kernels.value import SCORE, WIN
from souk.bots.mixture import Shares, doubted, drawn
from souk.bots.together import Together
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.kernel.cache import is_ready
from souk.kernel.chance import below, draw, stream_start, stream_step

_DRAWS = 12  # by which the random bot's shares are counted
_LOOKS = 16  # at each move
_AT_A_TIME = 16
_FIRST_IMPRESSION = 4
_LEAST = 0.01  # how tempting anything is that can be chosen
# How far each doubts that it knows what is best where all choose in secret (the merchant: `souk.bots.together`). Four alike would else want the
# same too often, and nobody would get it.
_BEGINNERS_DOUBT, _TRADERS_DOUBT = 0.5, 0.4


class Random(Bot):
    """Plays as `souk.simulate` does: every move equally likely, but for offers. It has no opinion: even chances, the score as it is."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name, self.seed = name, seed

    def think(self, view: Position, seat: int) -> Choice:
        game = view.game
        start = int(seed_for(self.seed, view, seat))
        step, out = stream_step(start), [0] * game.widest
        drawn = [game.rules.random_move(view.state, seat, draw(start, step, n), out) for n in range(_DRAWS)]
        win, score = 1 / view.players, float(view.scores[seat])
        considered = [
            Considered(game.notation.move_text(view.state, move), times / _DRAWS, win, score)
            for move, times in sorted(Counter(drawn).items(), key=lambda item: -item[1])
        ]
        return Choice(game.notation.move_text(view.state, drawn[0]), considered)


class Glances:
    """A position looked at: what came of each candidate when it was played out to the next quiet position."""

    def __init__(self, view: Position, seat: int, seed: np.uint64, noticed: Chosen = ()) -> None:
        self.desk, self.n = Desk(view, seat, seed, noticed=noticed), 0
        self._work = kernel(view.game, glance)

    def look(self, times: int) -> None:
        self.n = self._work(self.desk.states, self.desk.array, self.desk.lore, times)

    @property
    def looks(self) -> int:
        """How often every candidate has been looked at."""
        return int(self.desk["played"])

    @property
    def moves(self) -> list[int]:
        """The candidates."""
        return [int(move) for move in self.desk["found"][: self.n]]

    def best_first(self) -> list[int]:
        """The candidates by win chance, and by score where that is the same; alone the score is what it takes, and less is better."""
        reasons = self.desk["reasons"] / self.looks
        better = 1 if self.desk.alone else -1
        return sorted(range(self.n), key=lambda k: (-round(float(reasons[k, WIN]), 9), better * reasons[k, SCORE]))

    def considered(self, k: int, share: float) -> Considered:
        found = self.desk["reasons"][k] / self.looks
        return Considered(self.desk.text(self.moves[k]), share, float(found[WIN]), float(found[SCORE]))

    def mixed(self, shares: Shares, seed: np.uint64) -> Choice:
        """A move drawn by these shares. It need not be a candidate: then nobody has looked what comes of it."""
        considered = [self.considered(k, shares.get(move, 0.0)) for k, move in enumerate(self.moves)]
        unknown = self.considered(self.best_first()[-1], 0.0)
        more = {move: share for move, share in shares.items() if move not in self.moves}
        considered += [replace(unknown, move=self.desk.text(move), share=share) for move, share in more.items()]
        considered.sort(key=lambda each: (-each.share, -each.win))
        return Choice(drawn(considered, int(seed)).move, considered, self.looks * self.n)

    def doubted(self, shares: Shares, doubt: float) -> Shares:
        """Shares of a secret choice as one goes by them who doubts them so much, and takes the others to go by rules of thumb."""
        others = [self.desk.expected(seat, self.whims(seat)) for seat in self.desk.others]
        return doubted(shares, others, doubt)

    def whims(self, seat: int) -> dict[int, float]:
        """How often a seat would make a move, on one day or another, by rules of thumb."""
        mine, picks = self.desk["seat"], np.zeros(_DRAWS, np.int32)
        self.desk["seat"] = seat
        kernel(self.desk.game, whims)(self.desk.states, self.desk.array, self.desk.lore, picks)
        self.desk["seat"] = mine
        return {move: times / _DRAWS for move, times in Counter(picks.tolist()).items()}

    def choice(self, order: list[int], picked: int) -> Choice:
        considered = [self.considered(k, float(k == picked)) for k in order]
        return Choice(self.desk.text(self.moves[picked]), considered, self.looks * self.n)


class Greedy(Bot):
    """Takes what leads to the best chances in a single look ahead, where the others are taken to play by habit; where all choose in secret it
    mixes, as they might. Looks so often, as far as the time allows."""

    def __init__(self, name: str, seed: int | None = None, looks: int = _LOOKS, seconds: float = 1.0) -> None:
        self.name, self.seed, self.looks, self.seconds = name, seed, looks, seconds

    def think(self, view: Position, seat: int) -> Choice:
        end, seed = time.perf_counter() + self.seconds, seed_for(self.seed, view, seat)
        looked: Glances | Together = Glances(view, seat, seed, self.noticed)
        if looked.desk.secret:
            looked = Together(view, seat, seed, self.noticed)
        looked.look(_AT_A_TIME)
        while looked.looks < self.looks and time.perf_counter() < end and not self.hurried:
            looked.look(_AT_A_TIME)
        if isinstance(looked, Together):
            return looked.choice()
        order = looked.best_first()
        return looked.choice(order, order[0])


class RuleOfThumb(Bot):
    """Plays by the game's rules of thumb, as playouts do, and first of all by the habits that traders of that game have. Now and then it lapses, and plays
    as a beginner does: as often as suits the game, unless it is told otherwise. Alone it takes care."""

    def __init__(self, name: str, seed: int | None = None, lapses: float | None = None) -> None:
        self.name, self.seed, self.lapses = name, seed, lapses

    def think(self, view: Position, seat: int) -> Choice:
        seed = seed_for(self.seed, view, seat)
        if view.players > 1 and self._lapses(view, seed):
            beginner = Beginner(self.name, self.seed)
            beginner.noticed = self.noticed
            return beginner.think(view, seat)
        glances = Glances(view, seat, seed, self.noticed)
        glances.look(_FIRST_IMPRESSION)
        habit = view.game.rules.habit(view.state, seat, glances.desk.interpreted()[1][0], glances.desk.lore)
        shares: Shares = {int(habit): 1.0} if habit >= 0 else glances.whims(seat)
        return glances.mixed(glances.doubted(shares, _TRADERS_DOUBT) if glances.desk.secret else shares, seed)

    def _lapses(self, view: Position, seed: np.uint64) -> bool:
        often = view.game.insight.LAPSES if self.lapses is None else self.lapses
        start = stream_start(int(seed), 2)  # another stream than that of what a beginner overlooks
        return bool(below(draw(start, stream_step(start), 0), 1000) < 1000 * often)


class Beginner(Bot):
    """Takes what looks best at first sight, among the moves it does not overlook. Where all choose in secret it
    wants everything in turn, more often what looks better."""

    def __init__(self, name: str, seed: int | None = None, overlooks: float = 0.3) -> None:
        self.name, self.seed, self.overlooks = name, seed, overlooks

    def think(self, view: Position, seat: int) -> Choice:
        seed = seed_for(self.seed, view, seat)
        glances = Glances(view, seat, seed, self.noticed)
        glances.look(_FIRST_IMPRESSION)
        desk = glances.desk
        n = kernel(view.game, temptations)(desk.states, desk.array, desk.lore)
        if desk.secret:
            tempting = np.maximum(desk["notes"][:n], _LEAST)
            shares = dict(zip(glances.moves, (tempting / tempting.sum()).tolist(), strict=True))
            return glances.mixed(glances.doubted(shares, _BEGINNERS_DOUBT), seed)
        order = sorted(range(n), key=lambda k: -desk["notes"][k])
        start = stream_start(int(seed), 1)
        step = stream_step(start)
        seen = [k for k in order if below(draw(start, step, k), 1000) >= 1000 * self.overlooks]
        return glances.choice(order, (seen or order)[0])


class Newcomer(Bot):
    """Plays where another bot has failed: it takes what looks tempting, and now and then just anything."""

    looks = 64  # moves that it looks at
    whim = 0.25  # how often it plays just anything

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name, self.seed = name, seed

    def think(self, view: Position, seat: int) -> Choice:
        game, rng = view.game, random.Random(int(seed_for(self.seed, view, seat)))
        codes = view.move_codes(seat, self.looks)
        rng.shuffle(codes)
        if rng.random() < self.whim:
            code = game.rules.random_move(view.state, seat, rng.getrandbits(64), [0] * game.widest)
        else:
            lore = self._lore(view)
            code = max(codes, key=lambda each: float(game.rules.temptation(view.state, seat, each, lore)))
        text = game.notation.move_text(view.state, code)
        return Choice(text, [Considered(text, 1.0, 1 / view.players, float(view.scores[seat]))])

    def _lore(self, view: Position) -> Array:
        """What the insight has worked out, unless that would have to be compiled first: what tempts a beginner needs none of it."""
        insight = view.game.insight
        return insight.study(view.array) if is_ready(view.game, *insight.KERNELS) else np.zeros(1, np.float32)
