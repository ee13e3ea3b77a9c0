"""The games of a tournament as arrays."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from souk.kernel.state import Array


@dataclass(frozen=True)
class GameResults:
    """Games in numerical order: a row per game, a column per seat."""

    # number of each game
    games: Array
    # deal of each game
    deals: Array
    # index of the entrant in each seat
    seats: Array
    scores: Array
    # whether the seat won, alone or shared
    won: Array
    # moves made by the seat
    moves: Array
    # total thinking time of the seat
    seconds: Array
    # seconds of the longest move
    longest: Array
    # moves made by a fallback bot
    fallbacks: Array

    @cached_property
    def wins(self) -> Array:
        """The seat's fraction of the win: 1, or less if shared."""
        parts: Array = self.won / np.maximum(self.won.sum(axis=1, keepdims=True), 1)
        return parts

    @cached_property
    def ranks(self) -> Array:
        """The seat's rank, from 1: winners first, then by score; ties share the better rank."""
        mine = (self.won[:, :, None], self.scores[:, :, None])
        theirs = (self.won[:, None, :], self.scores[:, None, :])
        beaten = (theirs[0] > mine[0]) | ((theirs[0] == mine[0]) & (theirs[1] > mine[1]))
        ranks: Array = 1 + beaten.sum(axis=2)
        return ranks

    def only(self, which: Array | slice) -> "GameResults":
        """A selection of the games."""
        return GameResults(
            **{field.name: getattr(self, field.name)[which] for field in fields(self)}
        )

    def first(self, games: int) -> "GameResults":
        """The first `games` games."""
        return self.only(slice(games))

    @property
    def by_turns(self) -> Array:
        """Which games have no entrant in two adjacent seats."""
        alone: Array = (self.seats != np.roll(self.seats, 1, axis=1)).all(axis=1)
        return alone

    def contiguous(self) -> "GameResults":
        """The games before the first missing number; their order is final."""
        return self.first(int((self.games == np.arange(len(self.games))).sum()))

    def seats_of(self, entrant: int) -> Array:
        """Which seats an entrant held."""
        held: Array = self.seats == entrant
        return held

    def by_deal(self, values: Array) -> Array:
        """Sums of a per-game figure over each deal."""
        _, deal = np.unique(self.deals, return_inverse=True)
        return np.bincount(deal, weights=values)
