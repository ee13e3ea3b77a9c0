"""Bazaar: roll and trade chips for the wares in four stalls. 2 to 6 players, and one alone."""

from souk.core.game import Game
from souk.games.bazaar import box, insight, rules, words

GAME = Game(
    "bazaar",
    "Bazaar",
    "Roll and trade coloured chips until they buy a ware: the fewer are left over, the more it counts.",
    range(1, 7),
    rules,
    words,
    box,
    insight,
)
