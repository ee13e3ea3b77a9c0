"""Basari, the card game: what a mind sees. Besides what both Basari games have in common: workers, and how many cards are left."""

import numpy as np

from souk.games.basari_cards.insight import later
from souk.games.basari_cards.rules import CARDS, ENOUGH_WORKERS, SEATS, pile
from souk.games.haggling.mind import OF_THE_WAY, OWN, most_seen, see_game, way_rows
from souk.kernel.bits import count
from souk.kernel.rule import i64, rule

# About a round each, by the workers that whoever has most still wants.
NEAR = np.array([0] * 5 + [1] * 4 + [2] * 4 + [3] * 3)
LEFT_CLASS = np.arange(ENOUGH_WORKERS + 1)  # every worker counts
LEFT_CLASSES = len(LEFT_CLASS)

WAY = OWN
PILE = WAY + way_rows(ENOUGH_WORKERS, LEFT_CLASSES)  # by how many cards are left
ROWS = PILE + CARDS + 1
MOST_SEEN = most_seen(SEATS) + OF_THE_WAY + SEATS - 1 + 1


@rule
def sight(s, desk, lore):
    n = see_game(s, desk, WAY, s.workers, ENOUGH_WORKERS, later(s), NEAR, LEFT_CLASSES, LEFT_CLASS)
    cards = PILE + i64(count(pile(s)))
    for seat in range(i64(s.players)):
        desk.seen[n, seat] = cards
    return n + 1
