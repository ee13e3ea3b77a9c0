"""NumPy version of the loops in `ware_values` for use without compilation; bit-identical.

There hands are improved one by one, larger ones first: a larger successor has already been improved
in the current sweep, a smaller one has not. A *layer* is a set of hands that can be improved
together without changing results.
"""

from functools import cache
from typing import Any

import numpy as np

from souk.games.bazaar.rules import COLOURS, LIMIT, ROLL, TRADE, TRADES, chip, size
from souk.games.bazaar.ware_values import HANDS, NEXT_WARE, PATIENCE, ROW, WARES, list_hands, number

Array = np.ndarray[Any, np.dtype[Any]]
_NOWHERE = HANDS  # index of a row worth nothing


def weigh_kept_chips(hold: Any, kept: Any) -> None:
    """As in souk.games.bazaar.ware_values."""
    worths, values = np.asarray(hold), np.asarray(kept)
    total = np.zeros(HANDS, np.float32)
    for ware in range(WARES):
        total += worths[:, ware]
    values[:] = total / np.float32(WARES)
    values += np.float32(NEXT_WARE) - values[0]


def improve_all(work: Any, hold: Any, moves: Any) -> None:
    """As in souk.games.bazaar.ware_values."""
    worths, best_moves = np.asarray(hold), np.asarray(moves)
    after = np.zeros((HANDS + 1, ROW), np.float32)  # with the row for nowhere
    after[:HANDS] = work.after
    bought, trade_to = _purchases(work), np.asarray(work.trade_to)
    for layer in _layers(trade_to.tobytes()):
        best, move = _best_trades(after, trade_to[layer])
        roll = _mean_rolls(after, worths[layer], _rolls()[layer])
        rolled = roll >= best
        best_moves[layer] = np.where(rolled, ROLL, move)
        worths[layer] = np.float32(PATIENCE) * np.where(rolled, roll, best)
        after[layer] = np.maximum(worths[layer], bought[layer])
    np.asarray(work.after)[:] = after[:HANDS]


def _purchases(work: Any) -> Array:
    """By hand and ware, the value of a purchase, 0 if not payable."""
    bought = np.zeros((HANDS, ROW), np.float32)
    first = np.asarray(work.first)
    ware, points, rest = np.asarray(work.purchases)[: first[-1]].T
    bought[np.repeat(np.arange(HANDS), np.diff(first)), ware] = points + np.asarray(work.kept)[rest]
    return bought


def _best_trades(after: Array, trade_to: Array) -> tuple[Array, Array]:
    """For some hands and every ware the best value a trade leads to, and the trade."""
    worths = after[np.where(trade_to < 0, _NOWHERE, trade_to)]
    which = worths.argmax(axis=1)
    return worths.max(axis=1), np.float32(TRADE) + which.astype(np.float32)


def _mean_rolls(after: Array, worths: Array, roll_to: Array) -> Array:
    """For some hands and every ware the value of a roll."""
    roll, choice = np.zeros_like(worths), np.zeros_like(worths)
    full = roll_to[:, 0] == _NOWHERE
    for colour in range(COLOURS):
        reached = np.where(full[:, None], worths, after[roll_to[:, colour]])
        roll += reached
        np.maximum(choice, reached, out=choice)
    return (roll + choice) / np.float32(6.0)


@cache
def _rolls() -> Array:
    """Hand reached by a chip of each colour; nowhere from a full hand."""
    hands, reached = [0] * HANDS, np.full((HANDS, COLOURS), _NOWHERE)
    list_hands(hands)
    for h, hand in enumerate(hands):
        if size(hand) < LIMIT:
            reached[h] = [number(hand + chip(colour)) for colour in range(COLOURS)]
    return reached


@cache
def _layers(trades: bytes) -> list[Array]:
    """The hands of each layer, in order of improvement: after the larger hands they lead
    to, and not after smaller ones.
    """
    trade_to = np.frombuffer(trades, np.int16).reshape(HANDS, TRADES)
    layer = np.zeros(HANDS + 1, np.int64)
    for h in range(HANDS - 1, -1, -1):
        leads = np.concatenate([trade_to[h], _rolls()[h]])
        larger = leads[(leads > h) & (leads < _NOWHERE)]
        if len(larger):
            layer[h] = max(layer[h], layer[larger].max() + 1)
        smaller = trade_to[h][(trade_to[h] >= 0) & (trade_to[h] < h)]
        layer[smaller] = np.maximum(layer[smaller], layer[h])
    return [np.flatnonzero(layer[:HANDS] == k) for k in range(layer.max() + 1)]
