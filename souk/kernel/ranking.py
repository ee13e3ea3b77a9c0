"""Winners by rank."""

from souk.kernel.game_ops import rank
from souk.kernel.rule import rule

# The largest lead in points for which the worth of an end is listed.
MAX_LEAD = 256


@rule
def leaders(s):
    """Bit set of the seats with the highest rank."""
    best = rank(s, 0)
    winners = 1
    for seat in range(1, s.players):
        seat_rank = rank(s, seat)
        if seat_rank > best:
            best = seat_rank
            winners = 0
        if seat_rank == best:
            winners |= 1 << seat
    return winners
