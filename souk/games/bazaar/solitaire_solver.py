"""Exact solver for Bazaar solitaire: smallest expected number of actions from every hand, by
value iteration.

Between turns there are 3,003 hands of at most ten chips. Transitions come from the rules, once per
pair of rate cards. The limit of 200 actions (Z32) is ignored: good play never comes near it.
"""

from functools import cache, lru_cache
from itertools import product
from typing import Any

import numpy as np

from souk.core.position import Position
from souk.games.bazaar.box import pack
from souk.games.bazaar.rules import ACT, BUY, COLOURS, LIMIT, TRADES, price
from souk.games.bazaar.solitaire_kernels import all_transitions, improve

NOWHERE = -1
STILL = 1e-12  # converged once no value changes by more

Array = np.ndarray[Any, np.dtype[Any]]


def _kernel(function: Any) -> Any:
    """A function of solitaire_kernels.py, compiled and cached on disk."""
    from souk.games.bazaar import GAME
    from souk.kernel.compiler import cpu_entry

    return cpu_entry(GAME, function)


@cache
def all_hands() -> Array:
    """All hands of at most ten chips, packed, in ascending order."""
    counts = product(range(LIMIT + 1), repeat=COLOURS)
    return np.array(sorted(pack(list(hand)) for hand in counts if sum(hand) <= LIMIT), np.int64)


@cache
def transitions(rates: tuple[int, int]) -> tuple[Array, Array]:
    """Transitions by trades and rolls from every hand, by number of the hand."""
    start = _start(rates, "WWWWW")  # the ware makes no difference here
    hands = all_hands()
    trade_to = np.full((len(hands), TRADES), NOWHERE, np.int64)
    roll_to = np.full((len(hands), COLOURS, COLOURS), NOWHERE, np.int64)
    out = np.zeros(start.game.widest, np.int32)
    _kernel(all_transitions)(start.array.copy(), start.array.copy(), hands, trade_to, roll_to, out)
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
        self._values = np.zeros(len(all_hands()))
        trade_to, roll_to = transitions(self.rates)
        goal = np.searchsorted(all_hands(), price(self._start.state, 0))
        while _kernel(improve)(trade_to, roll_to, goal, self._values) > STILL:
            pass

    @property
    def actions(self) -> float:
        """The smallest expected number of actions from the start."""
        return self.expected(self._start)

    def expected(self, pos: Position) -> float:
        """The smallest expected number of further actions, in any position of this puzzle."""
        self._check(pos)
        return self._expected(pos)

    def best(self, pos: Position) -> str:
        """A best move in any position of this puzzle that has one."""
        self._check(pos)
        if not pos.actors:
            raise ValueError(
                "there is no move to make here" + ("" if pos.over else ": a die is due")
            )
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
            return float(self._values[np.searchsorted(all_hands(), s.chips[0])])
        if not pos.actors:
            return sum(
                chance * self._expected(_resolved(pos, outcome))
                for outcome, chance in pos.chances().items()
            )
        return min(self._after(pos, move) for move in pos.moves(0))

    def _check(self, pos: Position) -> None:
        json = pos.to_json()
        alone = pos.game is self._start.game and pos.players == 1 and "cards" not in pos.options
        if (
            not alone
            or sorted(json["rates"]) != sorted(self.rates)
            or json["stalls"][0]["top"] not in (self.ware, None)
        ):
            raise ValueError(
                f"this is not a position of the puzzle with rates {self.rates} "
                f"and the ware {self.ware}"
            )


def _resolved(pos: Position, outcome: str) -> Position:
    after = pos.copy()
    after.resolve(outcome)
    return after


@lru_cache(64)
def _solved(rates: tuple[int, int], ware: str) -> Par:
    return Par(rates, ware)


def solve(rates: object, ware: object) -> Par:
    """Solve Bazaar solitaire exactly, for two rate cards and a ware."""
    start = _start(rates, ware)
    return _solved(start.options["rates"], start.options["ware"])
