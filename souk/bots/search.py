"""The bot that searches: it grows a tree of playouts until its time or its number of playouts is used up."""

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.desk import Array, Desk, kernel, seed_for
from souk.bots.ending import POSITIONS_A_SECOND, ending_in
from souk.bots.kernels.search import memory_type, think
from souk.bots.kernels.tree import EDGE, NODE, clear
from souk.bots.mixture import Mixture
from souk.core.game import Game
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.kernel.mind_shape import MindArray
from souk.minds.shelf import mind_of

MOST_NODES = 1 << 20  # with their moves about 160 MB
MOST_EDGES = 2_000_000
SLICE = 0.002  # seconds a kernel runs before the clock is looked at
PLAYOUTS_A_SECOND = 1_000_000  # about what the quickest search reaches without a mind: what a tree must have room for
FORCED = 64  # playouts for a move that is the only one: enough to say how things stand


@dataclass(frozen=True)
class Thinking:
    """How a searcher thinks. Of seconds and playouts whichever is used up first ends it."""

    seconds: float | None = 1.0
    playouts: int | None = None
    seed: int | None = None
    guided: bool = True  # by the game's insight; else uniformly random playouts to the end
    horizon: int | None = None  # quiet positions a playout passes before it is judged; None: as suits what judges
    exploration: float | None = None  # None: as suits what judges
    exact: bool = True  # plays the end out in full
    mind: str = ""  # that judges: the game's own, a file's, or none


@dataclass(frozen=True)
class SearchManner:
    """How a search looks around."""

    horizon: int
    exploration: float = 0.08
    patience: int = 0  # how often a position is judged again before its moves are looked at
    weighs: bool = False  # whether dice and cards are weighed, and not drawn


def manner_of(game: Game, players: int, mind: MindArray) -> SearchManner:
    """What suits a game, judged by a mind, which needs no playing on, or by its insight."""
    if mind["awake"][0]:
        return SearchManner(0, *game.mind.looks_around(players))
    return SearchManner(game.insight.HORIZON)


class Searcher(Bot):
    """Searches as `souk.bots.kernels.search` does, and plays the end exactly where there is time for that."""

    def __init__(self, name: str, thinking: Thinking) -> None:
        self.name, self.thinking = name, thinking

    def think(self, view: Position, seat: int) -> Choice:
        begin = time.perf_counter()
        seed = seed_for(self.thinking.seed, view, seat)
        search = (view, seat, self.thinking, seed, begin, lambda: self.hurried, self.noticed)
        return self._exactly(view, begin) or Search(*search).run()

    def check(self, game: Game) -> None:
        mind_of(game, game.players[-1], self.thinking.mind)

    def _exactly(self, view: Position, begin: float) -> Choice | None:
        """The answer by full enumeration, where that is possible and there is time."""
        if not self.thinking.exact:
            return None
        if solved := view.game.insight.solved(view):
            considered = [Considered(move, float(k == 0), win, score) for k, (move, win, score) in enumerate(solved)]
            return Choice(considered[0].move, considered, exact=True)
        seconds = self.thinking.seconds
        ending = ending_in(view, seconds)
        if ending is None:
            return None
        # Without a clock the same is looked at in every process.
        known = (
            ending.look(POSITIONS_A_SECOND)
            if seconds is None
            else ending.look_until(begin, seconds, lambda: self.hurried)
        )
        return ending.choice() if known else None


class _Tree:
    """The arrays of a tree. They are used again: to give so much memory back takes milliseconds in which nobody else can run."""

    def __init__(self) -> None:
        self.nodes, self.edges = np.zeros(MOST_NODES, NODE), np.zeros(MOST_EDGES, EDGE)


_TREES: deque[_Tree] = deque(maxlen=os.cpu_count())  # those that no search is using; as many as can think at once


def _take_tree() -> _Tree:
    try:
        return _TREES.pop()
    except IndexError:
        return _Tree()


class Search:
    """One decision."""

    def __init__(
        self,
        view: Position,
        seat: int,
        thinking: Thinking,
        seed: np.uint64,
        begin: float,
        hurried: Callable[[], bool] = lambda: False,
        noticed: Chosen = (),
        remembered: int = 0,
    ) -> None:
        self.hurried = hurried
        self.desk = Desk(view, seat, seed, noticed=noticed, mind=thinking.mind)
        self.seat, self.thinking, self.seed = seat, thinking, seed
        self.end = None if thinking.seconds is None else begin + thinking.seconds
        manner = manner_of(view.game, view.players, self.desk.mind)
        self.desk["horizon"] = manner.horizon if thinking.horizon is None else thinking.horizon
        self.desk["exploration"] = manner.exploration if thinking.exploration is None else thinking.exploration
        self.desk["patience"], self.desk["weighs"], self.desk["guided"] = (
            manner.patience,
            manner.weighs,
            thinking.guided,
        )
        expected = int((thinking.seconds or 3600.0) * PLAYOUTS_A_SECOND)
        expected = min(expected, thinking.playouts or expected)
        self.tree = _take_tree()
        self.nodes = self.tree.nodes[: 1 << max(10, min(MOST_NODES - 1, 2 * expected).bit_length())]
        self.edges = self.tree.edges
        self.clear = kernel(view.game, clear)
        self.clear(self.nodes)
        self.secret, self.root = self.desk.secret, Mixture(self.desk, self.edges)
        self.memory = np.zeros(remembered, memory_type(view.game))
        self.work = kernel(view.game, think)

    def run(self) -> Choice:
        self.play(FORCED)
        moves = self.root.moves(self.seat)
        if len(moves) > 1:
            self._play_until_the_end()
        choice = self.root.choice(self.seat, int(self.seed), self.played) if self.secret else self._best_move(moves)
        self.give_back()
        return choice

    def begin_again(self, view: Position, seat: int, seed: np.uint64) -> None:
        """Think about another position of the same table."""
        self.desk.lay_out(view, seat, seed)
        self.clear(self.nodes)

    def give_back(self) -> None:
        """Let another search have the tree."""
        _TREES.append(self.tree)

    @property
    def played(self) -> int:
        """How many playouts there have been."""
        return int(self.desk["played"])

    def play(self, playouts: int) -> None:
        """So many more playouts, or as many as are still allowed."""
        if self.thinking.playouts is not None:
            playouts = min(playouts, self.thinking.playouts - self.played)
        desk = self.desk
        self.work(desk.states, desk.array, self.nodes, self.edges, desk.lore, desk.mind, playouts, self.memory)

    def _play_until_the_end(self) -> None:
        playouts = FORCED
        while self.thinking.playouts is None or self.played < self.thinking.playouts:
            before = time.perf_counter()
            if self.hurried() or (self.end is not None and before + SLICE / 2 > self.end):
                break
            self.play(playouts)
            after = time.perf_counter()
            took = after - before
            if self.end is not None:
                if self._settled(playouts * max(0.0, self.end - after) / took):
                    break
                # Twice as many at most: the first slices are short and say little about the next.
                playouts = max(1, min(2 * playouts, int(playouts * SLICE / max(took, 1e-6))))

    def _settled(self, playouts: float) -> bool:
        """Whether so many more playouts could not change what is played."""
        if self.secret:
            return False
        run = int(self.edges["run"][0])
        second, first = np.partition(self.edges["visits"][:run], run - 2)[-2:]
        return bool(first - second > playouts)

    def _best_move(self, moves: Array) -> Choice:
        """The move that was looked at most often."""
        visits, values = self.edges["visits"][moves], self.edges["value"][moves]
        order = sorted(range(len(moves)), key=lambda k: (-visits[k], -values[k]))
        considered = [self.root.considered(moves[k], float(visits[k] / visits.sum())) for k in order if visits[k] > 0]
        return Choice(considered[0].move, considered, self.played)
