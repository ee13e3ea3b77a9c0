"""Workspace: the scratch record of a searching bot.

Kernels and heuristics receive it as one argument with named fields; interpreted rules see it
through a `State`. A game's heuristics may declare fields of their own (`WORKSPACE`).

Lifetimes: `candidates` leaves its moves in `found` until it is called again. `out`, `weights`,
`notes` and the game's own fields are valid only within one game op.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from souk.kernel.net_layout import BLOCK, FIRST_WIDTH, OUTPUTS, SECOND_WIDTH
from souk.kernel.rule import rule

# Minimum length of the move lists.
MIN_LIST_LENGTH = 64
# Maximum number of tree moves in one playout of a search.
MAX_DEPTH = 64
# Events between checks whether to stop (a power of two).
CHECK_EVERY = 64

# Fields as NumPy takes them.
Layout = Sequence[tuple[Any, ...]]


def workspace_type(
    widest: int, seats: int, own: Layout = (), most_seen: int = 1
) -> np.dtype[np.void]:
    """The workspace type of a game.

    Args:
        widest: maximum length of a list of moves or outcomes.
        seats: maximum number of players.
        own: fields of the game's heuristics.
        most_seen: maximum number of active net features.
    """
    wide = max(MIN_LIST_LENGTH, widest)
    return np.dtype(
        [
            # Game ops: lists of moves or outcomes, with notes on each item. `found` is written by
            # `candidates`, `out` is any other list, `weights` those of outcomes.
            ("found", "i4", wide),
            ("out", "i4", wide),
            ("weights", "i4", wide),
            ("notes", "f8", wide),
            *own,
            # Evaluation: expected final scores and win chances; `weighed` backs them up through
            # chance nodes (souk.bots.kernels.expectimax).
            ("scores", "i4", seats),
            ("values", "f8", seats),
            ("wins", "f8", seats),
            ("weighed", "f8", (3, seats)),
            *_net_fields(seats, most_seen),
            *_search_fields(seats, wide),
        ],
        align=True,
    )


def _search_fields(seats: int, wide: int) -> Layout:
    """Opponent habits, settings and progress of a search, and its current playout."""
    return (
        # Habits of the seats, see souk.kernel.habits. `habits` is by seat and move.
        ("swayed", "f8", seats),
        ("habits", "f8", (seats, wide)),
        # Search settings: the seat to move; the number of quiet positions a playout passes
        # before evaluation; 1 to use heuristics; how often a position is evaluated before its
        # moves are expanded; 1 to average over dice and cards instead of sampling them.
        ("seed", "u8"),
        ("seat", "i8"),
        ("horizon", "i8"),
        ("guided", "i8"),
        ("exploration", "f8"),
        ("patience", "i8"),
        ("weighs", "i8"),
        # Search progress: playouts, used nodes and edges; the depth of an exact endgame search
        # (souk.bots.kernels.endgame); results by root move (souk.bots.kernels.value).
        ("played", "i8"),
        ("nodes", "i8"),
        ("edges", "i8"),
        ("level", "i8"),
        ("reasons", "f8", (seats * wide, 3)),
        # Current playout: the start of its random stream, the numbers used, and its moves in
        # the tree (souk.bots.kernels.search).
        ("start", "u8"),
        ("drawn", "i8"),
        ("path", "i8", (MAX_DEPTH, 3)),
        # 1: drop the playout and return. Set while a kernel runs: souk.bots.cancellation.
        ("stopped", "i8"),
    )


def _net_fields(seats: int, most_seen: int) -> Layout:
    """Features by seat and the activations of the net, see souk.kernel.net."""
    padded = max(2, -(-most_seen // BLOCK)) * BLOCK  # see `pad_features`
    return (
        ("seen", "u4", (padded, seats)),
        ("sums", "i4", FIRST_WIDTH),
        ("sums_of_sums", "i4", SECOND_WIDTH),
        ("answers", "i4", (seats, OUTPUTS)),
    )


@rule
def must_stop(workspace, events):
    """Whether to abort a playout. Checks the flag only every CHECK_EVERY events."""
    return events & (CHECK_EVERY - 1) == 0 and workspace.stopped != 0


@rule
def insert(workspace, first, n, move, note):
    """Insert a move into `workspace.found[first:n]`, sorted by descending note; stable."""
    k = n
    while k > first and workspace.notes[k - 1] < note:
        workspace.found[k] = workspace.found[k - 1]
        workspace.notes[k] = workspace.notes[k - 1]
        k -= 1
    workspace.found[k] = move
    workspace.notes[k] = note
