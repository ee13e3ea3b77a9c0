"""Suleika: rugs laid round a walking vizier. 2 to 4 players."""

from souk.core.game import Game
from souk.games.suleika import box, insight, rules, words

GAME = Game(
    "suleika",
    "Suleika",
    "Turn Omar, lay your rugs in his way, and let the others pay for walking on them.",
    range(2, 5),
    rules,
    words,
    box,
    insight,
)
