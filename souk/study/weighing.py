"""What a position is worth: everybody's chance to win, by search, or exactly where that can be had."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from souk.bots.bot import Choice
from souk.bots.desk import seed_for
from souk.bots.ending import Ending
from souk.bots.kernels.search import NOWHERE
from souk.bots.searcher import Search, Searcher, Thinking
from souk.core.position import Position
from souk.study.study import is_doubtful

Chances = np.ndarray[Any, np.dtype[np.float64]]  # by seat; they add up to 1

PLAYOUTS = 2000  # for a decision, unless somebody says otherwise
FEWEST = 16  # playouts that any position is given
TREES = 5  # grown from the same position to see how far they differ,
MOST_TREES = 80  # and so many where a word is in doubt
APART = 1000  # so far are their seeds from each other
_TRIAL = 2000  # playouts by which it is seen how many there are in a second
ENDS_A_PLAYOUT = 40  # positions of an end that are looked at in full, for each playout that there would be


@dataclass(frozen=True)
class Effort:
    """How hard to think about one decision: the same effort finds the same in every process."""

    playouts: int = PLAYOUTS
    seed: int = 0

    def part(self, share: float) -> "Effort":
        """So much of it, but never next to nothing."""
        return replace(self, playouts=max(FEWEST, round(self.playouts * share)))


@dataclass(frozen=True)
class Lead:
    """By how much everybody's chances are better after one move than after another, and how far off that may be for the seat that moves."""

    chances: Chances
    error: float


def result(pos: Position) -> Chances:
    """The end of a game: a shared win counts in parts."""
    winners = pos.winners
    return np.array([(seat in winners) / len(winners) if winners else 1 / pos.players for seat in range(pos.players)])


def after_move(pos: Position, seat: int, move: str) -> Position:
    after = pos.copy()
    after.play(seat, move)
    return after


def after_outcome(pos: Position, outcome: str) -> Position:
    after = pos.copy()
    after.resolve(outcome)
    return after


def best_moves(pos: Position, seat: int, effort: Effort) -> Choice:
    """What a seat could do, the best first."""
    return Searcher("study", Thinking(None, effort.playouts, effort.seed)).choose(pos, seat)


def playouts_in(pos: Position, seconds: float) -> int:
    """How many playouts a search from a position makes in so many seconds, about: measured by making some."""
    begin = time.perf_counter()
    worth(pos, Effort(_TRIAL))
    return max(FEWEST, round(_TRIAL * seconds / (time.perf_counter() - begin)))


def worth(pos: Position, effort: Effort) -> Chances:
    """Everybody's chance to win."""
    return worths([pos], effort)[0]


def worths(positions: Sequence[Position], effort: Effort) -> list[Chances]:
    """Everybody's chance to win in each of several positions of one table, with so much effort for each. All are looked at with the same
    dice, so that most of the luck cancels out of what they differ by."""
    search, found, seed = None, [], seed_for(effort.seed, positions[0], 0)
    for pos in positions:
        known = certain(pos, effort)
        if known is None:
            search = _searched(pos, effort, seed, search)
            known = _mean(pos, search.memory)
        found.append(known)
    if search:
        search.give_back()
    return found


def lead(pos: Position, other: Position, seat: int, effort: Effort) -> Lead:
    """How much better one position is than another. Both are looked at several times, each time with the same dice, and the error is told by how far these looks
    differ. (One tree alone believes in itself too much: to somebody who may answer in one way or another it can be all the same, and to
    whoever moved all the difference.) Where it is in doubt what to call that, both are looked at more often."""
    if all(certain(each, effort) is not None for each in (pos, other)):
        one, two = worths([pos, other], effort)
        return Lead(one - two, 0.0)
    part = effort.part(1 / TREES)
    looks: list[Chances] = []
    while True:
        for k in range(len(looks), len(looks) + TREES):
            one, two = worths([pos, other], replace(part, seed=effort.seed + APART * k))
            looks.append(one - two)
        found = np.array(looks)
        error = float(found[:, seat].std(ddof=1) / len(looks) ** 0.5)
        if len(looks) >= MOST_TREES or not is_doubtful(float(found[:, seat].mean()), error):
            return Lead(found.mean(axis=0), error)


def certain(pos: Position, effort: Effort) -> Chances | None:
    """What is known exactly: the end, and what comes shortly before it where there is time to look at all of it."""
    if pos.over:
        return result(pos)
    positions = pos.game.rules.ending(pos.state)
    most = ENDS_A_PLAYOUT * effort.playouts
    if not 0 < positions <= most or len(pos.actors) > 1:
        return None
    ending = Ending(pos, positions)
    return ending.chances(pos.players) if ending.look(2 * most) else None


def _searched(pos: Position, effort: Effort, seed: np.uint64, last: Search | None = None) -> Search:
    """A tree grown from a position, where the last one was grown if there was one."""
    seat = pos.actors[0] if pos.actors else 0
    search = last or Search(pos, seat, Thinking(None, effort.playouts), seed, 0.0, remembered=effort.playouts)
    if last:
        search.begin_again(pos, seat, seed)
    search.play(effort.playouts)
    return search


def _mean(pos: Position, memory: Any) -> Chances:
    """What playouts came to: those of the move that was looked at most, where one seat is to move; the others were only tried."""
    wins = memory["wins"][:, : pos.players]
    if len(pos.actors) == 1:
        first = memory["first"]
        liked = np.bincount(first[first != NOWHERE]).argmax() if (first != NOWHERE).any() else NOWHERE
        wins = wins[first == liked]
    return np.asarray(wins.mean(axis=0))
