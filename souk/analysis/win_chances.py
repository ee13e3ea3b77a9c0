"""Win chances of positions, by search or exactly."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from souk.analysis.study import is_doubtful
from souk.bots.bot import Choice
from souk.bots.cancellation import Cancellable
from souk.bots.endgame import EndgameSearch
from souk.bots.kernels.search import NOWHERE
from souk.bots.search import Search, SearchBot, Thinking
from souk.bots.workspace import seed_for
from souk.core.position import Position

Chances = np.ndarray[Any, np.dtype[np.float64]]  # by seat; they add up to 1

PLAYOUTS = 2000  # default per decision
FEWEST = 16  # minimum per position
TREES = 5  # independent searches, to estimate the standard error
MOST_TREES = 80  # if the mark of a move is doubtful
APART = 1000  # distance of their seeds
_TRIAL = 2000  # playouts that measure the speed
ENDS_A_PLAYOUT = 40  # endgame positions searched exactly in place of one playout


@dataclass(frozen=True)
class Effort:
    """Search effort per decision: equal efforts give equal results in every process."""

    playouts: int = PLAYOUTS
    seed: int = 0

    def part(self, share: float) -> "Effort":
        """A share of it, with a minimum."""
        return replace(self, playouts=max(FEWEST, round(self.playouts * share)))


@dataclass(frozen=True)
class Advantage:
    """The difference in win chances between two moves, with its standard error for the mover."""

    chances: Chances
    error: float


def result(pos: Position) -> Chances:
    """The final result; joint winners share the win."""
    winners = pos.winners
    return np.array(
        [
            (seat in winners) / len(winners) if winners else 1 / pos.players
            for seat in range(pos.players)
        ]
    )


def after_move(pos: Position, seat: int, move: str) -> Position:
    after = pos.copy()
    after.play(seat, move)
    return after


def after_outcome(pos: Position, outcome: str) -> Position:
    after = pos.copy()
    after.resolve(outcome)
    return after


def best_moves(pos: Position, seat: int, effort: Effort) -> Choice:
    """The moves of a seat, best first."""
    return SearchBot("study", Thinking(None, effort.playouts, effort.seed)).choose(pos, seat)


def playouts_in(pos: Position, seconds: float) -> int:
    """Measure how many playouts a search makes in this time."""
    begin = time.perf_counter()
    win_chances(pos, Effort(_TRIAL))
    return max(FEWEST, round(_TRIAL * seconds / (time.perf_counter() - begin)))


def win_chances(pos: Position, effort: Effort) -> Chances:
    """The win chances of all seats."""
    return all_win_chances([pos], effort)[0]


def all_win_chances(positions: Sequence[Position], effort: Effort) -> list[Chances]:
    """Win chances in several positions of one table, each with this effort.

    All use the same dice, so that most of the luck cancels out of their differences.
    """
    search, results, seed = None, [], seed_for(effort.seed, positions[0], 0)
    for pos in positions:
        chances = exact_chances(pos, effort)
        if chances is None:
            search = _run_search(pos, effort, seed, search)
            chances = _mean(pos, search.memory)
        results.append(chances)
    if search:
        search.release_tree()
    return results


def advantage(pos: Position, other: Position, seat: int, effort: Effort) -> Advantage:
    """The lead in win chances of one position over another, for all seats.

    Both are searched several times with the same dice; the spread gives the standard error. (The
    spread within one tree is too small: an indifferent opponent may settle on either answer, which
    can make all the difference to the mover.) More searches are run while the mark is doubtful.
    """
    if all(exact_chances(position, effort) is not None for position in (pos, other)):
        one, two = all_win_chances([pos, other], effort)
        return Advantage(one - two, 0.0)
    part = effort.part(1 / TREES)
    samples: list[Chances] = []
    while True:
        for k in range(len(samples), len(samples) + TREES):
            one, two = all_win_chances([pos, other], replace(part, seed=effort.seed + APART * k))
            samples.append(one - two)
        differences = np.array(samples)
        error = float(differences[:, seat].std(ddof=1) / len(samples) ** 0.5)
        if len(samples) >= MOST_TREES or not is_doubtful(float(differences[:, seat].mean()), error):
            return Advantage(differences.mean(axis=0), error)


def exact_chances(pos: Position, effort: Effort) -> Chances | None:
    """The exact win chances at the end, or close enough to it to search everything; else None."""
    if pos.over:
        return result(pos)
    positions = pos.game.rules.endgame_size(pos.state)
    most = ENDS_A_PLAYOUT * effort.playouts
    if not 0 < positions <= most or len(pos.actors) > 1:
        return None
    ending = EndgameSearch(pos, positions)
    with Cancellable(ending.workspace):
        return ending.chances(pos.players) if ending.look(2 * most) else None


def _run_search(
    pos: Position, effort: Effort, seed: np.uint64, last: Search | None = None
) -> Search:
    """Search a position, reusing the tree of the last search."""
    seat = pos.actors[0] if pos.actors else 0
    search = last or Search(
        pos, seat, Thinking(None, effort.playouts), seed, 0.0, remembered=effort.playouts
    )
    if last:
        search.restart(pos, seat, seed)
    with Cancellable(search.workspace):
        search.play(effort.playouts)
    return search


def _mean(pos: Position, memory: Any) -> Chances:
    """The mean result of the playouts; if one seat is to move, of its most visited move."""
    wins = memory["wins"][:, : pos.players]
    if len(pos.actors) == 1:
        first = memory["first"]
        liked = (
            np.bincount(first[first != NOWHERE]).argmax() if (first != NOWHERE).any() else NOWHERE
        )
        wins = wins[first == liked]
    return np.asarray(wins.mean(axis=0))
