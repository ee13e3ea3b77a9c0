"""Basari, the board game: dice, points or gems, and a haggle when two want the same. 3 or 4 players."""

from souk.core.game import Game
from souk.games.basari import box, insight, rules, words

GAME = Game(
    "basari",
    "Basari",
    "Walk round the bazaar, choose in secret, and haggle in gems when another has chosen the same.",
    range(3, 5),
    rules,
    words,
    box,
    insight,
)
