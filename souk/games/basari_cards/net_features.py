"""Net features of Basari, the card game: those both games share, workers, and cards left."""

import numpy as np

from souk.games.basari_cards.heuristics import later
from souk.games.basari_cards.rules import CARDS, ENOUGH_WORKERS, SEATS, pile
from souk.games.basari_common.net_features import (
    OWN,
    PROGRESS,
    add_shared,
    most_seen,
    progress_rows,
)
from souk.kernel.bitset import count
from souk.kernel.rule import i64, rule

# About a round each, by workers the furthest seat still needs.
NEAR = np.array([0] * 5 + [1] * 4 + [2] * 4 + [3] * 3)
LEFT_CLASS = np.arange(ENOUGH_WORKERS + 1)  # every worker counts
LEFT_CLASSES = len(LEFT_CLASS)

WAY = OWN
PILE = WAY + progress_rows(ENOUGH_WORKERS, LEFT_CLASSES)  # by number of cards left
ROWS = PILE + CARDS + 1
MOST_SEEN = most_seen(SEATS) + PROGRESS + SEATS - 1 + 1


@rule
def features(s, workspace, lookup):
    n = add_shared(
        s, workspace, WAY, s.workers, ENOUGH_WORKERS, later(s), NEAR, LEFT_CLASSES, LEFT_CLASS
    )
    cards = PILE + i64(count(pile(s)))
    for seat in range(i64(s.players)):
        workspace.seen[n, seat] = cards
    return n + 1
