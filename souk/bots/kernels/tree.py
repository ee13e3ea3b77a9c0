"""The tree a search grows: positions in which somebody is to move, found again by how they were reached, and their moves. How much of the two
arrays is in use stands on the desk.

The key of a position mixes in every move and every outcome on the way to it. Of dice and cards themselves nothing is stored, unless a search weighs them
(`souk.bots.kernels.weighing`): then they are positions as well, whose outcomes lead on like moves.
"""

import numpy as np

from souk.kernel.chance import mix
from souk.kernel.rule import i64, rule, u64

MOST_SEATS = 6  # of games in which a search can weigh

NODE = np.dtype(
    [
        ("key", "u8"),  # 0: nothing here
        ("first", "i4"),  # where its moves begin in the array of edges, NO_EDGES before they are listed
        ("visits", "i4"),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("value", "f8"),  # the sum of what came of it for the seat that moves
        ("regret", "f8"),  # secret choices: how much better it would have been to choose this (never below 0)
        ("mass", "f8"),  # secret choices: how often it was meant to be chosen; outcomes: how likely it is
        ("move", "i4"),
        ("visits", "i4"),
        ("run", "i4"),  # on a seat's first move: how many it has
        ("seat", "i4"),  # NOBODY: an outcome of a die or card
        ("worth", "f4", MOST_SEATS),  # where a search weighs: what it leads to is worth to everybody
    ],
    align=True,
)
NOBODY = -1
NO_EDGES = -1
NO_ROOM = -1
ROOT_KEY = 1


@rule
def clear(nodes):
    """Make room for another tree. (Moves need no clearing: they are written before they are read.)"""
    for place in range(len(nodes)):
        nodes[place].key = u64(0)


@rule
def key_after(key, seat, code):
    """The key of the position after a seat's move, or (seat -1) after a chance outcome."""
    return mix(u64(key) ^ u64(u64(code + 1) * u64(0x9E3779B97F4A7C15)) ^ u64(u64(seat + 2) << u64(56)))


@rule
def find_node(desk, nodes, key):
    """The place of a key in the table of nodes, a new one where it is new; NO_ROOM once the table is three quarters full."""
    last = len(nodes) - 1  # the table's length is a power of two
    place = i64(u64(key) & u64(last))
    while nodes[place].key != u64(0):
        if nodes[place].key == key:
            return place
        place = (place + 1) & last
    if desk.nodes * 4 >= len(nodes) * 3:
        return NO_ROOM
    nodes[place].key = key
    nodes[place].first = NO_EDGES
    nodes[place].visits = 0
    desk.nodes += 1
    return place


@rule
def add_edges(desk, edges, seat, found, n):
    """The first n of what was found, a seat's moves or NOBODY's outcomes, at the end of the array of edges. False where they do not fit."""
    first = desk.edges
    if first + n > len(edges):
        return False
    for k in range(n):
        edge = edges[first + k]
        edge.value = 0.0
        edge.regret = 0.0
        edge.mass = 0.0
        edge.move = found[k]
        edge.visits = 0
        edge.run = n
        edge.seat = seat
    desk.edges = first + n
    return True


@rule
def add_outcomes(desk, edges, n):
    """The first n outcomes of `desk.out`, with their weights, as NOBODY's edges. False where they do not fit."""
    first = desk.edges
    if not add_edges(desk, edges, NOBODY, desk.out, n):
        return False
    for k in range(n):
        edges[first + k].mass = float(desk.weights[k])
    return True
