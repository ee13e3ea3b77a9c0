"""Bazaar: roll and trade chips for the wares in four stalls. 2 to 6 players, and one alone."""

from souk.core.game import Game
from souk.games.bazaar import box, heuristics, notation, rules

GAME = Game("bazaar", range(1, 7), rules, notation, box, heuristics, usual=3, order=4)
