"""Basari, the card game: cards dealt openly, actions chosen in secret, and gems to haggle with. 3 to 5 players."""

from souk.core.game import Game
from souk.games.basari_cards import box, insight, rules, words

GAME = Game(
    "basari-cards",
    "Basari, the card game",
    "Guess what the others want from their cards, and haggle for it with gems where you guessed alike.",
    range(3, 6),
    rules,
    words,
    box,
    insight,
)
