"""Suleika: the last two turns as a whole, for those who play the end out in full.

Where two rugs are still to be laid, nearly all that can happen is said by a few numbers of each field on which Omar may stop last: what it costs there, and whose
two halves a rug laid from there can hide (`lie`). Only where the last rug but one has changed them are they others.

The *layer* is who lays the last rug, the *other* who lays the one before. Who is one more than a seat, and 0 is nobody.
"""

import numpy as np

from souk.games.suleika.bounds import BOUNDS, PARTS, least_of_way, most_of_way, owed_before
from souk.games.suleika.insight import SIXTHS
from souk.games.suleika.lie import (
    FAR,
    LIE,
    NEAR,
    SPOT,
    TOUCHES,
    area_then,
    kind_at,
    kinds_from,
    kinds_in,
    kinds_then,
    look_round,
    places_with,
)
from souk.games.suleika.likings import (
    GAINS,
    LIKINGS,
    ONE,
    OTHER,
    STEPS,
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
    show_rug,
    steps_behind,
    take_sides,
    top_points,
    worth_to,
)
from souk.games.suleika.rules import DIE, LEFT, STRAIGHT, TURN, connected, pass_turn, points_ranked, turned
from souk.games.suleika.ways import FACES, HEADINGS, STOPS
from souk.kernel.bits import bit, count, lowest
from souk.kernel.desk import Layout
from souk.kernel.rule import i64, rule, u64

SHARES = SIXTHS / np.cumsum(SIXTHS)  # by face: its part in the mean over it and those before
LIKELIEST = np.argsort(-SIXTHS, stable=True)
ROUNDING = 1e-9  # far more than worths are out by, far less than they differ by

SHEET: Layout = (
    *LIKINGS,
    *LIE,
    *BOUNDS,
    ("colour", "i8"),  # of the last rug but one
    ("spot", "i8"),  # where it lies
    ("touched", "u8"),  # the fields from which something else can be hidden since,
    ("hidden", "u8"),  # those it lies on,
    ("area", "u8"),  # of which it is a part,
    ("changed", "u8"),  # and all that may cost something else since
    ("purse", "i8"),  # the layer's
    ("way", "i8"),  # that was best in the last turn
    ("least", "f8"),  # that a stop must be worth to the other, or Omar will not be sent that way
    ("ceiling", "f8"),  # two players: where it is worth more, it will not come to these turns
    ("worth_before", "f8", FACES),  # of its stops, to the other
    ("floor", "f8"),  # two players: what the other can have anyway
    # By way and face of the die in the last turn: where Omar stops; what the layer then owes and what can be hidden, without the last rug but one;
    ("stops", "i8", (4, FACES)),
    ("usual_dues", "u8", (4, FACES)),
    ("usual_kinds", "u8", (4, FACES)),
    # the ranks when all is paid, what can then be hidden, and what is gained by hiding what.
    ("stop_ranks", "u8", (4, FACES)),
    ("stop_kinds", "u8", (4, FACES)),
    ("stop_gains", "u8", (4, FACES)),
    ("stop_steps", "i8", (4, FACES)),
    # The ranks at the end, by what the last die shows, or the last two do.
    ("ends", "u8", FACES),
    ("stop_ends", "u8", FACES),
    ("found", "u8", (FACES, FACES)),
    ("best", "u8", (FACES, FACES)),
)


# ---------------------------------------------------------------- Omar's last stops


@rule
def line_up(sheet, omar, facing):
    """S10–S16: write down where Omar may stop in the last turn, what the layer then owes, and what can be hidden."""
    for way in range(LEFT, STRAIGHT + 1):
        heading = turned(facing, way)
        for face in range(FACES):
            field = STOPS[omar, heading, face]
            who = sheet.whose[field]
            toll = 0 if who == sheet.layer else sheet.sizes[field]
            sheet.stops[way, face] = field
            sheet.usual_dues[way, face] = dues(sheet.layer, min(toll, sheet.purse), who)
            sheet.usual_kinds[way, face] = kinds_from(sheet, field)


@rule
def dues_then(sheet, field):
    """S13–S15: what the layer owes for a stop on a field whose area the last rug but one has changed."""
    if (sheet.area >> u64(field)) & u64(1):
        toll = 0 if sheet.other == sheet.layer else count(sheet.area)
        return dues(sheet.layer, min(toll, sheet.purse), sheet.other)
    who = sheet.whose[field]
    toll = 0 if who == sheet.layer else count(connected(sheet.areas[field] & ~sheet.hidden, field))
    return dues(sheet.layer, min(toll, sheet.purse), who)


@rule
def imagine(sheet, omar, place):
    """S17–S18: note what the last rug but one changes, laid at a place."""
    near = NEAR[omar, place]
    far = FAR[omar, place]
    sheet.spot = SPOT[omar, place]
    sheet.touched = TOUCHES[sheet.spot]
    sheet.hidden = bit(near) | bit(far)
    sheet.area = area_then(sheet, sheet.colour, near, far)
    sheet.changed = sheet.areas[near] | sheet.areas[far] | sheet.area


# ---------------------------------------------------------------- the last turn


@rule
def look_at(sheet, ranks, way, face):
    """What it is worth to the layer to come to a stop."""
    field = u64(sheet.stops[way, face])
    then = sheet.usual_dues[way, face]
    kinds = sheet.usual_kinds[way, face]
    if (sheet.changed >> field) & u64(1):
        then = dues_then(sheet, field)
    if (sheet.touched >> field) & u64(1):
        kinds = kinds_then(sheet, field, u64(sheet.spot))
    then = u64(ranks + then)
    rivals = then & sheet.rivals
    top = top_points(rivals)
    ahead = points_of(then, sheet.layer) - top
    sheet.stop_ranks[way, face] = then
    sheet.stop_kinds[way, face] = kinds
    if is_close(ahead):
        worth = close_worth(sheet, then, kinds_in(kinds))
        sheet.stop_gains[way, face] = sheet.liked
        sheet.stop_steps[way, face] = 0
        return worth
    gains = sheet.gains
    if gains == u64(0):
        gains = GAINS[u64(sheet.layer), u64(sheet.no_rivals | steps_behind(rivals, top))]
    step = best_step(gains, kinds_in(kinds))
    sheet.stop_gains[way, face] = gains
    sheet.stop_steps[way, face] = step
    return clear_worth(sheet, ahead, step)


@rule
def go_along(sheet, ranks, way, most, top):
    """Omar walks one way in the last turn. Returns what that is worth to the layer, or -1 if the likeliest stops show that it is less than `top`: none is worth
    more than `most`."""
    two = look_at(sheet, ranks, way, 1)
    three = look_at(sheet, ranks, way, 2)
    sheet.looked_at += 2
    if two + three + most < 3 * (top - ROUNDING):
        return -1.0
    one = look_at(sheet, ranks, way, 0)
    four = look_at(sheet, ranks, way, 3)
    sheet.looked_at += 2
    mean = one
    mean += SHARES[1] * (two - mean)
    mean += SHARES[2] * (three - mean)
    return mean + SHARES[3] * (four - mean)


@rule
def settle(sheet, way):
    """S17–S20: the last rug is laid: of what is liked best what comes first is hidden. Returns what the way is worth to the other; the ranks at the end are in
    `ends`."""
    mean = 0.0
    for face in range(FACES):
        liked = kinds_of_step(sheet.stop_gains[way, face], sheet.stop_steps[way, face])
        kinds = sheet.stop_kinds[way, face]
        kind = kind_at(kinds, lowest(places_with(kinds, liked)))
        end = hide(sheet.stop_ranks[way, face], ONE[kind], OTHER[kind])
        sheet.ends[face] = end
        mean += SHARES[face] * (worth_to(sheet, end, sheet.other) - mean)
    return mean


@rule
def last_way(s, sheet, ranks, first):
    """S10: the layer turns Omar, from the move `first` on, walks and lays the last rug. Returns what that is worth to the other. Begins with the way that was best
    a moment ago: of two players the other has then the sooner reason not to let it come to this."""
    most = most_worth(sheet, ranks)
    begin = sheet.way if first == LEFT else first
    best = begin
    top = go_along(sheet, ranks, begin, most, -1.0)
    for way in range(first, STRAIGHT + 1):
        if s.players == 2 and 1.0 - top < sheet.floor:
            return -1.0
        if way != begin:
            worth = go_along(sheet, ranks, way, most, top)
            if worth > top or (worth == top and way < best):
                top = worth
                best = way
    sheet.way = best
    return settle(sheet, best)


@rule
def last_way_of_other(sheet, ranks):
    """S40: the other turns Omar before the layer walks. Returns what that is worth to the other."""
    top = -1.0
    for way in range(LEFT, STRAIGHT + 1):
        go_along(sheet, ranks, way, 1.0, -1.0)
        worth = settle(sheet, way)
        if worth > top:
            top = worth
            for face in range(FACES):
                sheet.stop_ends[face] = sheet.ends[face]
    for face in range(FACES):
        sheet.ends[face] = sheet.stop_ends[face]
    return top


# ---------------------------------------------------------------- the turn before


@rule
def lay_at(s, sheet, ranks, omar, place):
    """S17–S20: the other lays a rug at a place. Returns what that is worth to the other with what the layer then does."""
    kind = kind_at(sheet.kinds[omar], place)
    imagine(sheet, omar, place)
    then = hide(ranks, ONE[kind], OTHER[kind])
    return last_way_of_other(sheet, then) if s.turn_at_end else last_way(s, sheet, then, LEFT)


@rule
def lay_last_but_one(s, sheet, ranks, omar, face):
    """S17–S20: the other lays a rug where Omar stands, whatever is best with what the layer then does. Returns what that is worth to the other. Begins with what
    hides most: of two players, the other will then the sooner be seen to have better."""
    kinds = kinds_from(sheet, omar)
    gains = gains_of(ranks, sheet.other, i64(s.players))
    best = -1.0
    picked = 0
    done = u64(0)
    for step in range(STEPS + 1):
        liked = kinds_of_step(gains, step)
        if kinds_in(kinds) & liked == u64(0):
            continue
        left = places_with(kinds, liked) & ~done
        done |= left
        while left and best <= sheet.ceiling:
            place = lowest(left)
            left &= u64(left - u64(1))
            sheet.floor = max(best - ROUNDING, sheet.least) if sheet.layer != sheet.other else -1.0
            worth = lay_at(s, sheet, ranks, omar, place)
            if worth > best or (worth == best and place < picked):
                best = worth
                picked = place
                for k in range(FACES):
                    sheet.found[face, k] = sheet.ends[k]
    return best


@rule
def stop_before(s, sheet, ranks, omar, facing, face):
    """S13–S16: Omar stops in the last turn but one, and the other pays."""
    who = sheet.whose[omar]
    owed = owed_before(s, sheet, omar)
    sheet.purse = s.money[sheet.layer - 1]
    if sheet.layer == who:
        sheet.purse += owed
    if sheet.layer == sheet.other:
        sheet.purse -= owed
    line_up(sheet, omar, facing)
    return lay_last_but_one(s, sheet, u64(ranks + dues(sheet.other, owed, who)), omar, face)


# ---------------------------------------------------------------- the way before


@rule
def way_before(s, sheet, ranks, heading, target, enough):
    """Omar walks in one direction in the last turn but one. Returns what that is worth to the other; or as soon as it is clear that it is less than `target`, -1, and
    that it is more than `enough`, what it is worth at least."""
    at_least = least_of_way(s, sheet, ranks, heading)
    if at_least > enough + ROUNDING:
        return at_least
    at_most = most_of_way(s, sheet, ranks, heading, at_least < target)
    if at_most < target:
        return -1.0
    known = 0.0
    for k in range(FACES):
        face = LIKELIEST[k]
        at_most -= sheet.at_most[face]
        at_least -= sheet.at_least[face]
        sheet.least = (target - known - at_most) / PARTS[face]
        sheet.ceiling = (enough + ROUNDING - known - at_least) / PARTS[face]
        worth = stop_before(s, sheet, ranks, STOPS[s.omar, heading, face], HEADINGS[s.omar, heading, face], face)
        known += PARTS[face] * worth
        if worth < sheet.least:
            return -1.0
        if worth > sheet.ceiling:
            return known + at_least
        sheet.worth_before[face] = worth
    mean = 0.0
    for face in range(FACES):
        mean += SHARES[face] * (sheet.worth_before[face] - mean)
    return mean


@rule
def cheapest_way(s, sheet, first):
    """The way that costs the other least in the last turn but one: most often it is the best."""
    cheapest = STRAIGHT
    least = 1000
    for way in range(first, STRAIGHT + 1):
        heading = turned(s.facing, way)
        cost = 0
        for face in range(FACES):
            field = STOPS[s.omar, heading, face]
            cost += 0 if sheet.whose[field] == sheet.other else SIXTHS[face] * sheet.sizes[field]
        if cost < least:
            least = cost
            cheapest = way
    return cheapest


@rule
def two_turns(s, sheet, ranks, first):
    """The last two turns. The ranks at the end of the best way are in `best`, by the faces of both dice. Where it will not come to this, that is found out and no
    more."""
    need = sheet.low if sheet.other == 1 else 1.0 - sheet.high
    enough = sheet.high if sheet.other == 1 else 1.0 - sheet.low
    top = -1.0
    begin = cheapest_way(s, sheet, first)
    best = begin
    for k in range(first - 1, STRAIGHT + 1):
        way = begin if k < first else k
        if k == begin or top > enough:
            continue
        worth = way_before(s, sheet, ranks, turned(s.facing, way), max(top, need) - ROUNDING, enough)
        if worth > top or (worth == top and way < best):
            top = worth
            best = way
            for face in range(FACES):
                for each in range(FACES):
                    sheet.best[face, each] = sheet.found[face, each]
    sheet.cut = 1 if top > enough or top < need - ROUNDING else 0
    bound = max(top, need - ROUNDING)
    sheet.bound = bound if sheet.other == 1 else 1.0 - bound


# ---------------------------------------------------------------- the verb


@rule
def begin(s, sheet, layer):
    """What is known before anything has been looked at."""
    take_sides(sheet, i64(s.players), layer, i64(s.turn + 1))
    look_round(s, sheet)
    sheet.purse = s.money[layer - 1]
    sheet.touched = u64(0)
    sheet.changed = u64(0)
    sheet.floor = -1.0
    sheet.way = STRAIGHT
    sheet.least = -1.0
    sheet.looked_at = 1
    sheet.cut = 0


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
def who_is_last(s, colour):
    """S7: who lays the last rug, when the one before, of this colour, has been laid."""
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
def last_turns(s, sheet, ends):
    rugs = s.left[0] + s.left[1] + s.left[2] + s.left[3]
    if rugs > 2 or not (s.phase == DIE or (s.phase == TURN and not s.turn_at_end)) or s.last == 0:
        return 0
    first = STRAIGHT if s.phase == DIE else LEFT
    players = i64(s.players)
    sheet.colour = s.up if players == 2 else s.turn
    begin(s, sheet, i64(who_is_last(s, sheet.colour) if rugs == 2 else s.turn + 1))
    ranks = show_rug(all_ranks(s), sheet.layer)
    if rugs == 1:
        line_up(sheet, i64(s.omar), i64(s.facing))
        last_way(s, sheet, ranks, first)
        for face in range(FACES):
            write_end(ends[face], sheet.ends[face], players, face, 0)
        return FACES
    two_turns(s, sheet, show_rug(ranks, sheet.other), first)
    for face in range(FACES):
        for k in range(FACES):
            write_end(ends[FACES * face + k], sheet.best[face, k], players, k, face)
    return FACES * FACES
