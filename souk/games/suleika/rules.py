"""Suleika: the clauses of rules.md as functions over one state.

Fields are numbered column by column: a1 is 0, a2 is 1, b1 is 7, g7 is 48. Sets of fields are 64-bit
sets. Colours are numbered red, yellow, blue, green. With three or four players a seat's colour is
its own number; with two, seat 0 has red and yellow, seat 1 blue and green.
"""

from typing import Any

import numpy as np

from souk.kernel.bitset import bit, count, member, write_members
from souk.kernel.ranking import leaders
from souk.kernel.rng import below
from souk.kernel.rule import memoized, rule, u64

STATE = np.dtype(
    [
        ("cover", "u8", 4),  # by colour: the fields where it is visible
        ("rug", "i2", 49),  # by field: number of the visible rug, 0 for none
        ("last", "i2"),  # number of the rug laid last: always the highest visible
        ("money", "i2", 4),  # by seat
        ("left", "i1", 4),  # by colour: rugs still to lay
        ("omar", "i1"),
        ("facing", "i1"),
        ("phase", "i1"),
        ("turn", "i1"),  # -1 when the game is over
        ("up", "i1"),  # two players: the colour that has come up to be laid, else -1
        ("players", "i1"),
        ("first", "i1"),
        ("turn_at_end", "i1"),
    ],
    align=True,
)
# Longest list of moves or outcomes: four fields beside Omar, three ways on from each.
WIDEST = 12

CARD, TURN, DIE, RUG, OVER = range(5)
NORTH, EAST, SOUTH, WEST = range(4)
BACK, LEFT, RIGHT, STRAIGHT = range(4)  # moves; a rug is `rug_move`

# S12: at the edge of the market a balcony leads Omar to the field joined with his. He then faces
# the direction he comes in by.
BALCONIES = (  # leaving direction, fields joined, and the direction he then faces
    (NORTH, "a7-b7 c7-d7 e7-f7", SOUTH),
    (NORTH, "g7-g7", WEST),
    (EAST, "g6-g5 g4-g3 g2-g1", WEST),
    (EAST, "g7-g7", SOUTH),
    (SOUTH, "b1-c1 d1-e1 f1-g1", NORTH),
    (SOUTH, "a1-a1", EAST),
    (WEST, "a7-a6 a5-a4 a3-a2", EAST),
    (WEST, "a1-a1", NORTH),
)

START = 24  # d4
PIASTRES = 120
SIDE = 7
# All fields but those of row 1 (row 7): where a set shifted up (down) by a row may arrive.
NOT_ROW_1 = 0x1FBF7EFDFBF7E
NOT_ROW_7 = 0x0FDFBF7EFDFBF


# ---------------------------------------------------------------- fields and sets of fields


def _neighbours(field: int) -> list[int]:
    column, row = divmod(field, SIDE)
    around = [(column - 1, row), (column, row - 1), (column, row + 1), (column + 1, row)]
    return [c * SIDE + r if 0 <= c < SIDE and 0 <= r < SIDE else -1 for c, r in around]


def _places_around(field: int) -> int:
    """S17: places for a rug round Omar on an empty market, numbered as in `places`."""
    near = _neighbours(field)
    far = [_neighbours(half) if half >= 0 else [-1] * 4 for half in near]
    return sum(1 << (4 * i + j) for i in range(4) for j in range(4) if far[i][j] not in (-1, field))


def _balconies() -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """S12: by the exit from the market, the re-entry; both are four times the field plus the
    direction faced.
    """
    table = np.full(4 * SIDE * SIDE, -1, np.int16)
    for leaving, joined, heading in BALCONIES:
        for pair in joined.split():
            one, other = (
                "abcdefg".index(name[0]) * SIDE + int(name[1]) - 1 for name in pair.split("-")
            )
            table[4 * one + leaving] = 4 * other + heading
            table[4 * other + leaving] = 4 * one + heading
    return table


def _table(numbers: np.ndarray[Any, np.dtype[Any]]) -> memoryview:
    """A lookup table for rules.

    Interpreted, a memoryview yields plain ints several times as fast as an array.
    """
    return memoryview(numbers)  # type: ignore[arg-type]


BESIDE = _table(np.array([_neighbours(field) for field in range(SIDE * SIDE)]))
PLACES_AROUND = _table(np.array([_places_around(field) for field in range(SIDE * SIDE)]))
BALCONY = _table(_balconies())


@rule
def beside(field, side):
    """The field on one side of another (sides 0 to 3 in ascending field order), or -1 off the
    market.
    """
    return BESIDE[field, side]


@memoized
def connected(fields, field):
    """S13: the orthogonally connected part of `fields` that contains `field` (flood fill)."""
    area = bit(field)
    while True:
        up = u64(area << u64(1)) & u64(NOT_ROW_1)
        down = (area >> u64(1)) & u64(NOT_ROW_7)
        wider = (area | up | down | u64(area << u64(SIDE)) | (area >> u64(SIDE))) & fields
        if wider == area:
            return area
        area = wider


# ---------------------------------------------------------------- who and what


@rule
def owner(s, colour):
    """S3–S4: the seat that owns a colour."""
    return colour >> 1 if s.players == 2 else colour


@rule
def rugs_left(s, seat):
    if s.players == 2:
        return s.left[2 * seat] + s.left[2 * seat + 1]
    return s.left[seat]


@rule
def colour_at(s, field):
    """The colour visible on a field, or -1."""
    for colour in range(4):
        if s.cover[colour] & bit(field):
            return colour
    return -1


@rule
def halves(s, seat):
    """S31: number of a seat's visible rug halves."""
    seen = 0
    for colour in range(4):
        if owner(s, colour) == seat:
            seen += count(s.cover[colour])
    return seen


@rule
def points(s, seat):
    """S31: a piastre and a visible half are worth a point each."""
    return s.money[seat] + halves(s, seat)


# ---------------------------------------------------------------- setting up and taking turns


@rule
def setup(s):
    """S1–S7: Omar in the middle facing north, equal purses, rugs dealt out, first seat to begin."""
    s.omar = START
    s.facing = NORTH
    for seat in range(s.players):
        s.money[seat] = PIASTRES // s.players
    for colour in range(4):
        s.left[colour] = 12
        if s.players == 3:
            s.left[colour] = 15 if colour < 3 else 0
    begin_turn(s, s.first)


@rule
def begin_turn(s, seat):
    """S7, S4: start a seat's turn. With two players the top rug comes up first."""
    s.turn = seat
    s.up = -1
    s.phase = CARD if s.players == 2 else TURN


@rule
def pass_turn(s):
    """S7: on to the next seat clockwise.

    All run out of rugs together, except in constructed positions.
    """
    seat = (s.turn + 1) % s.players
    while rugs_left(s, seat) == 0:
        seat = (seat + 1) % s.players
    begin_turn(s, seat)


@rule
def after_laying(s):
    """S30: the game ends when all rugs are laid.

    S40: the player may yet turn Omar for the next one.
    """
    s.up = -1
    if s.left[0] + s.left[1] + s.left[2] + s.left[3] == 0:
        s.phase = OVER
        s.turn = -1
    elif s.turn_at_end:
        s.phase = TURN
    else:
        pass_turn(s)


# ---------------------------------------------------------------- Omar


@rule
def turned(facing, move):
    """S10: the direction after a turn."""
    if move == LEFT:
        return (facing + 3) % 4
    if move == RIGHT:
        return (facing + 1) % 4
    return (facing + 2) % 4 if move == BACK else facing


@rule
def walk_one(s):
    """S11: one field in the direction Omar faces. S12: at the edge a balcony leads him back in."""
    across = s.facing & 1
    way = 1 if s.facing < SOUTH else -1
    if 0 <= (s.omar // SIDE if across else s.omar % SIDE) + way < SIDE:
        s.omar += way * SIDE if across else way
    else:
        way_in = BALCONY[4 * s.omar + s.facing]
        s.omar = way_in >> 2
        s.facing = way_in & 3


@rule
def walker(s):
    """S11, S40: the seat that walks Omar next and pays.

    The player on turn, or the next player while a direction is chosen for them.
    """
    return 1 - s.turn if s.turn_at_end and s.phase == TURN and s.up < 0 else s.turn


@rule
def walk(s, steps):
    """S11: Omar walks as many fields as the die shows."""
    for _ in range(steps):
        walk_one(s)


@rule
def price(s, seat, field):
    """S13–S15: what `seat` owes for a stop on a field: the size of the area, if it is another's."""
    colour = colour_at(s, field)
    if colour < 0 or owner(s, colour) == seat:
        return 0
    return count(connected(s.cover[colour], field))


@rule
def pay_owner(s):
    """S13, S16: the player who moved Omar pays the owner of the rug he stands on, as far as
    possible.
    """
    owed = min(price(s, s.turn, s.omar), s.money[s.turn])
    if owed > 0:
        s.money[s.turn] -= owed
        s.money[owner(s, colour_at(s, s.omar))] += owed


# ---------------------------------------------------------------- rugs


@rule
def rug_move(near, far):
    """A rug as a move: the half next to Omar, then the other."""
    return ((near + 1) << 6) + far


@rule
def near_half(move):
    return (move >> 6) - 1


@rule
def far_half(move):
    return move & 63


@rule
def places(s):
    """S17–S19: legal places for a rug as a bit set: bit 4 × i + j is way j on from the field on
    side i of Omar.

    Not where it would hide both visible halves of one rug.
    """
    # Off the market `beside` is -1; what is read there makes no difference.
    free = PLACES_AROUND[s.omar]
    for i in range(4):
        near = beside(s.omar, i)
        if s.rug[near] != 0:
            for j in range(4):
                if s.rug[beside(near, j)] == s.rug[near]:
                    free &= ~(1 << (4 * i + j))
    return free


@rule
def rug_at_place(s, place):
    """The rug move for one bit of `places`."""
    near = beside(s.omar, place >> 2)
    return rug_move(near, beside(near, place & 3))


@rule
def uncover(s, field):
    for colour in range(4):
        s.cover[colour] = s.cover[colour] & u64(~bit(field))


@rule
def lay(s, near, far):
    """S17–S18: lay the seat's rug on two fields, over whatever is there."""
    colour = s.up if s.players == 2 else s.turn
    uncover(s, near)
    uncover(s, far)
    s.cover[colour] = s.cover[colour] | bit(near) | bit(far)
    s.last += 1
    s.rug[near] = s.last
    s.rug[far] = s.last
    s.left[colour] -= 1


# ---------------------------------------------------------------- game ops


@rule
def over(s):
    return s.phase == OVER


@rule
def actors(s):
    return 1 << s.turn if s.phase == TURN or s.phase == RUG else 0


@rule
def moves(s, seat, out):
    """S10: left, right, straight, or back before the first rug. S17–S20: the places for a rug."""
    n = 0
    if s.turn != seat:
        return n
    if s.phase == TURN:
        for move in range(BACK if s.last == 0 else LEFT, STRAIGHT + 1):
            out[n] = move
            n += 1
    elif s.phase == RUG:
        n = write_members(places(s), out)
        for i in range(n):
            out[i] = rug_at_place(s, out[i])
    return n


@rule
def legal(s, seat, move):
    if s.turn != seat or move < 0:
        return False
    if s.phase == TURN:
        return move <= STRAIGHT and (move != BACK or s.last == 0)
    if s.phase != RUG:
        return False
    free = places(s)
    for place in range(16):
        if (free >> place) & 1 and rug_at_place(s, place) == move:
            return True
    return False


@rule
def play(s, seat, move):
    if s.phase == TURN:
        s.facing = turned(s.facing, move)
        if s.turn_at_end and s.up < 0:
            pass_turn(s)
        else:
            s.phase = DIE
    else:
        lay(s, near_half(move), far_half(move))
        after_laying(s)


@rule
def outcomes(s, out, weights):
    """S4: the rug that comes up, weighted by the number left. S6: the die 1, 2, 2, 3, 3, 4."""
    n = 0
    if s.phase == CARD:
        for colour in range(2 * s.turn, 2 * s.turn + 2):
            if s.left[colour] > 0:
                out[n] = colour
                weights[n] = s.left[colour]
                n += 1
    elif s.phase == DIE:
        for face in range(1, 5):
            out[n] = face
            weights[n] = 2 if face == 2 or face == 3 else 1
            n += 1
    return n


@rule
def resolve(s, outcome):
    """S4: a rug comes up. S11: Omar walks what the die shows. S13: his mover pays."""
    if s.phase == CARD:
        s.up = outcome
        s.phase = DIE if s.turn_at_end and s.last > 0 else TURN
    else:
        walk(s, outcome)
        pay_owner(s)
        s.phase = RUG


@rule
def write_scores(s, scores):
    """S31: halves and piastres."""
    for seat in range(s.players):
        scores[seat] = points(s, seat)
    return leaders(s) if s.phase == OVER else 0


@rule
def ranked(points, halves):
    """S31–S32: points, then halves on a tie, as one number to compare."""
    return points * 64 + halves


@rule
def points_ranked(rank):
    """The points in a rank."""
    return rank >> 6


@rule
def rank(s, seat):
    return ranked(points(s, seat), halves(s, seat))


@rule
def random_move(s, seat, x, out):
    """A uniform choice from `moves` without building the list: most of a random game's time."""
    if s.phase == TURN:
        first = BACK if s.last == 0 else LEFT
        return first + below(x, STRAIGHT + 1 - first)
    free = places(s)
    return rug_at_place(s, member(free, below(x, count(free))))
