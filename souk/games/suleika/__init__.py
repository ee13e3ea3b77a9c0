"""Suleika: rugs laid round a walking vizier. 2 to 4 players."""

from souk.core.game import Game
from souk.games.suleika import box, heuristics, notation, rules

GAME = Game("suleika", range(2, 5), rules, notation, box, heuristics, order=1)
