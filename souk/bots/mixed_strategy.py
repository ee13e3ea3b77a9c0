"""A mixed strategy for a choice that several make in secret, as regret matching has left it among the edges of a tree; and drawing from one."""

from collections.abc import Mapping, Sequence

import numpy as np

from souk.bots.bot import Choice, Considered
from souk.bots.desk import Array, Desk
from souk.bots.kernels.value import SCORE, WIN
from souk.kernel.chance import below, mix

SELDOM = 0.04  # a mixed strategy leaves out what it would choose less often than this: it is mostly noise

Shares = Mapping[int, float]  # how often each move is chosen


class Mixture:
    """The moves at the root of a tree, and how often each is to be chosen."""

    def __init__(self, desk: Desk, edges: Array) -> None:
        self.desk, self.edges = desk, edges

    def moves(self, seat: int) -> Array:
        """Where a seat's moves are among the edges."""
        first = 0
        while self.edges["seat"][first] != seat:
            first += int(self.edges["run"][first])
        return np.arange(first, first + int(self.edges["run"][first]))

    def shares(self, seat: int) -> dict[int, float]:
        """How often a seat would choose each of its moves."""
        moves = self.moves(seat)
        shares = self.edges["mass"][moves] / self.edges["mass"][moves].sum()
        shares[shares < SELDOM] = 0.0
        return dict(zip(self.edges["move"][moves].tolist(), (shares / shares.sum()).tolist(), strict=True))

    def strategy(self, seat: int) -> dict[str, float]:
        """The same, with the moves as text."""
        return {self.desk.text(move): share for move, share in self.shares(seat).items()}

    def considered(self, edge: int, share: float) -> Considered:
        found = self.desk["reasons"][edge] / max(1, int(self.edges["visits"][edge]))
        return Considered(self.desk.text(self.edges["move"][edge]), share, float(found[WIN]), float(found[SCORE]))

    def choice(self, seat: int, seed: int, playouts: int, doubt: float = 0.0) -> Choice:
        """A move drawn from a seat's mixed strategy, by one who doubts it so much."""
        others = [self.desk.expected(other, self.shares(other)) for other in self.desk.others]
        shares = list(doubted(self.shares(seat), others, doubt).values())
        moves = self.moves(seat)
        order = sorted(range(len(moves)), key=lambda k: -shares[k])
        considered = [self.considered(moves[k], shares[k]) for k in order]
        return Choice(drawn(considered, seed).move, considered, playouts)


def doubted(shares: Shares, others: Sequence[Shares], doubt: float) -> dict[int, float]:
    """How often moves are chosen by one who doubts, from 0 to 1, that these shares are right: in doubt one does what fewer of the others are
    expected to do, of all that might be right."""
    crowds = {move: sum(each.get(move, 0.0) for each in others) for move in shares}
    instead = {move: (1.0 + crowds[move]) ** -2 if share > 0 else 0.0 for move, share in shares.items()}
    total = sum(instead.values())
    return {move: (1.0 - doubt) * share + doubt * instead[move] / total for move, share in shares.items()}


def drawn(considered: list[Considered], seed: int) -> Considered:
    """One of these, each as often as its share says."""
    left = below(mix(seed + 1), 1 << 30) / (1 << 30)
    for each in considered:
        left -= each.share
        if left < 0:
            return each
    return considered[0]
