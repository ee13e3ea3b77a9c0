"""Who comes out on top."""

from souk.kernel.rule import rule
from souk.kernel.verbs import rank

MOST_AHEAD = 256  # points, where worths are listed by them


@rule
def leaders(s):
    """The seats whose rank nobody else's exceeds, as a bit set."""
    best = rank(s, 0)
    found = 1
    for seat in range(1, s.players):
        here = rank(s, seat)
        if here > best:
            best = here
            found = 0
        if here == best:
            found |= 1 << seat
    return found
