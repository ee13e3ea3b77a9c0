"""Suleika endgame: exact solution of the last two turns.

With two rugs left, nearly everything follows from a few numbers for each field of Omar's last stop:
its toll, and the owners of the halves a rug laid from there can hide (`endgame_layout`). They are
recomputed only where the last rug but one changes them.

The *layer* lays the last rug, the *other* the one before. A player is a seat plus one; 0 is nobody.
"""

import numpy as np

from souk.games.suleika.endgame_bounds import (
    BOUND_FIELDS,
    PARTS,
    least_of_way,
    most_of_way,
    owed_before,
)
from souk.games.suleika.endgame_layout import (
    FAR,
    LAYOUT_FIELDS,
    NEAR,
    SPOT,
    TOUCHES,
    area_after,
    kind_at,
    kinds_after,
    kinds_from,
    kinds_in,
    places_with,
    update_layout,
)
from souk.games.suleika.endgame_values import (
    GAINS,
    ONE,
    OTHER,
    STEPS,
    VALUE_FIELDS,
    all_ranks,
    best_step,
    clear_worth,
    close_worth,
    dues,
    gains_of,
    hide,
    is_close,
    kinds_of_step,
    most_worth,
    points_of,
    rank_of,
    set_roles,
    show_rug,
    steps_behind,
    top_points,
    worth_to,
)
from souk.games.suleika.heuristics import SIXTHS
from souk.games.suleika.paths import FACES, HEADINGS, STOPS
from souk.games.suleika.rules import (
    DIE,
    LEFT,
    STRAIGHT,
    TURN,
    connected,
    pass_turn,
    points_ranked,
    turned,
)
from souk.kernel.bitset import bit, count, lowest
from souk.kernel.rule import i64, rule, u64
from souk.kernel.workspace import Layout

# By face: its weight in the running mean up to this face.
SHARES = SIXTHS / np.cumsum(SIXTHS)
LIKELIEST = np.argsort(-SIXTHS, stable=True)
ROUNDING = 1e-9  # far above rounding errors of values, far below their differences

SCRATCH: Layout = (
    *VALUE_FIELDS,
    *LAYOUT_FIELDS,
    *BOUND_FIELDS,
    ("colour", "i8"),  # of the last rug but one
    ("spot", "i8"),  # its place
    ("touched", "u8"),  # fields whose hidable kinds it changes
    ("hidden", "u8"),  # fields it covers
    ("area", "u8"),  # the area it joins
    ("changed", "u8"),  # fields whose toll it may change
    ("purse", "i8"),  # the layer's
    ("way", "i8"),  # best way of the last turn
    # The least a stop must be worth to the other for Omar to be sent that way.
    ("least", "f8"),
    # Two players: above this value to the other, the layer would not let it come to these turns.
    ("ceiling", "f8"),
    ("worth_before", "f8", FACES),  # value of its stops to the other
    ("floor", "f8"),  # two players: what the other can get anyway
    # By way and face in the last turn: Omar's stop; the layer's dues and hidable kinds without the
    # last rug but one;
    ("stops", "i8", (4, FACES)),
    ("usual_dues", "u8", (4, FACES)),
    ("usual_kinds", "u8", (4, FACES)),
    # the ranks after paying, the kinds then hidable, and gains by kind.
    ("stop_ranks", "u8", (4, FACES)),
    ("stop_kinds", "u8", (4, FACES)),
    ("stop_gains", "u8", (4, FACES)),
    ("stop_steps", "i8", (4, FACES)),
    # Final ranks, by the last die or the last two.
    ("ends", "u8", FACES),
    ("stop_ends", "u8", FACES),
    ("rug_ends", "u8", (FACES, FACES)),
    ("best_ends", "u8", (FACES, FACES)),
)


# ---------------------------------------------------------------- Omar's last stops


@rule
def record_stops(scratch, omar, facing):
    """S10–S16: record Omar's possible last stops, the layer's dues and the hidable kinds."""
    for way in range(LEFT, STRAIGHT + 1):
        heading = turned(facing, way)
        for face in range(FACES):
            field = STOPS[omar, heading, face]
            who = scratch.whose[field]
            toll = 0 if who == scratch.layer else scratch.sizes[field]
            scratch.stops[way, face] = field
            scratch.usual_dues[way, face] = dues(scratch.layer, min(toll, scratch.purse), who)
            scratch.usual_kinds[way, face] = kinds_from(scratch, field)


@rule
def dues_after(scratch, field):
    """S13–S15: the layer's dues for a stop whose area the last rug but one has changed."""
    if (scratch.area >> u64(field)) & u64(1):
        toll = 0 if scratch.other == scratch.layer else count(scratch.area)
        return dues(scratch.layer, min(toll, scratch.purse), scratch.other)
    who = scratch.whose[field]
    toll = (
        0
        if who == scratch.layer
        else count(connected(scratch.areas[field] & ~scratch.hidden, field))
    )
    return dues(scratch.layer, min(toll, scratch.purse), who)


@rule
def note_rug(scratch, omar, place):
    """S17–S18: note what the last rug but one changes if laid at a place."""
    near = NEAR[omar, place]
    far = FAR[omar, place]
    scratch.spot = SPOT[omar, place]
    scratch.touched = TOUCHES[scratch.spot]
    scratch.hidden = bit(near) | bit(far)
    scratch.area = area_after(scratch, scratch.colour, near, far)
    scratch.changed = scratch.areas[near] | scratch.areas[far] | scratch.area


# ---------------------------------------------------------------- the last turn


@rule
def evaluate_stop(scratch, ranks, way, face):
    """Value of a stop to the layer."""
    field = u64(scratch.stops[way, face])
    new_ranks = scratch.usual_dues[way, face]
    kinds = scratch.usual_kinds[way, face]
    if (scratch.changed >> field) & u64(1):
        new_ranks = dues_after(scratch, field)
    if (scratch.touched >> field) & u64(1):
        kinds = kinds_after(scratch, field, u64(scratch.spot))
    new_ranks = u64(ranks + new_ranks)
    rivals = new_ranks & scratch.rivals
    top = top_points(rivals)
    ahead = points_of(new_ranks, scratch.layer) - top
    scratch.stop_ranks[way, face] = new_ranks
    scratch.stop_kinds[way, face] = kinds
    if is_close(ahead):
        worth = close_worth(scratch, new_ranks, kinds_in(kinds))
        scratch.stop_gains[way, face] = scratch.best_kinds
        scratch.stop_steps[way, face] = 0
        return worth
    gains = scratch.gains
    if gains == u64(0):
        gains = GAINS[u64(scratch.layer), u64(scratch.no_rivals | steps_behind(rivals, top))]
    step = best_step(gains, kinds_in(kinds))
    scratch.stop_gains[way, face] = gains
    scratch.stop_steps[way, face] = step
    return clear_worth(scratch, ahead, step)


@rule
def evaluate_way(scratch, ranks, way, most, top):
    """Value to the layer of walking Omar one way in the last turn.

    Returns -1 if the likeliest stops already show that it is below `top`, no stop being worth more
    than `most`.
    """
    two = evaluate_stop(scratch, ranks, way, 1)
    three = evaluate_stop(scratch, ranks, way, 2)
    scratch.looked_at += 2
    if two + three + most < 3 * (top - ROUNDING):
        return -1.0
    one = evaluate_stop(scratch, ranks, way, 0)
    four = evaluate_stop(scratch, ranks, way, 3)
    scratch.looked_at += 2
    mean = one
    mean += SHARES[1] * (two - mean)
    mean += SHARES[2] * (three - mean)
    return mean + SHARES[3] * (four - mean)


@rule
def lay_last_rug(scratch, way):
    """S17–S20: lay the last rug, hiding the first place of the best kinds.

    Returns the way's value to the other; final ranks are in `ends`.
    """
    mean = 0.0
    for face in range(FACES):
        best_kinds = kinds_of_step(scratch.stop_gains[way, face], scratch.stop_steps[way, face])
        kinds = scratch.stop_kinds[way, face]
        kind = kind_at(kinds, lowest(places_with(kinds, best_kinds)))
        end = hide(scratch.stop_ranks[way, face], ONE[kind], OTHER[kind])
        scratch.ends[face] = end
        mean += SHARES[face] * (worth_to(scratch, end, scratch.other) - mean)
    return mean


@rule
def solve_last_turn(s, scratch, ranks, first):
    """S10: the layer turns Omar (from move `first` on), walks and lays the last rug.

    Returns the value to the other. Tries the previously best way first: with two players the other
    then sooner has a reason to avoid this position.
    """
    most = most_worth(scratch, ranks)
    begin = scratch.way if first == LEFT else first
    best = begin
    top = evaluate_way(scratch, ranks, begin, most, -1.0)
    for way in range(first, STRAIGHT + 1):
        if s.players == 2 and 1.0 - top < scratch.floor:
            return -1.0
        if way != begin:
            worth = evaluate_way(scratch, ranks, way, most, top)
            if worth > top or (worth == top and way < best):
                top = worth
                best = way
    scratch.way = best
    return lay_last_rug(scratch, best)


@rule
def solve_last_turn_of_other(scratch, ranks):
    """S40: the other turns Omar before the layer walks. Returns the value to the other."""
    top = -1.0
    for way in range(LEFT, STRAIGHT + 1):
        evaluate_way(scratch, ranks, way, 1.0, -1.0)
        worth = lay_last_rug(scratch, way)
        if worth > top:
            top = worth
            for face in range(FACES):
                scratch.stop_ends[face] = scratch.ends[face]
    for face in range(FACES):
        scratch.ends[face] = scratch.stop_ends[face]
    return top


# ---------------------------------------------------------------- the turn before


@rule
def lay_at(s, scratch, ranks, omar, place):
    """S17–S20: the other lays a rug at a place.

    Returns its value to the other after the layer's reply.
    """
    kind = kind_at(scratch.kinds[omar], place)
    note_rug(scratch, omar, place)
    then = hide(ranks, ONE[kind], OTHER[kind])
    return (
        solve_last_turn_of_other(scratch, then)
        if s.turn_at_end
        else solve_last_turn(s, scratch, then, LEFT)
    )


@rule
def best_rug_before(s, scratch, ranks, omar, face):
    """S17–S20: the other lays the rug best for it after the layer's reply; returns the value to the
    other.

    Tries first what hides most: with two players that sooner shows that the other has something
    better.
    """
    kinds = kinds_from(scratch, omar)
    gains = gains_of(ranks, scratch.other, i64(s.players))
    best = -1.0
    picked = 0
    done = u64(0)
    for step in range(STEPS + 1):
        wanted = kinds_of_step(gains, step)
        if kinds_in(kinds) & wanted == u64(0):
            continue
        left = places_with(kinds, wanted) & ~done
        done |= left
        while left and best <= scratch.ceiling:
            place = lowest(left)
            left &= u64(left - u64(1))
            scratch.floor = (
                max(best - ROUNDING, scratch.least) if scratch.layer != scratch.other else -1.0
            )
            worth = lay_at(s, scratch, ranks, omar, place)
            if worth > best or (worth == best and place < picked):
                best = worth
                picked = place
                for k in range(FACES):
                    scratch.rug_ends[face, k] = scratch.ends[k]
    return best


@rule
def stop_before(s, scratch, ranks, omar, facing, face):
    """S13–S16: Omar stops in the last turn but one, and the other pays."""
    who = scratch.whose[omar]
    owed = owed_before(s, scratch, omar)
    scratch.purse = s.money[scratch.layer - 1]
    if scratch.layer == who:
        scratch.purse += owed
    if scratch.layer == scratch.other:
        scratch.purse -= owed
    record_stops(scratch, omar, facing)
    return best_rug_before(s, scratch, u64(ranks + dues(scratch.other, owed, who)), omar, face)


# ---------------------------------------------------------------- the way before


@rule
def way_before(s, scratch, ranks, heading, target, enough):
    """Value to the other of Omar walking in one direction in the last turn but one.

    Stops early: -1 if certainly less than `target`, a lower bound if certainly more than `enough`.
    """
    at_least = least_of_way(s, scratch, ranks, heading)
    if at_least > enough + ROUNDING:
        return at_least
    at_most = most_of_way(s, scratch, ranks, heading, at_least < target)
    if at_most < target:
        return -1.0
    total = 0.0
    for k in range(FACES):
        face = LIKELIEST[k]
        at_most -= scratch.at_most[face]
        at_least -= scratch.at_least[face]
        scratch.least = (target - total - at_most) / PARTS[face]
        scratch.ceiling = (enough + ROUNDING - total - at_least) / PARTS[face]
        worth = stop_before(
            s, scratch, ranks, STOPS[s.omar, heading, face], HEADINGS[s.omar, heading, face], face
        )
        total += PARTS[face] * worth
        if worth < scratch.least:
            return -1.0
        if worth > scratch.ceiling:
            return total + at_least
        scratch.worth_before[face] = worth
    mean = 0.0
    for face in range(FACES):
        mean += SHARES[face] * (scratch.worth_before[face] - mean)
    return mean


@rule
def cheapest_way(s, scratch, first):
    """The way cheapest for the other in the last turn but one, usually the best one."""
    cheapest = STRAIGHT
    least = 1000
    for way in range(first, STRAIGHT + 1):
        heading = turned(s.facing, way)
        cost = 0
        for face in range(FACES):
            field = STOPS[s.omar, heading, face]
            cost += (
                0 if scratch.whose[field] == scratch.other else SIXTHS[face] * scratch.sizes[field]
            )
        if cost < least:
            least = cost
            cheapest = way
    return cheapest


@rule
def solve_two_turns(s, scratch, ranks, first):
    """Solve the last two turns; the best way's final ranks by both dice are in `best_ends`.

    If play would not come to this, only that fact is established.
    """
    need = scratch.low if scratch.other == 1 else 1.0 - scratch.high
    enough = scratch.high if scratch.other == 1 else 1.0 - scratch.low
    top = -1.0
    begin = cheapest_way(s, scratch, first)
    best = begin
    for k in range(first - 1, STRAIGHT + 1):
        way = begin if k < first else k
        if k == begin or top > enough:
            continue
        worth = way_before(
            s, scratch, ranks, turned(s.facing, way), max(top, need) - ROUNDING, enough
        )
        if worth > top or (worth == top and way < best):
            top = worth
            best = way
            for face in range(FACES):
                for last_face in range(FACES):
                    scratch.best_ends[face, last_face] = scratch.rug_ends[face, last_face]
    scratch.cut = 1 if top > enough or top < need - ROUNDING else 0
    bound = max(top, need - ROUNDING)
    scratch.bound = bound if scratch.other == 1 else 1.0 - bound


# ---------------------------------------------------------------- the game op


@rule
def reset(s, scratch, layer):
    """Reset before evaluating anything."""
    set_roles(scratch, i64(s.players), layer, i64(s.turn + 1))
    update_layout(s, scratch)
    scratch.purse = s.money[layer - 1]
    scratch.touched = u64(0)
    scratch.changed = u64(0)
    scratch.floor = -1.0
    scratch.way = STRAIGHT
    scratch.least = -1.0
    scratch.looked_at = 1
    scratch.cut = 0


@rule
def write_end(end, ranks, players, face, face_before):
    """S31–S32: how the game ends with these ranks."""
    best = -1
    for seat in range(players):
        rank = rank_of(ranks, seat + 1)
        end.scores[seat] = points_ranked(rank)
        if rank > best:
            best = rank
            end.winners = 0
        if rank == best:
            end.winners |= 1 << seat
    end.before = face_before
    end.weight_before = SIXTHS[face_before]
    end.weight = SIXTHS[face]


@rule
def last_layer(s, colour):
    """S7: who lays the last rug after the one before, of this colour."""
    turn = s.turn
    up = s.up
    phase = s.phase
    s.left[colour] -= 1
    pass_turn(s)
    last = s.turn + 1
    s.left[colour] += 1
    s.turn = turn
    s.up = up
    s.phase = phase
    return last


@rule
def last_turns(s, scratch, ends):
    rugs = s.left[0] + s.left[1] + s.left[2] + s.left[3]
    if rugs > 2 or not (s.phase == DIE or (s.phase == TURN and not s.turn_at_end)) or s.last == 0:
        return 0
    first = STRAIGHT if s.phase == DIE else LEFT
    players = i64(s.players)
    scratch.colour = s.up if players == 2 else s.turn
    reset(s, scratch, i64(last_layer(s, scratch.colour) if rugs == 2 else s.turn + 1))
    ranks = show_rug(all_ranks(s), scratch.layer)
    if rugs == 1:
        record_stops(scratch, i64(s.omar), i64(s.facing))
        solve_last_turn(s, scratch, ranks, first)
        for face in range(FACES):
            write_end(ends[face], scratch.ends[face], players, face, 0)
        return FACES
    solve_two_turns(s, scratch, show_rug(ranks, scratch.other), first)
    for face in range(FACES):
        for k in range(FACES):
            write_end(ends[FACES * face + k], scratch.best_ends[face, k], players, k, face)
    return FACES * FACES
