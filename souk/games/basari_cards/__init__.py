"""Basari, the card game: open cards, secret actions, and gems to haggle with. 3 to 5 players."""

from souk.core.game import Game
from souk.games.basari_cards import box, heuristics, notation, rules
from souk.games.basari_common.rules import OFFERS

GAME = Game(
    "basari-cards",
    range(3, 6),
    rules,
    notation,
    box,
    heuristics,
    secrets=True,
    open_ended=OFFERS,
    usual=4,
    order=3,
)
