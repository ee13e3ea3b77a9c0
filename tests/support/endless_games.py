"""Positions from which a playout never ends.

Of a game made for that (a seat moves, or a die is rolled, forever), and of the card game with an
empty pile, which cannot be read from JSON.
"""

import numpy as np

from souk.core.position import Position
from souk.games.basari_cards import rules as cards
from souk.kernel.bitset import write_even_outcomes
from souk.kernel.rule import rule
from tests.support.basari_cards_positions import GAME as CARDS
from tests.support.basari_cards_positions import haggle, with_an_empty_pile
from tests.support.two_options import make_game

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
def play(s, seat, move):
    s.turn = 1 - s.turn
    s.rolling = move


@rule
def outcomes(s, out, weights):
    return 0 if s.rolling == 0 else write_even_outcomes(0b11, out, weights)


@rule
def resolve(s, outcome):
    pass


@rule
def write_scores(s, scores):
    scores[0] = 0
    scores[1] = 0
    return 0


GAME = make_game("endless", globals(), ("on", "roll"))


def _haggle() -> Position:
    pos = CARDS.from_json(haggle())
    pos.state.seen = cards.WHOLE_DECK
    return pos


POSITIONS = {"endless": GAME.start(2), "secret": with_an_empty_pile(), "haggle": _haggle()}
