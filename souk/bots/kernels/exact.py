"""The end of a game played out in full: every move, every die and card, no sampling. Each seat picks what is best for itself.

What comes out is the same as if every position were looked at, to the last bit; but the last turns are taken as a whole (`souk.bots.kernels.ends`),
a position that has come up before is known again by its essence, which is compared word by word, and of two players neither goes on with what the
other has no reason to allow."""

import numpy as np

from souk.bots.kernels.ends import weigh_ends
from souk.bots.kernels.value import SCORE, UTILITY, WIN, judge, utility
from souk.kernel.bits import lowest
from souk.kernel.playable import Playable
from souk.kernel.rule import i64, rule, u64
from souk.kernel.verbs import actors, candidates, essence, last_turns, moves, outcomes, over, play, resolve

LEVELS = 40
WORDS = 8  # of an essence, at most
ANYTHING = 1e9  # more than any utility
ROUNDING = 1e-9  # far more than utilities are out by, far less than they differ by


def level_type(game: Playable) -> np.dtype[np.void]:
    """A level of the stack: a position of which all continuations are being looked at."""
    wide, seats = game.desk["out"].shape[0], game.desk["wins"].shape[0]
    return np.dtype(
        [
            ("sums", "f8", (seats, 3)),  # by seat what is known: of the best move so far, or the mean over the outcomes
            ("seat", "i8"),  # that is to move, -1 where a die or card is due
            ("next", "i8"),  # the place in the list of what is looked at next
            ("n", "i8"),  # the length of the list
            ("weight", "i8"),  # of the outcomes looked at so far
            ("out", "i4", wide),  # its moves or outcomes
            ("weights", "i4", wide),
            ("words", "u8", WORDS),  # its essence
            ("length", "i8"),  # in words
            ("slot", "i8"),  # where it is kept, -1 where it is not
            ("begun", "i8"),  # how many positions had been looked at before
            # Two players: what is known of it is but a bound (`cut` is 1) where it will not come to this,
            ("low", "f8"),  # because it is worth less than so much to seat 0, which will not let it come to it,
            ("high", "f8"),  # or more, and the other seat will not.
            ("cut", "i8"),
            ("picked", "i8"),  # the place in the list of the best move so far
            ("liked", "i8"),  # the best move of the position that this level was about before
            ("places", "i4", wide),  # of the list's moves in the order of `moves`: of moves alike the first is picked
        ],
        align=True,
    )


def kept_type(game: Playable) -> np.dtype[np.void]:
    """A position that has been looked at, and what it comes to."""
    return np.dtype(
        [
            ("sums", "f8", (game.desk["wins"].shape[0], 3)),
            ("words", "u8", WORDS),
            ("length", "i8"),  # in words, 0 where nothing is kept
            ("took", "i8"),  # positions
        ],
        align=True,
    )


@rule
def enter(s, here):
    """Begin to look at a position: list what may happen in it."""
    seats = actors(s)
    here.seat = -1 if seats == 0 else lowest(seats)
    here.next = 0
    here.weight = 0
    if seats == 0:
        here.n = outcomes(s, here.out, here.weights)
    else:
        here.n = moves(s, here.seat, here.out)
        for k in range(here.n):
            here.places[k] = k
    for seat in range(s.players):
        for kind in range(3):
            here.sums[seat, kind] = 0.0


@rule
def copy_sums(source, target, players):
    for seat in range(players):
        for kind in range(3):
            target[seat, kind] = source[seat, kind]


@rule
def bring_forward(here, move, first):
    """Put a move into this place of the list, if it does not stand before it. Returns the place that is next."""
    for k in range(first, here.n):
        if here.out[k] == move:
            here.out[k] = here.out[first]
            here.out[first] = move
            place = here.places[k]
            here.places[k] = here.places[first]
            here.places[first] = place
            return first + 1
    return first


@rule
def look_first(s, here, desk, lore):
    """Begin with the move that was best a moment ago: most often it is again; then those that look promising. The sooner the best is found, the less remains to
    be looked at."""
    first = bring_forward(here, here.liked, 0)
    n = candidates(s, here.seat, desk, lore)
    for k in range(n):
        first = bring_forward(here, i64(desk.found[k]), first)


@rule
def take_in(here, looked_at, players):
    """What the continuation just looked at means for a position: the best of a seat's moves, or the mean of a chance's outcomes."""
    k = here.next - 1
    if here.seat >= 0:
        better = looked_at.sums[here.seat, UTILITY] - here.sums[here.seat, UTILITY]
        if k == 0 or better > 0.0 or (better == 0.0 and here.places[k] < here.places[here.picked]):
            here.picked = k
            here.liked = here.out[k]
            copy_sums(looked_at.sums, here.sums, players)
            here.cut = looked_at.cut
    else:
        here.cut |= looked_at.cut
        share = here.weights[k] / (here.weight + here.weights[k])
        here.weight += here.weights[k]
        for seat in range(players):
            for kind in range(3):
                here.sums[seat, kind] += share * (looked_at.sums[seat, kind] - here.sums[seat, kind])


@rule
def judge_end(s, desk, lore, here):
    """What is known of a game that is over."""
    judge(s, desk, lore)
    for seat in range(i64(s.players)):
        here.sums[seat, UTILITY] = utility(desk, s.players, seat)
        here.sums[seat, WIN] = desk.wins[seat]
        here.sums[seat, SCORE] = desk.values[seat]


@rule
def go_to_next(states, levels, level):
    """The next continuation of a level, in the state above."""
    here = levels[level]
    event = i64(here.out[here.next])
    here.next += 1
    levels[level + 1].cut = 0
    states[level + 1] = states[level]
    if here.seat >= 0:
        play(states[level + 1], here.seat, event)
    else:
        resolve(states[level + 1], event)


@rule
def whole_weight(here):
    total = 0
    for k in range(here.n):
        total += here.weights[k]
    return total


@rule
def set_bounds(levels, level, players):
    """With two players what is good for one is bad for the other: utilities add up to 1. A seat that has found a move lets nothing happen that is worse for
    it; of what is due the rest is worth 0 to 1. (At the root all moves are to be known.)"""
    here = levels[level]
    above = levels[level - 1]
    here.low = -ANYTHING
    here.high = ANYTHING
    if players != 2 or level < 2:
        return
    here.low = above.low
    here.high = above.high
    known = above.sums[0, UTILITY]
    if above.seat < 0:
        total = whole_weight(above)
        weight = above.weights[above.next - 1]
        rest = total - above.weight - weight
        here.low = (above.low * total - known * above.weight - rest) / weight
        here.high = (above.high * total - known * above.weight) / weight
    elif above.next > 1 and above.seat == 0:
        here.low = max(above.low, known - ROUNDING)
    elif above.next > 1:
        here.high = min(above.high, known + ROUNDING)


@rule
def cut_short(here, looked_at):
    """Look no further at what it will not come to. Where a die or card is due, that is so as soon as it is so of one outcome."""
    least = here.sums[0, UTILITY]
    most = least
    bound = 0
    if here.seat < 0:
        total = whole_weight(here)
        least *= here.weight / total
        most = least + (total - here.weight) / total
        bound = looked_at.cut
    too_good = here.seat != 1 and (least > here.high or (bound and looked_at.sums[0, UTILITY] > looked_at.high))
    too_bad = here.seat != 0 and (most < here.low or (bound and looked_at.sums[0, UTILITY] < looked_at.low))
    if too_good or too_bad:
        here.cut = 1
        here.next = here.n
        here.sums[0, UTILITY] = least if too_good else most
        here.sums[1, UTILITY] = 1.0 - here.sums[0, UTILITY]


@rule
def slot_of(words, n, slots):
    """Where a position with this essence is kept."""
    mixed = u64(0)
    for k in range(n):
        mixed = u64((mixed ^ words[k]) * u64(0x9E3779B97F4A7C15))
        mixed ^= mixed >> u64(29)
    return i64(mixed & u64(slots - 1))


@rule
def known_again(s, table, here):
    """Whether a position has been looked at before; then what it comes to is taken over."""
    here.length = essence(s, here.words)
    here.slot = slot_of(here.words, here.length, len(table)) if here.length > 0 else -1
    if here.slot < 0 or table[here.slot].length != here.length:
        return False
    kept = table[here.slot]
    for k in range(here.length):
        if kept.words[k] != here.words[k]:
            return False
    copy_sums(kept.sums, here.sums, s.players)
    return True


@rule
def keep(table, here, players, looked_at):
    """Remember what a position comes to, unless that would displace what took longer."""
    if here.slot < 0 or here.cut or looked_at - here.begun < table[here.slot].took:
        return
    kept = table[here.slot]
    kept.took = looked_at - here.begun
    kept.length = here.length
    for k in range(here.length):
        kept.words[k] = here.words[k]
    copy_sums(here.sums, kept.sums, players)


@rule
def answered(s, desk, lore, ends, sheet, table, here):
    """What a position comes to, where that need not be looked for further: written into its level. Returns how many positions that is worth, or 0."""
    if over(s):
        judge_end(s, desk, lore, here)
        return 1
    if known_again(s, table, here):
        return 1
    sheet.low = here.low
    sheet.high = here.high
    n = last_turns(s, sheet, ends)
    if n == 0:
        return 0
    here.cut = sheet.cut
    if here.cut:
        here.sums[0, UTILITY] = sheet.bound
        here.sums[1, UTILITY] = 1.0 - sheet.bound
    else:
        weigh_ends(ends, n, i64(s.players), sheet.part, here.sums)
    return sheet.looked_at


@rule
def go_on(states, desk, levels, ends, sheet, table, lore):
    """Look at the next continuation of the deepest level, or close it."""
    level = i64(desk.level)
    players = i64(states[0].players)
    if levels[level].next < levels[level].n:
        go_to_next(states, levels, level)
        set_bounds(levels, level + 1, players)
        took = answered(states[level + 1], desk, lore, ends, sheet, table, levels[level + 1])
        if took == 0:
            desk.level += 1
            levels[level + 1].begun = desk.played
            desk.played += 1
            enter(states[level + 1], levels[level + 1])
            if players == 2 and levels[level + 1].seat >= 0:
                look_first(states[level + 1], levels[level + 1], desk, lore)
            return
        desk.played += took
    else:
        keep(table, levels[level], players, desk.played)
        level -= 1
        desk.level = level
    take_in(levels[level], levels[level + 1], players)
    if level == 0:
        for kind in range(3):
            desk.reasons[levels[0].next - 1, kind] = levels[1].sums[levels[0].seat, kind]
    elif players == 2:
        cut_short(levels[level], levels[level + 1])


@rule
def play_out_in_full(states, desks, levels, ends, sheets, table, lore, most):
    """All continuations of the position in states[0], in which one seat is to move. Writes what is known of each of its moves for that seat
    into `desk.reasons`, in the order of `moves`. Returns how many moves, or 0 when `most` positions have been looked at before that is known:
    asked again it goes on. `desk.played` counts the positions."""
    desk = desks[0]
    if desk.played == 0:
        enter(states[0], levels[0])
    while desk.level > 0 or levels[0].next < levels[0].n:
        if desk.played >= most or desk.level + 1 == LEVELS:
            return 0
        go_on(states, desk, levels, ends, sheets[0], table, lore)
    return levels[0].n
