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

Chances = np.ndarray[Any, np.dtype[np.float64]]  # by seat; they add up to 1

PLAYOUTS = 2000  # for a decision, unless somebody says otherwise
FEWEST = 16  # playouts that any position is given
BATCHES = 10  # into which playouts are put to see how far they differ
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


def estimate(pos: Position, seat: int, effort: Effort) -> tuple[float, float]:
    """A seat's chance to win, and the standard error of that: 0 where it is known exactly."""
    known = certain(pos, effort)
    if known is not None:
        return float(known[seat]), 0.0
    search = _searched(pos, effort, seed_for(effort.seed, pos, seat))
    search.give_back()
    wins = _liked(pos, search.memory)[:, seat]
    return float(wins.mean()), _error(wins)


def lead(pos: Position, other: Position, seat: int, effort: Effort) -> Lead:
    """How much better one position is than another: both are looked at with the same dice."""
    sure, other_sure = certain(pos, effort), certain(other, effort)
    if sure is not None and other_sure is not None:
        return Lead(sure - other_sure, 0.0)
    seed = seed_for(effort.seed, pos, seat)
    differences = _playouts(pos, sure, effort, seed) - _playouts(other, other_sure, effort, seed)
    return Lead(differences.mean(axis=0), _error(differences[:, seat]))


def _error(found: Chances) -> float:
    """The standard error of a mean, by how far batches of what it is made of differ."""
    batches = [batch.mean() for batch in np.array_split(found, min(BATCHES, len(found)))]
    return float(np.std(batches, ddof=1) / len(batches) ** 0.5)


def _playouts(pos: Position, known: Chances | None, effort: Effort, seed: np.uint64) -> Chances:
    """What came of each playout; always the same, where that is known."""
    if known is not None:
        return np.tile(known, (effort.playouts, 1))
    search = _searched(pos, effort, seed)
    search.give_back()
    return np.asarray(search.memory["wins"][:, : pos.players])


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
    return np.asarray(_liked(pos, memory).mean(axis=0))


def _liked(pos: Position, memory: Any) -> Chances:
    """What playouts came to: those of the move that was looked at most, where one seat is to move; the others were only tried."""
    wins = memory["wins"][:, : pos.players]
    if len(pos.actors) == 1:
        first = memory["first"]
        liked = np.bincount(first[first != NOWHERE]).argmax() if (first != NOWHERE).any() else NOWHERE
        wins = wins[first == liked]
    return np.asarray(wins)
