"""Suleika endgame: search effort, exact solution of the last two turns, transposition key."""

from souk.games.suleika.endgame_last_turns import SCRATCH as SCRATCH
from souk.games.suleika.endgame_last_turns import last_turns as last_turns
from souk.games.suleika.rules import DIE, RUG, SIDE, rugs_left
from souk.kernel.bitset import bit
from souk.kernel.rule import rule, u64

FIELDS = SIDE * SIDE
FURTHEST = 5  # turns; six take hours


@rule
def rugs_to_come(s):
    return s.left[0] + s.left[1] + s.left[2] + s.left[3]


# ---------------------------------------------------------------- effort


@rule
def endgame_size(s):
    """Number of positions to search, counted in stops of the last turn.

    A turn is three directions, four faces and eight to ten places. With three or four players a
    third of each earlier turn is pruned; with two, more is, though either colour of rug may come
    up.
    """
    turns = rugs_to_come(s)
    if turns > FURTHEST:
        return 0
    positions = 10 if s.phase == RUG else (40 if s.phase == DIE else 120)
    if turns > 1:
        positions *= 12
    for _ in range(2, turns):
        positions *= 62 if s.players > 2 else (28 if s.turn_at_end else 16)
    if s.players == 2:
        for seat in range(2):
            if s.left[2 * seat] > 0 and s.left[2 * seat + 1] > 0:
                positions <<= rugs_left(s, seat) - 1
    return positions


# ---------------------------------------------------------------- transposition key


@rule
def endgame_key(s, words):
    """Before a rug is laid: which neighbouring halves are of one rug (S19), not the rug numbers."""
    if s.phase != RUG:
        return 0
    upright = u64(0)
    across = u64(0)
    for field in range(FIELDS - 1):
        if s.rug[field] > 0:
            if s.rug[field] == s.rug[field + 1]:
                upright |= bit(field)
            if field + SIDE < FIELDS and s.rug[field] == s.rug[field + SIDE]:
                across |= bit(field)
    words[4] = upright
    words[5] = across
    purses = u64(0)
    rest = u64(((s.omar * 4 + s.facing) * 4 + s.turn) * 8 + s.up + 1)
    for k in range(4):
        words[k] = s.cover[k]
        purses = u64(purses << u64(16)) | u64(s.money[k])
        rest = u64(rest << u64(8)) | u64(s.left[k])
    words[6] = purses
    words[7] = u64(rest << u64(1)) | u64(1 if s.last == 0 else 0)
    return 8
