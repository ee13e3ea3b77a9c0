"""The searching bot: grows a tree of playouts until its time or playouts are used up."""

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.cancellation import Cancellable
from souk.bots.endgame import POSITIONS_A_SECOND, endgame_search
from souk.bots.kernels.search import memory_type, think
from souk.bots.kernels.tree import EDGE, NODE, clear
from souk.bots.mixed_strategy import MixedStrategy
from souk.bots.workspace import Array, Workspace, kernel, seed_for
from souk.core.game import Game
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts
from souk.kernel.net_layout import NetArray
from souk.nets.loader import net_of

MOST_NODES = 1 << 20  # with their moves about 160 MB
MOST_EDGES = 2_000_000
SLICE = 0.002  # seconds between looks at the clock
PLAYOUTS_A_SECOND = 1_000_000  # of the fastest search; sizes the tree
FORCED = 64  # playouts if there is only one move: enough to estimate the chances


@dataclass(frozen=True)
class Thinking:
    """Search settings. The search ends when either the seconds or the playouts are used up."""

    seconds: float | None = 1.0
    playouts: int | None = None
    seed: int | None = None
    guided: bool = True  # by the game's heuristics; else uniformly random playouts to the end
    # Quiet positions that a playout passes before it is evaluated; None: depends on the evaluation.
    horizon: int | None = None
    exploration: float | None = None  # None: depends on the evaluation
    exact: bool = True  # solve the endgame exactly
    net: str = ""  # a file, "none", or "" for the game's own


@dataclass(frozen=True)
class SearchStyle:
    """Search parameters that depend on game and evaluation."""

    horizon: int
    exploration: float = 0.08
    patience: int = 0  # how often a leaf is evaluated again before it is expanded
    weighs: bool = False  # average over dice and cards (expectimax) instead of sampling them


def search_style(game: Game, players: int, net: NetArray) -> SearchStyle:
    """The parameters that suit a game with this net, or with its heuristics."""
    if net["awake"][0]:
        return SearchStyle(0, *game.net_features.search_settings(players))
    return SearchStyle(game.heuristics.HORIZON)


class SearchBot(Bot):
    """Tree search (`souk.bots.kernels.search`), and exact endgames where there is time."""

    def __init__(self, name: str, thinking: Thinking) -> None:
        self.name, self.thinking = name, thinking

    def think(self, view: Position, seat: int) -> Choice:
        begin = time.perf_counter()
        seed = seed_for(self.thinking.seed, view, seat)
        search = (view, seat, self.thinking, seed, begin, lambda: self.hurried, self.noticed)
        return self._exactly(view, begin) or Search(*search).run()

    def check(self, game: Game) -> None:
        net_of(game, game.players[-1], self.thinking.net)

    def _exactly(self, view: Position, begin: float) -> Choice | None:
        """An exact answer, if the position can be solved in time."""
        if not self.thinking.exact:
            return None
        if solved := view.game.heuristics.exact_moves(view):
            considered = [
                Considered(move, float(k == 0), win, score)
                for k, (move, win, score) in enumerate(solved)
            ]
            return Choice(considered[0].move, considered, exact=True)
        seconds = self.thinking.seconds
        ending = endgame_search(view, seconds)
        if ending is None:
            return None
        ending.look(0)  # loads the kernel before the clock starts
        with Cancellable(
            ending.workspace, None if seconds is None else begin + seconds, lambda: self.hurried
        ):
            # Without a clock the number of positions decides: every process gets the same result.
            solved_in_time = (
                ending.look(POSITIONS_A_SECOND)
                if seconds is None
                else ending.look_until(begin, seconds, lambda: self.hurried)
            )
        return ending.choice() if solved_in_time else None


class _Tree:
    """The arrays of a tree, pooled: freeing this much memory blocks the process for ms."""

    def __init__(self) -> None:
        self.nodes, self.edges = np.zeros(MOST_NODES, NODE), np.zeros(MOST_EDGES, EDGE)


_FREE_TREES: deque[_Tree] = deque(maxlen=os.cpu_count())


def _borrow_tree() -> _Tree:
    try:
        return _FREE_TREES.pop()
    except IndexError:
        return _Tree()


class Search:
    """The tree search for one decision."""

    def __init__(
        self,
        view: Position,
        seat: int,
        thinking: Thinking,
        seed: np.uint64,
        begin: float,
        hurried: Callable[[], bool] = lambda: False,
        noticed: ChoiceCounts = (),
        remembered: int = 0,
    ) -> None:
        self.hurried = hurried
        self.workspace = Workspace(view, seat, seed, noticed=noticed, net=thinking.net)
        self.seat, self.thinking, self.seed = seat, thinking, seed
        self.end = None if thinking.seconds is None else begin + thinking.seconds
        style = search_style(view.game, view.players, self.workspace.net)
        self.workspace["horizon"] = style.horizon if thinking.horizon is None else thinking.horizon
        self.workspace["exploration"] = (
            style.exploration if thinking.exploration is None else thinking.exploration
        )
        self.workspace["patience"], self.workspace["weighs"], self.workspace["guided"] = (
            style.patience,
            style.weighs,
            thinking.guided,
        )
        expected = int((thinking.seconds or 3600.0) * PLAYOUTS_A_SECOND)
        expected = min(expected, thinking.playouts or expected)
        self.tree = _borrow_tree()
        self.nodes = self.tree.nodes[: 1 << max(10, min(MOST_NODES - 1, 2 * expected).bit_length())]
        self.edges = self.tree.edges
        self.clear = kernel(view.game, clear)
        self.clear(self.nodes)
        self.secret, self.root = self.workspace.secret, MixedStrategy(self.workspace, self.edges)
        self.memory = np.zeros(remembered, memory_type(view.game))
        self.work = kernel(view.game, think)

    def run(self) -> Choice:
        self.play(0)  # loads the kernel before the clock starts
        with Cancellable(self.workspace, self.end, self.hurried):
            self.play(FORCED)
            moves = self.root.moves(self.seat)
            if len(moves) > 1:
                self._play_until_the_end()
        choice = (
            self.root.choice(self.seat, int(self.seed), self.played)
            if self.secret
            else self._best_move(moves)
        )
        self.release_tree()
        return choice

    def restart(self, view: Position, seat: int, seed: np.uint64) -> None:
        """Search another position of the same table."""
        self.workspace.lay_out(view, seat, seed)
        self.clear(self.nodes)

    def release_tree(self) -> None:
        """Return the tree to the pool."""
        _FREE_TREES.append(self.tree)

    @property
    def played(self) -> int:
        """Playouts so far."""
        return int(self.workspace["played"])

    def play(self, playouts: int) -> None:
        """Run more playouts, within the limit."""
        if self.thinking.playouts is not None:
            playouts = min(playouts, self.thinking.playouts - self.played)
        workspace = self.workspace
        self.work(
            workspace.states,
            workspace.array,
            self.nodes,
            self.edges,
            workspace.lookup,
            workspace.net,
            playouts,
            self.memory,
        )

    def _play_until_the_end(self) -> None:
        playouts = FORCED
        while self.thinking.playouts is None or self.played < self.thinking.playouts:
            before = time.perf_counter()
            if (
                self.workspace["stopped"]
                or self.hurried()
                or (self.end is not None and before + SLICE / 2 > self.end)
            ):
                break
            self.play(playouts)
            after = time.perf_counter()
            took = after - before
            if self.end is not None:
                if self._settled(playouts * max(0.0, self.end - after) / took):
                    break
                # At most double: the first slices are too short to predict the next.
                playouts = max(1, min(2 * playouts, int(playouts * SLICE / max(took, 1e-6))))

    def _settled(self, playouts: float) -> bool:
        """Whether the remaining playouts cannot change the chosen move."""
        if self.secret:
            return False
        run = int(self.edges["run"][0])
        second, first = np.partition(self.edges["visits"][:run], run - 2)[-2:]
        return bool(first - second > playouts)

    def _best_move(self, moves: Array) -> Choice:
        """The most visited move, or the first candidate if there was no time for any."""
        visits, values = self.edges["visits"][moves], self.edges["value"][moves]
        order = sorted(range(len(moves)), key=lambda k: (-visits[k], -values[k]))
        looked_at = [k for k in order if visits[k] > 0]
        considered = [
            self.root.considered(moves[k], float(visits[k] / visits.sum())) for k in looked_at
        ]
        considered = considered or [self.root.considered(moves[0], 1.0)]
        return Choice(considered[0].move, considered, self.played)
