"""Basari, the board game: the clauses of rules.md as functions over one state.

Arches are numbered clockwise from 0; colours are in order of rank: red, yellow, green, blue.
Choices, offers and majorities, shared with the card game, are in souk.games.basari_common.rules.
"""

import numpy as np

from souk.games.basari_common.rules import (
    COLOURS,
    NONE,
    begin_haggle,
    chose,
    end_haggle,
    forget_choices,
    haggle_legal,
    haggle_moves,
    hand,
    lose,
    partner,
    random_haggle_move,
    score_majority,
    size,
    speak,
    take_from_supply,
    yet_to_choose,
)
from souk.games.basari_common.rules import OVER as OVER
from souk.games.basari_common.rules import hide_secrets as hide_secrets
from souk.games.basari_common.rules import over as over
from souk.games.basari_common.rules import unhide_choices as unhide_choices
from souk.games.basari_common.rules import write_scores as write_scores
from souk.kernel.bitset import count, lowest, member, write_even_outcomes, write_members
from souk.kernel.rng import below
from souk.kernel.rule import rule

STATE = np.dtype(
    [
        ("arch", "u2", 28),  # the board: see `arch_number` and `arch_gems`
        ("points", "i2", 4),  # by seat, like all fields up to `choice`
        ("walked", "i2", 4),  # arches since the last scoring
        ("gems", "i1", (4, 4)),
        ("figure", "i1", 4),  # its arch, NONE before it is placed
        ("disc", "i1", 4),
        ("choice", "i1", 4),  # an action, NONE or HIDDEN
        ("supply", "i1", 4),  # by colour
        ("offer", "i4"),  # the current offer of a haggle, 0 for nothing
        ("action", "i1"),  # the one being settled, or NONE
        # The two who haggle, or NONE; in ascending order until the opener is known.
        ("opener", "i1"),
        ("other", "i1"),
        ("phase", "i1"),
        ("turn", "i1"),  # the seat that places, speaks or rolls, or NONE
        ("scorings", "i1"),
        ("players", "i1"),
        ("first", "i1"),
    ],
    align=True,
)
WIDEST = 28  # the arches; of the offers of a haggle `moves` lists as many as fit

START, WALK, CHOOSE, OPENER, HAGGLE, ROLL = range(6)
DICE, POINTS, GEMS = range(3)  # actions, in the order of B16; as moves, their choice
# Starting at an arch is the move ARCH + its number; haggle moves are in basari_common.
ARCH = 8

ARCHES = 28
GEMS_OF_EACH = 25
GEMS_AT_START = 3
FACES = 6
DIE_FACES = 0b1111110
LAP_POINTS = 10
SCORINGS = 3
PAID_ALONE = 3  # gems a sole majority holder returns (B33)


# ---------------------------------------------------------------- the board


@rule
def pack_arch(number, red, yellow, green, blue):
    """B1: an arch as stored in the state, three bits per field."""
    return (number << 12) | (red << 9) | (yellow << 6) | (green << 3) | blue


@rule
def arch_number(s, arch):
    """B1: the number on an arch."""
    return s.arch[arch] >> 12


@rule
def arch_gems(s, arch, colour):
    """B1: number of gems of a colour on an arch."""
    return (s.arch[arch] >> (3 * (COLOURS - 1 - colour))) & 7


@rule
def arch_after(arch, steps):
    """B10: the arch `steps` further clockwise."""
    return (arch + steps) % ARCHES


@rule
def walk(s, seat, steps):
    """B10, B12: a figure walks, regardless of others' discs and figures (B5)."""
    s.figure[seat] = arch_after(s.figure[seat], steps)
    s.walked[seat] += steps


# ---------------------------------------------------------------- setting up


@rule
def setup(s):
    """B2–B5: equal gems, the rest is the supply; the first seat must place its disc."""
    for seat in range(s.players):
        s.figure[seat] = NONE
        s.disc[seat] = NONE
        for colour in range(COLOURS):
            s.gems[seat, colour] = GEMS_AT_START
    for colour in range(COLOURS):
        s.supply[colour] = GEMS_OF_EACH - GEMS_AT_START * s.players
    forget_choices(s)
    end_haggle(s)
    s.phase = START
    s.turn = s.first


@rule
def free_arches(s):
    """B5: the arches without a disc, as a bit set."""
    free = (1 << ARCHES) - 1
    for seat in range(s.players):
        if s.disc[seat] != NONE:
            free &= ~(1 << s.disc[seat])
    return free


@rule
def place(s, seat, arch):
    """B5: place disc and figure; then the next seat does, and after all have, the first
    round begins.
    """
    s.disc[seat] = arch
    s.figure[seat] = arch
    for step in range(1, s.players):
        other = (seat + step) % s.players
        if s.disc[other] == NONE:
            s.turn = other
            return
    begin_round(s)


# ---------------------------------------------------------------- a round


@rule
def begin_round(s):
    """B10: everybody rolls and walks, in seat order."""
    s.phase = WALK
    s.turn = 0


@rule
def walk_in_turn(s, roll):
    """B10: a seat walks, and the next rolls. B11: after the last, all choose."""
    walk(s, s.turn, roll)
    s.turn += 1
    if s.turn == s.players:
        s.phase = CHOOSE
        s.turn = NONE


@rule
def is_lost(action, n):
    """B15: an action that three or more chose is lost."""
    return n > 2


@rule
def settle(s, action, winner):
    """B15–B16: settle this action and those after it, up to one that needs a die or a haggle;
    else end the round.

    An action is carried out by the only seat that chose it, haggled for by two (`winner`: who has
    just got it, or NONE), and lost if more chose it.
    """
    waits = False
    while not waits and action <= GEMS:
        seats = chose(s, action)
        n = count(seats)
        if winner != NONE or n == 1:
            carry_out(s, action, winner if winner != NONE else lowest(seats))
            waits = action == DICE
        elif n == 2:
            call_to_haggle(s, action, seats)
            waits = True
        elif is_lost(action, n):
            lose(s, action)
        winner = NONE
        action += 1
    if not waits:
        end_round(s)


@rule
def carry_out(s, action, seat):
    """B12–B14: a seat carries out an action. Dice still wait for the roll."""
    if action == DICE:
        s.action = DICE
        s.phase = ROLL
        s.turn = seat
    elif action == POINTS:
        s.points[seat] += arch_number(s, s.figure[seat])
    else:
        take_gems(s, seat)


@rule
def take_gems(s, seat):
    """B14: the gems on the figure's arch, as far as the supply lasts."""
    for colour in range(COLOURS):
        take_from_supply(s, seat, colour, arch_gems(s, s.figure[seat], colour))


@rule
def roll_again(s, roll):
    """B12: walk on, and score 6 minus the roll; then settle the other actions."""
    walk(s, s.turn, roll)
    score_roll(s, s.turn, roll)
    settle(s, POINTS, NONE)


@rule
def points_of_roll(roll):
    """B12: 6 minus the roll."""
    return FACES - roll


@rule
def score_roll(s, seat, roll):
    """B12: the points for rolling again."""
    s.points[seat] += points_of_roll(roll)


@rule
def end_round(s):
    """B30: clear the choices; score if a figure has walked a lap.

    B35: the third scoring ends the game.
    """
    forget_choices(s)
    score_if_due(s)
    if s.scorings == SCORINGS:
        s.phase = OVER
        s.turn = NONE
    else:
        begin_round(s)


# ---------------------------------------------------------------- haggling


@rule
def call_to_haggle(s, action, seats):
    """B20: two chose an action. The one with more points opens; on equal points a roll decides."""
    one = lowest(seats)
    other = lowest(seats & (seats - 1))
    s.action = action
    if s.points[one] < s.points[other]:
        begin_haggle(s, other, one)
    else:
        begin_haggle(s, one, other)
    if s.points[one] == s.points[other]:
        s.phase = OPENER
        s.turn = NONE
    else:
        s.phase = HAGGLE


@rule
def open_haggle(s, seat):
    """B20: the seat the roll has named opens."""
    begin_haggle(s, seat, partner(s, seat))
    s.phase = HAGGLE


# ---------------------------------------------------------------- scoring


@rule
def score_if_due(s):
    """B30–B34: score laps, then majorities; then move every disc under its figure for the
    next lap.
    """
    if score_laps(s) == 0:
        return
    score_majorities(s)
    for seat in range(s.players):
        s.disc[seat] = s.figure[seat]
        s.walked[seat] = 0
    s.scorings += 1


@rule
def score_laps(s):
    """B31: points for everybody who has walked a lap. Returns their number."""
    laps = 0
    for seat in range(s.players):
        if s.walked[seat] >= ARCHES:
            s.points[seat] += LAP_POINTS
            laps += 1
    return laps


@rule
def score_majorities(s):
    """B32–B33: colour by colour."""
    for colour in range(COLOURS):
        score_majority(s, colour, PAID_ALONE)


@rule
def rank(s, seat):
    """B36: points, then gems, then red, yellow, green and blue ones, as one number to compare."""
    held = hand(s, seat)
    return (((s.points[seat] << 7) + size(held)) << 24) + held


# ---------------------------------------------------------------- game ops


@rule
def actors(s):
    if s.phase == CHOOSE:
        return yet_to_choose(s)
    return 1 << s.turn if s.phase == START or s.phase == HAGGLE else 0


@rule
def moves(s, seat, out):
    """B5: the free arches. B11: dice, points, gems. B21–B25: stop, then offers, lowest first."""
    if not (actors(s) >> seat) & 1:
        return 0
    if s.phase == HAGGLE:
        return haggle_moves(s, seat, out, True)
    if s.phase == CHOOSE:
        return write_members((1 << (GEMS + 1)) - 1, out)
    n = write_members(free_arches(s), out)
    for i in range(n):
        out[i] += ARCH
    return n


@rule
def legal(s, seat, move):
    if move < 0 or not (actors(s) >> seat) & 1:
        return False
    if s.phase == HAGGLE:
        return haggle_legal(s, seat, move, True)
    if s.phase == CHOOSE:
        return move <= GEMS
    return ARCH <= move < ARCH + ARCHES and (free_arches(s) >> (move - ARCH)) & 1 == 1


@rule
def play(s, seat, move):
    """B5: place a disc.

    B11: the last choice reveals them all. B21–B22: the winner of a haggle carries the action out.
    """
    # A single call of `settle` for all cases keeps GPU threads together.
    action = NONE
    winner = NONE
    if s.phase == HAGGLE:
        winner = speak(s, seat, move)
        if winner != NONE:
            action = s.action
    elif s.phase == CHOOSE:
        s.choice[seat] = move
        if yet_to_choose(s) == 0:
            action = DICE
    else:
        place(s, seat, move - ARCH)
    if action != NONE:
        settle(s, action, winner)


@rule
def outcomes(s, out, weights):
    """B10, B12: a die. B20: either of the two opens the haggle."""
    if s.phase == WALK or s.phase == ROLL:
        return write_even_outcomes(DIE_FACES, out, weights)
    if s.phase == OPENER:
        return write_even_outcomes((1 << s.opener) | (1 << s.other), out, weights)
    return 0


@rule
def resolve(s, outcome):
    if s.phase == WALK:
        walk_in_turn(s, outcome)
    elif s.phase == ROLL:
        roll_again(s, outcome)
    else:
        open_haggle(s, outcome)


@rule
def random_move(s, seat, x, out):
    """Every move equally likely, except in a haggle, which would hardly ever end."""
    if s.phase == CHOOSE:
        return below(x, GEMS + 1)
    if s.phase == HAGGLE:
        return random_haggle_move(s, seat, x, True)
    free = free_arches(s)
    return ARCH + member(free, below(x, count(free)))


@rule
def random_outcome(s, x, out, weights):
    """The same as drawing from `outcomes`, without the list."""
    if s.phase == OPENER:
        return s.opener if below(x, 2) == 0 else s.other
    return 1 + below(x, FACES)
