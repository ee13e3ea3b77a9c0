"""Bazaar alone, solved exactly: the smallest expected number of actions from every hand, by dynamic programming.

Alone one holds at most ten chips between turns: 3,003 hands. Where an action may lead is asked of the rules themselves, once for
a pair of rate cards; then the values of all hands are improved until they stand still. (The limit of 200 actions, Z32, is left
out: nobody who plays well comes near it.)
"""

from functools import cache, lru_cache
from itertools import product
from typing import Any

import numpy as np

from souk.core.position import Position
from souk.games.bazaar.box import pack
from souk.games.bazaar.puzzle import all_actions, improve
from souk.games.bazaar.rules import ACT, BUY, COLOURS, LIMIT, TRADES, price

NOWHERE = -1
STILL = 1e-12  # values that change less than this stand still

Array = np.ndarray[Any, np.dtype[Any]]


def _kernel(function: Any) -> Any:
    """A function of puzzle.py, compiled and kept on disk."""
    from souk.games.bazaar import GAME
    from souk.kernel.compiling import cpu_entry

    return cpu_entry(GAME, function)


@cache
def every_hand() -> Array:
    """All hands of at most ten chips, packed, in ascending order."""
    counts = product(range(LIMIT + 1), repeat=COLOURS)
    return np.array(sorted(pack(list(hand)) for hand in counts if sum(hand) <= LIMIT), np.int64)


@cache
def actions_with(rates: tuple[int, int]) -> tuple[Array, Array]:
    """Where trades and rolls lead from every hand, by the numbers of the hands."""
    start = _start(rates, "WWWWW")  # which ware is for sale makes no difference to that
    hands = every_hand()
    trade_to = np.full((len(hands), TRADES), NOWHERE, np.int64)
    roll_to = np.full((len(hands), COLOURS, COLOURS), NOWHERE, np.int64)
    out = np.zeros(start.game.widest, np.int32)
    _kernel(all_actions)(start.array.copy(), start.array.copy(), hands, trade_to, roll_to, out)
    for table in (trade_to, roll_to):
        table[table >= 0] = np.searchsorted(hands, table[table >= 0])
    return trade_to, roll_to


def _start(rates: object, ware: object) -> Position:
    from souk.games.bazaar import GAME

    for name, value in (("rates", rates), ("ware", ware)):
        if value is None:
            raise ValueError(f"{name}: a puzzle is two given rate cards and a given ware")
    return GAME.start(players=1, rates=rates, ware=ware)


class Par:
    """A solved puzzle: two rate cards and a ware."""

    def __init__(self, rates: object, ware: object) -> None:
        self._start = _start(rates, ware)
        self.rates: tuple[int, int] = self._start.options["rates"]
        self.ware: str = self._start.options["ware"]
        self._values = np.zeros(len(every_hand()))
        trade_to, roll_to = actions_with(self.rates)
        goal = np.searchsorted(every_hand(), price(self._start.state, 0))
        while _kernel(improve)(trade_to, roll_to, goal, self._values) > STILL:
            pass

    @property
    def actions(self) -> float:
        """The smallest expected number of actions from the start."""
        return self.expected(self._start)

    def expected(self, pos: Position) -> float:
        """The smallest expected number of actions still to come, in any position of this puzzle."""
        self._check(pos)
        return self._expected(pos)

    def best(self, pos: Position) -> str:
        """A best move in any position of this puzzle in which there is one to make."""
        self._check(pos)
        if not pos.actors:
            raise ValueError("there is no move to make here" + ("" if pos.over else ": a die is due"))
        return min(pos.moves(0), key=lambda move: round(self._after(pos, move), 9))

    def _after(self, pos: Position, move: str) -> float:
        after = pos.copy()
        after.play(0, move)
        return self._expected(after)

    def _expected(self, pos: Position) -> float:
        s = pos.state
        if pos.over or s.phase == BUY:
            return 0.0
        if s.phase == ACT:
            return float(self._values[np.searchsorted(every_hand(), s.chips[0])])
        if not pos.actors:
            return sum(chance * self._expected(_resolved(pos, outcome)) for outcome, chance in pos.chances().items())
        return min(self._after(pos, move) for move in pos.moves(0))

    def _check(self, pos: Position) -> None:
        json = pos.to_json()
        alone = pos.game is self._start.game and pos.players == 1 and "cards" not in pos.options
        if (
            not alone
            or sorted(json["rates"]) != sorted(self.rates)
            or json["stalls"][0]["top"] not in (self.ware, None)
        ):
            raise ValueError(f"this is not a position of the puzzle with rates {self.rates} and the ware {self.ware}")


def _resolved(pos: Position, outcome: str) -> Position:
    after = pos.copy()
    after.resolve(outcome)
    return after


@lru_cache(64)
def _solved(rates: tuple[int, int], ware: str) -> Par:
    return Par(rates, ware)


def solve(rates: object, ware: object) -> Par:
    """Bazaar alone with two given rate cards and a given ware, solved exactly."""
    start = _start(rates, ware)
    return _solved(start.options["rates"], start.options["ware"])
