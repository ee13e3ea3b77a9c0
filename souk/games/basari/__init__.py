"""Basari, the board game: dice, points or gems, and a haggle when two want the same. 3 or 4 players."""

from souk.core.game import Game
from souk.games.basari import box, insight, notation, rules
from souk.games.haggling.rules import OFFERS

GAME = Game("basari", range(3, 5), rules, notation, box, insight, secrets=True, open_ended=OFFERS, place=2)
