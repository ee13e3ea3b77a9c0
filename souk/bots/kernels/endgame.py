"""Exact endgame solver: a full search over moves and chance outcomes, each seat maximising its
utility.

The result equals a plain full search to the last bit. The last turns are settled in one step
(`souk.bots.kernels.last_turns`), transpositions are recognised by an endgame key that is compared
in full, and with two players branches are pruned as in alpha-beta search.
"""

import numpy as np

from souk.bots.kernels.last_turns import average_ends
from souk.bots.kernels.value import SCORE, UTILITY, WIN, judge, utility
from souk.kernel.bitset import lowest
from souk.kernel.game_ops import (
    actors,
    candidates,
    endgame_key,
    last_turns,
    moves,
    outcomes,
    over,
    play,
    resolve,
)
from souk.kernel.game_spec import Playable
from souk.kernel.rule import i64, rule, u64

LEVELS = 40
WORDS = 8  # maximum length of an endgame key
ANYTHING = 1e9  # larger than any utility
ROUNDING = 1e-9  # well above rounding errors, well below real differences


def level_type(game: Playable) -> np.dtype[np.void]:
    """A frame of the search stack: one position and the state of its search."""
    wide, seats = game.workspace["out"].shape[0], game.workspace["wins"].shape[0]
    return np.dtype(
        [
            # By seat and kind: values of the best move so far, or the mean over the outcomes.
            ("sums", "f8", (seats, 3)),
            ("seat", "i8"),  # the seat to move, -1 at a chance node
            ("next", "i8"),  # index of the next continuation
            ("n", "i8"),  # number of continuations
            ("weight", "i8"),  # total weight of the outcomes searched so far
            ("out", "i4", wide),  # moves or outcomes
            ("weights", "i4", wide),
            ("words", "u8", WORDS),  # endgame key
            ("length", "i8"),  # of the key, in words
            ("slot", "i8"),  # in the transposition table, -1 if none
            ("begun", "i8"),  # positions searched before this one
            # Two players: alpha-beta window of seat 0's utility. If `cut`, the values are a bound.
            ("low", "f8"),
            ("high", "f8"),
            ("cut", "i8"),
            ("picked", "i8"),  # index of the best move so far
            ("liked", "i8"),  # best move of the previous position at this level
            # Original indices of the moves: ties go to the first move in the order of `moves`.
            ("places", "i4", wide),
        ],
        align=True,
    )


def entry_type(game: Playable) -> np.dtype[np.void]:
    """An entry of the transposition table."""
    return np.dtype(
        [
            ("sums", "f8", (game.workspace["wins"].shape[0], 3)),
            ("words", "u8", WORDS),
            ("length", "i8"),  # of the key in words, 0 for an empty slot
            ("took", "i8"),  # positions searched
        ],
        align=True,
    )


@rule
def open_frame(s, frame):
    """Start the search of a position: list its moves or outcomes."""
    seats = actors(s)
    frame.seat = -1 if seats == 0 else lowest(seats)
    frame.next = 0
    frame.weight = 0
    if seats == 0:
        frame.n = outcomes(s, frame.out, frame.weights)
    else:
        frame.n = moves(s, frame.seat, frame.out)
        for k in range(frame.n):
            frame.places[k] = k
    for seat in range(s.players):
        for kind in range(3):
            frame.sums[seat, kind] = 0.0


@rule
def copy_sums(source, target, players):
    for seat in range(players):
        for kind in range(3):
            target[seat, kind] = source[seat, kind]


@rule
def bring_forward(frame, move, first):
    """Move a move to index `first` unless it is in front already; return the next index to fill."""
    for k in range(first, frame.n):
        if frame.out[k] == move:
            frame.out[k] = frame.out[first]
            frame.out[first] = move
            place = frame.places[k]
            frame.places[k] = frame.places[first]
            frame.places[first] = place
            return first + 1
    return first


@rule
def order_moves(s, frame, workspace, lookup):
    """Put the previous best move first, then the promising ones, so that more can be pruned."""
    first = bring_forward(frame, frame.liked, 0)
    n = candidates(s, frame.seat, workspace, lookup)
    for k in range(n):
        first = bring_forward(frame, i64(workspace.found[k]), first)


@rule
def back_up(frame, child, players):
    """Update a frame with a searched continuation: the best move, or the mean over outcomes."""
    k = frame.next - 1
    if frame.seat >= 0:
        better = child.sums[frame.seat, UTILITY] - frame.sums[frame.seat, UTILITY]
        if (
            k == 0
            or better > 0.0
            or (better == 0.0 and frame.places[k] < frame.places[frame.picked])
        ):
            frame.picked = k
            frame.liked = frame.out[k]
            copy_sums(child.sums, frame.sums, players)
            frame.cut = child.cut
    else:
        frame.cut |= child.cut
        share = frame.weights[k] / (frame.weight + frame.weights[k])
        frame.weight += frame.weights[k]
        for seat in range(players):
            for kind in range(3):
                frame.sums[seat, kind] += share * (child.sums[seat, kind] - frame.sums[seat, kind])


@rule
def judge_end(s, workspace, lookup, frame):
    """The values of a finished game."""
    judge(s, workspace, lookup)
    for seat in range(i64(s.players)):
        frame.sums[seat, UTILITY] = utility(workspace, s.players, seat)
        frame.sums[seat, WIN] = workspace.wins[seat]
        frame.sums[seat, SCORE] = workspace.values[seat]


@rule
def next_continuation(states, levels, level):
    """Set up the next continuation of a level in the level above."""
    frame = levels[level]
    event = i64(frame.out[frame.next])
    frame.next += 1
    levels[level + 1].cut = 0
    states[level + 1] = states[level]
    if frame.seat >= 0:
        play(states[level + 1], frame.seat, event)
    else:
        resolve(states[level + 1], event)


@rule
def total_weight(frame):
    total = 0
    for k in range(frame.n):
        total += frame.weights[k]
    return total


@rule
def set_bounds(levels, level, players):
    """Set the alpha-beta window of a new frame (two players, whose utilities add up to 1).

    Below a chance node the window widens by what the remaining outcomes, worth 0 to 1, can change.
    The root has no window: all its moves need exact values.
    """
    frame = levels[level]
    parent = levels[level - 1]
    frame.low = -ANYTHING
    frame.high = ANYTHING
    if players != 2 or level < 2:
        return
    frame.low = parent.low
    frame.high = parent.high
    known = parent.sums[0, UTILITY]
    if parent.seat < 0:
        total = total_weight(parent)
        weight = parent.weights[parent.next - 1]
        rest = total - parent.weight - weight
        frame.low = (parent.low * total - known * parent.weight - rest) / weight
        frame.high = (parent.high * total - known * parent.weight) / weight
    elif parent.next > 1 and parent.seat == 0:
        frame.low = max(parent.low, known - ROUNDING)
    elif parent.next > 1:
        frame.high = min(parent.high, known + ROUNDING)


@rule
def prune(frame, child):
    """Stop searching a frame whose value is outside its window; at a chance node as soon as that is
    sure.
    """
    least = frame.sums[0, UTILITY]
    most = least
    bound = 0
    if frame.seat < 0:
        total = total_weight(frame)
        least *= frame.weight / total
        most = least + (total - frame.weight) / total
        bound = child.cut
    too_good = frame.seat != 1 and (
        least > frame.high or (bound and child.sums[0, UTILITY] > child.high)
    )
    too_bad = frame.seat != 0 and (
        most < frame.low or (bound and child.sums[0, UTILITY] < child.low)
    )
    if too_good or too_bad:
        frame.cut = 1
        frame.next = frame.n
        frame.sums[0, UTILITY] = least if too_good else most
        frame.sums[1, UTILITY] = 1.0 - frame.sums[0, UTILITY]


@rule
def slot_of(words, n, slots):
    """The table slot of a key."""
    mixed = u64(0)
    for k in range(n):
        mixed = u64((mixed ^ words[k]) * u64(0x9E3779B97F4A7C15))
        mixed ^= mixed >> u64(29)
    return i64(mixed & u64(slots - 1))


@rule
def look_up(s, table, frame):
    """Copy the values of a known position; return whether there are any."""
    frame.length = endgame_key(s, frame.words)
    frame.slot = slot_of(frame.words, frame.length, len(table)) if frame.length > 0 else -1
    if frame.slot < 0 or table[frame.slot].length != frame.length:
        return False
    entry = table[frame.slot]
    for k in range(frame.length):
        if entry.words[k] != frame.words[k]:
            return False
    copy_sums(entry.sums, frame.sums, s.players)
    return True


@rule
def remember(table, frame, players, looked_at):
    """Store the values of a position, unless that displaced an entry that took longer."""
    if frame.slot < 0 or frame.cut or looked_at - frame.begun < table[frame.slot].took:
        return
    entry = table[frame.slot]
    entry.took = looked_at - frame.begun
    entry.length = frame.length
    for k in range(frame.length):
        entry.words[k] = frame.words[k]
    copy_sums(frame.sums, entry.sums, players)


@rule
def settle_at_once(s, workspace, lookup, ends, scratch, table, frame):
    """Settle a position without searching it; return the positions this counts for, or 0."""
    if over(s):
        judge_end(s, workspace, lookup, frame)
        return 1
    if look_up(s, table, frame):
        return 1
    scratch.low = frame.low
    scratch.high = frame.high
    n = last_turns(s, scratch, ends)
    if n == 0:
        return 0
    frame.cut = scratch.cut
    if frame.cut:
        frame.sums[0, UTILITY] = scratch.bound
        frame.sums[1, UTILITY] = 1.0 - scratch.bound
    else:
        average_ends(ends, n, i64(s.players), scratch.part, frame.sums)
    return scratch.looked_at


@rule
def advance_search(states, workspace, levels, ends, scratch, table, lookup):
    """Search the next continuation of the deepest frame, or close that frame."""
    level = i64(workspace.level)
    players = i64(states[0].players)
    if levels[level].next < levels[level].n:
        next_continuation(states, levels, level)
        set_bounds(levels, level + 1, players)
        took = settle_at_once(
            states[level + 1], workspace, lookup, ends, scratch, table, levels[level + 1]
        )
        if took == 0:
            workspace.level += 1
            levels[level + 1].begun = workspace.played
            workspace.played += 1
            open_frame(states[level + 1], levels[level + 1])
            if players == 2 and levels[level + 1].seat >= 0:
                order_moves(states[level + 1], levels[level + 1], workspace, lookup)
            return
        workspace.played += took
    else:
        remember(table, levels[level], players, workspace.played)
        level -= 1
        workspace.level = level
    back_up(levels[level], levels[level + 1], players)
    if level == 0:
        for kind in range(3):
            workspace.reasons[levels[0].next - 1, kind] = levels[1].sums[levels[0].seat, kind]
    elif players == 2:
        prune(levels[level], levels[level + 1])


@rule
def solve_endgame(states, desks, levels, ends, scratches, table, lookup, most):
    """Search all continuations of states[0], in which one seat is to move.

    Writes the values of its moves to `workspace.reasons`, in the order of `moves`, and returns
    their number; or 0 if interrupted after `most` positions or by `workspace.stopped`. Call it
    again to continue. `workspace.played` counts the positions.
    """
    workspace = desks[0]
    if workspace.played == 0:
        open_frame(states[0], levels[0])
    while workspace.level > 0 or levels[0].next < levels[0].n:
        if workspace.played >= most or workspace.level + 1 == LEVELS or workspace.stopped != 0:
            return 0
        advance_search(states, workspace, levels, ends, scratches[0], table, lookup)
    return levels[0].n
