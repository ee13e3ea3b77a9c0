"""Mixed strategies for simultaneous secret choices, read from the edges of a search tree."""

from collections.abc import Mapping, Sequence

import numpy as np

from souk.bots.bot import Choice, Considered
from souk.bots.kernels.value import SCORE, WIN
from souk.bots.workspace import Array, Workspace
from souk.kernel.rng import below, mix

SELDOM = 0.04  # smaller shares are mostly noise and are dropped

Shares = Mapping[int, float]  # how often each move is chosen


class MixedStrategy:
    """The moves at the root of a tree and their probabilities."""

    def __init__(self, workspace: Workspace, edges: Array) -> None:
        self.workspace, self.edges = workspace, edges

    def moves(self, seat: int) -> Array:
        """The indices of a seat's moves in the edge array."""
        first = 0
        while self.edges["seat"][first] != seat:
            first += int(self.edges["run"][first])
        return np.arange(first, first + int(self.edges["run"][first]))

    def shares(self, seat: int) -> dict[int, float]:
        """The probability of each move of a seat."""
        moves = self.moves(seat)
        masses = self.edges["mass"][moves]
        if not masses.any():
            masses = np.ones(len(moves))
        shares = masses / masses.sum()
        shares[shares < SELDOM] = 0.0
        return dict(
            zip(self.edges["move"][moves].tolist(), (shares / shares.sum()).tolist(), strict=True)
        )

    def strategy(self, seat: int) -> dict[str, float]:
        """The same by move text."""
        return {self.workspace.text(move): share for move, share in self.shares(seat).items()}

    def considered(self, edge: int, share: float) -> Considered:
        means = self.workspace["reasons"][edge] / max(1, int(self.edges["visits"][edge]))
        return Considered(
            self.workspace.text(self.edges["move"][edge]),
            share,
            float(means[WIN]),
            float(means[SCORE]),
        )

    def choice(self, seat: int, seed: int, playouts: int, doubt: float = 0.0) -> Choice:
        """Draw a move from a seat's strategy, hedged by `doubt`."""
        others = [
            self.workspace.expected_share(other, self.shares(other))
            for other in self.workspace.others
        ]
        shares = list(hedged(self.shares(seat), others, doubt).values())
        moves = self.moves(seat)
        order = sorted(range(len(moves)), key=lambda k: -shares[k])
        considered = [self.considered(moves[k], shares[k]) for k in order]
        return Choice(draw_move(considered, seed).move, considered, playouts)


def hedged(shares: Shares, others: Sequence[Shares], doubt: float) -> dict[int, float]:
    """Blend a strategy with one that avoids crowds.

    With weight `doubt` (0 to 1) each move the strategy uses is weighted by how few of the others
    are expected to make it: several bots computing the same strategy would otherwise collide.
    """
    crowds = {move: sum(other.get(move, 0.0) for other in others) for move in shares}
    instead = {
        move: (1.0 + crowds[move]) ** -2 if share > 0 else 0.0 for move, share in shares.items()
    }
    total = sum(instead.values())
    return {
        move: (1.0 - doubt) * share + doubt * instead[move] / total
        for move, share in shares.items()
    }


def draw_move(considered: list[Considered], seed: int) -> Considered:
    """Draw one entry by its share."""
    left = below(mix(seed + 1), 1 << 30) / (1 << 30)
    for entry in considered:
        left -= entry.share
        if left < 0:
            return entry
    return considered[0]
