"""The search tree: a hash table of nodes and an array of edges.

A node's key hashes the moves and outcomes on the way to it. Chance events have no nodes, except in
expectimax search (`souk.bots.kernels.expectimax`), where their outcomes are edges like moves.
"""

import numpy as np

from souk.kernel.rng import mix
from souk.kernel.rule import i64, rule, u64

MOST_SEATS = 6  # for expectimax search

NODE = np.dtype(
    [
        ("key", "u8"),  # 0: empty
        ("first", "i4"),  # index of its first edge, NO_EDGES before expansion
        ("visits", "i4"),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("value", "f8"),  # sum of utilities for the seat that moves
        ("regret", "f8"),  # secret choices: cumulative regret, never below 0
        ("mass", "f8"),  # secret choices: cumulative strategy; outcomes: weight
        ("move", "i4"),
        ("visits", "i4"),
        ("run", "i4"),  # on a seat's first edge: number of edges
        ("seat", "i4"),  # NOBODY: a chance outcome
        ("worth", "f4", MOST_SEATS),  # expectimax: utility by seat
    ],
    align=True,
)
NOBODY = -1
NO_EDGES = -1
NO_ROOM = -1
ROOT_KEY = 1
STOPPED = -1  # returned instead of a number of steps if a playout was interrupted


@rule
def clear(nodes):
    """Empty the hash table; edges need no clearing."""
    for place in range(len(nodes)):
        nodes[place].key = u64(0)


@rule
def key_after(key, seat, code):
    """The key after a seat's move, or after a chance outcome (seat -1)."""
    return mix(
        u64(key) ^ u64(u64(code + 1) * u64(0x9E3779B97F4A7C15)) ^ u64(u64(seat + 2) << u64(56))
    )


@rule
def find_node(workspace, nodes, key):
    """The index of a key, inserted if new; NO_ROOM once the table is three quarters full."""
    last = len(nodes) - 1  # a bit mask: the length is a power of two
    place = i64(u64(key) & u64(last))
    while nodes[place].key != u64(0):
        if nodes[place].key == key:
            return place
        place = (place + 1) & last
    if workspace.nodes * 4 >= len(nodes) * 3:
        return NO_ROOM
    nodes[place].key = key
    nodes[place].first = NO_EDGES
    nodes[place].visits = 0
    workspace.nodes += 1
    return place


@rule
def add_edges(workspace, edges, seat, found, n):
    """Append edges for `n` moves of a seat, or outcomes of NOBODY; False if there is no room."""
    first = workspace.edges
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
    workspace.edges = first + n
    return True


@rule
def add_outcomes(workspace, edges, n):
    """Append edges for the outcomes in `workspace.out`; False if there is no room."""
    first = workspace.edges
    if not add_edges(workspace, edges, NOBODY, workspace.out, n):
        return False
    for k in range(n):
        edges[first + k].mass = float(workspace.weights[k])
    return True
