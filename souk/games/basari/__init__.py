"""Basari, the board game: dice, points or gems, and a haggle if two want the same. 3 or 4
players.
"""

from souk.core.game import Game
from souk.games.basari import box, heuristics, notation, rules
from souk.games.basari_common.rules import OFFERS

GAME = Game(
    "basari",
    range(3, 5),
    rules,
    notation,
    box,
    heuristics,
    secrets=True,
    open_ended=OFFERS,
    order=2,
)
