"""Positions from which a playout never ends.

Of a game made for that (a seat moves, or a die is rolled, forever), and of the card game with an
empty pile, which cannot be read from JSON.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from souk.core.game import Game
from souk.core.position import Position
from souk.games.basari_cards import rules as cards
from souk.kernel.rule import rule
from tests.support.basari_cards_positions import GAME as CARDS
from tests.support.basari_cards_positions import haggle, with_an_empty_pile

STATE = np.dtype([("turn", "i1"), ("rolling", "i1"), ("players", "i1")])
WIDEST = 2


@rule
def setup(s):
    s.turn = 0
    s.rolling = 0


@rule
def over(s):
    return False


@rule
def actors(s):
    return 0 if s.rolling != 0 else 1 << s.turn


@rule
def moves(s, seat, out):
    if not (actors(s) >> seat) & 1:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


@rule
def legal(s, seat, move):
    return (actors(s) >> seat) & 1 == 1 and 0 <= move <= 1


@rule
def play(s, seat, move):
    s.turn = 1 - s.turn
    s.rolling = move


@rule
def outcomes(s, out, weights):
    if s.rolling == 0:
        return 0
    out[0] = 0
    out[1] = 1
    weights[0] = 1
    weights[1] = 1
    return 2


@rule
def resolve(s, outcome):
    pass


@rule
def write_scores(s, scores):
    for seat in range(2):
        scores[seat] = 0
    return 0


def _move_text(s: Any, move: int) -> str:
    return ("on", "roll")[move]


def _read_move(s: Any, text: str) -> int:
    return ("on", "roll").index(text)


notation: Any = SimpleNamespace(move_text=_move_text, read_move=_read_move)
rules = SimpleNamespace(**globals())
GAME = Game("endless", range(2, 3), rules, notation, None)


def _haggle() -> Position:
    pos = CARDS.from_json(haggle())
    pos.state.seen = cards.WHOLE_DECK
    return pos


POSITIONS = {"endless": GAME.start(2), "secret": with_an_empty_pile(), "haggle": _haggle()}
