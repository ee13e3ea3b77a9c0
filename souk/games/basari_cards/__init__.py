"""Basari, the card game: cards dealt openly, actions chosen in secret, and gems to haggle with. 3 to 5 players."""

from souk.core.game import Game
from souk.games.basari_cards import box, insight, notation, rules
from souk.games.haggling.rules import OFFERS

GAME = Game(
    "basari-cards", range(3, 6), rules, notation, box, insight, secrets=True, open_ended=OFFERS, usual=4, place=3
)
