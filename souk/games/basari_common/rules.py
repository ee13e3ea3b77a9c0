"""Rules shared by both Basari games: secret choices, gems, haggles, majorities.

Clauses are named as in basari/rules.md (B) and basari_cards/rules.md (K). A state that haggles has
these fields:

* `players`, `turn` (in a haggle: the seat to speak);
* `gems` (by seat and colour) and `supply` (by colour); colours by rank: red, yellow, green, blue;
* `choice` (by seat: an action, NONE or HIDDEN) and `action` (the one being settled, or NONE);
* `opener`, `other` (the two who haggle, or NONE) and `offer` (the current one, 0 for nothing).

An offer is its four counts packed into one number (see souk.kernel.packed_counts), red highest.
Among offers of one size the larger number is the higher offer.
"""

from souk.kernel.bitset import count
from souk.kernel.packed_counts import BITS, count_of, covers, fits
from souk.kernel.ranking import leaders
from souk.kernel.rng import below, mix
from souk.kernel.rule import memoized, rule, u64

COLOURS = 4
NONE = -1
HIDDEN = 9  # a choice made but not visible

ACCEPT = 1 << 24  # moves of a haggle; an offer is OFFER + its packed counts
PASS = 2 << 24
OFFER = 4 << 24
OFFERS = range(OFFER, OFFER + (1 << 24))
MAJORITY_POINTS = (14, 12, 10, 8)  # B32, K41
OVER = 6  # the phase after the end, in both games
HALF = 0  # instead of a number of gems, see `score_majority`


# ---------------------------------------------------------------- choices


@rule
def chose(s, action):
    """B15, K16: the seats that chose an action, as a bit set."""
    seats = 0
    for seat in range(s.players):
        if s.choice[seat] == action:
            seats |= 1 << seat
    return seats


@rule
def yet_to_choose(s):
    """B11, K11: the seats that have not chosen, as a bit set."""
    return chose(s, NONE)


@rule
def lose(s, action):
    """B15, K16: too many chose an action, so nobody carries it out.

    Changes nothing; exists to be traced.
    """


@rule
def hide_secrets(s, seat):
    """B4, B11, K11: choices are secret until all have chosen; nothing else is."""
    if yet_to_choose(s) != 0:
        for other in range(s.players):
            if other != seat and s.choice[other] != NONE:
                s.choice[other] = HIDDEN


@rule
def unhide_choices(s):
    for seat in range(s.players):
        if s.choice[seat] == HIDDEN:
            s.choice[seat] = NONE


@rule
def forget_choices(s):
    for seat in range(s.players):
        s.choice[seat] = NONE
    s.action = NONE


# ---------------------------------------------------------------- offers


@rule
def pack(red, yellow, green, blue):
    return (red << 18) | (yellow << 12) | (green << 6) | blue


@rule
def gems_of(colour, n):
    """`n` gems of one colour, packed."""
    return n << (BITS * (COLOURS - 1 - colour))


@rule
def part(gems, colour):
    """Number of gems of a colour in packed gems."""
    return count_of(gems, COLOURS - 1 - colour)


@memoized
def size(gems):
    """Total number of packed gems."""
    return count_of(gems, 0) + count_of(gems, 1) + count_of(gems, 2) + count_of(gems, 3)


@rule
def hand(s, seat):
    """All gems of a seat, packed."""
    return pack(s.gems[seat, 0], s.gems[seat, 1], s.gems[seat, 2], s.gems[seat, 3])


@rule
def owned(s, seat, offer):
    """B21: whether a seat holds the gems of an offer."""
    return fits(offer) and covers(hand(s, seat), offer)


@rule
def higher(offer, other):
    """B23, K22: more gems, or as many and more red, or as many red and more yellow, and so on."""
    if size(offer) != size(other):
        return size(offer) > size(other)
    return offer > other


@rule
def lowest_offer(held, n, colour):
    """The lowest offer of n gems of `colour` and the colours below it; n must be held.

    As many blue ones as are held, then green, and so on.
    """
    offer = 0
    for step in range(COLOURS - colour):
        some = min(n, count_of(held, step))
        offer |= some << (BITS * step)
        n -= some
    return offer


@memoized
def next_offer(held, offer):
    """B23, K22: the lowest offer from `held` that is higher than `offer` (0: no offer); 0
    if none.
    """
    n = size(offer)
    if n > 0:
        # Same size: keep the longest run of leading colours, and raise the next one as little as
        # the rest allows.
        for step in range(1, COLOURS):
            shift = BITS * step
            leading = (offer >> (shift + BITS)) << (shift + BITS)
            rest = n - size(leading)
            raised = max(count_of(offer, step) + 1, rest - size(held & ((1 << shift) - 1)))
            if raised <= min(count_of(held, step), rest) and covers(held, leading):
                return (
                    leading | (raised << shift) | lowest_offer(held, rest - raised, COLOURS - step)
                )
    return lowest_offer(held, n + 1, 0) if size(held) > n else 0


# ---------------------------------------------------------------- the haggle


@rule
def begin_haggle(s, opener, other):
    """B20, K20: two seats start to haggle, nothing offered yet."""
    s.opener = opener
    s.other = other
    s.turn = opener
    s.offer = 0


@rule
def end_haggle(s):
    s.opener = NONE
    s.other = NONE
    s.offer = 0


@rule
def partner(s, seat):
    """The seat a seat haggles with."""
    return s.other if seat == s.opener else s.opener


@rule
def may_stop(s, seat, free_to_pass):
    """The move that ends a haggle: ACCEPT an offer (B22), PASS with nothing offered (B21, K21),
    or 0.

    A seat without gems can only pass; otherwise `free_to_pass` says whether an opener may.
    """
    if s.offer != 0:
        return ACCEPT
    if free_to_pass or hand(s, seat) == 0:
        return PASS
    return 0


@rule
def haggle_moves(s, seat, out, free_to_pass):
    """B21–B25, K21–K22: accept or pass, then every higher offer, lowest first, as many as fit."""
    n = 0
    stop = may_stop(s, seat, free_to_pass)
    if stop != 0:
        out[n] = stop
        n += 1
    held = hand(s, seat)
    offer = next_offer(held, s.offer)
    while offer != 0 and n < len(out):
        out[n] = OFFER + offer
        n += 1
        offer = next_offer(held, offer)
    return n


@rule
def haggle_legal(s, seat, move, free_to_pass):
    if 0 < move < OFFER:
        return move == may_stop(s, seat, free_to_pass)
    offer = move - OFFER
    return 0 < offer < ACCEPT and owned(s, seat, offer) and higher(offer, s.offer)


@rule
def random_haggle_move(s, seat, x, free_to_pass):
    """Random play that ends: stop with probability 1/2 if allowed, else one of the eight
    lowest offers.
    """
    held = hand(s, seat)
    offer = next_offer(held, s.offer)
    stop = may_stop(s, seat, free_to_pass)
    if stop != 0 and (offer == 0 or below(x, 2) == 0):
        return stop
    x = mix(u64(x) + u64(1))
    lowest_raise = offer
    n = 1
    for _ in range(below(x, 8)):
        offer = next_offer(held, offer)
        if offer == 0:
            # Fewer than eight: choose among the n there are.
            offer = lowest_raise
            for _ in range(below(mix(x), n)):
                offer = next_offer(held, offer)
            break
        n += 1
    return OFFER + offer


@rule
def hand_over(s, giver, taker):
    """B22, B25, K22: the accepted offer changes hands; the accepter keeps all their own gems."""
    for colour in range(COLOURS):
        s.gems[giver, colour] -= part(s.offer, colour)
        s.gems[taker, colour] += part(s.offer, colour)


@rule
def speak(s, seat, move):
    """B21–B22, K21–K22: make an offer, or end the haggle by accepting or passing.

    Accepting or passing leaves the action to the other. Returns the seat that gets it, or NONE
    while the haggle goes on.
    """
    other = partner(s, seat)
    if move >= OFFER:
        s.offer = move - OFFER
        s.turn = other
        return NONE
    if move == ACCEPT:
        hand_over(s, other, seat)
    end_haggle(s)
    return other


@rule
def take_from_supply(s, seat, colour, wanted):
    """B14, K15: take gems from the supply, as many as there are."""
    taken = min(wanted, s.supply[colour])
    s.supply[colour] -= taken
    s.gems[seat, colour] += taken


@rule
def return_to_supply(s, seat, colour, wanted):
    """B33, K41–K42: return gems to the supply, as many as the seat has."""
    returned = min(wanted, s.gems[seat, colour])
    s.gems[seat, colour] -= returned
    s.supply[colour] += returned


@rule
def majority(s, colour):
    """B32, K41–K42: the seats that hold the most of a colour, as a bit set; none if nobody
    holds any.
    """
    most = 1
    seats = 0
    for seat in range(s.players):
        if s.gems[seat, colour] > most:
            most = s.gems[seat, colour]
            seats = 0
        if s.gems[seat, colour] == most:
            seats |= 1 << seat
    return seats


@rule
def score_majority(s, colour, returned_alone):
    """B32, K41–K42: points for the most of a colour, shared on a tie.

    B33, K41–K42: a sole holder returns `returned_alone` gems (HALF: half of them, rounded up),
    tied holders two each.
    """
    seats = majority(s, colour)
    holders = count(seats)
    for seat in range(s.players):
        if (seats >> seat) & 1:
            s.points[seat] += MAJORITY_POINTS[colour] // holders
            returned = 2
            if holders == 1:
                half = (s.gems[seat, colour] + 1) // 2
                returned = half if returned_alone == HALF else returned_alone
            return_to_supply(s, seat, colour, returned)


@rule
def over(s):
    return s.phase == OVER


@rule
def write_scores(s, scores):
    """B36–B37, K45: most points win; points are unlimited."""
    for seat in range(s.players):
        scores[seat] = s.points[seat]
    return leaders(s) if over(s) else 0
