"""The games of a tournament as arrays."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from souk.kernel.state import Array


@dataclass(frozen=True)
class Ledger:
    """Games in the order of their numbers: a row for each game, a column for each seat."""

    games: Array  # each game's number
    deals: Array  # each game's deal
    seats: Array  # which entrant sat there
    scores: Array
    won: Array  # whether the seat won, alone or with others
    moves: Array  # how many the seat made
    seconds: Array  # that the seat thought
    longest: Array  # seconds of the seat's longest move
    fallbacks: Array  # moves that another had to make for the entrant

    @cached_property
    def wins(self) -> Array:
        """The seat's part of the win: one, or less where it is shared."""
        parts: Array = self.won / np.maximum(self.won.sum(axis=1, keepdims=True), 1)
        return parts

    @cached_property
    def ranks(self) -> Array:
        """The seat's rank in its game, from 1: winners first, then by score; equals share the better rank."""
        mine, theirs = (self.won[:, :, None], self.scores[:, :, None]), (self.won[:, None, :], self.scores[:, None, :])
        beaten = (theirs[0] > mine[0]) | ((theirs[0] == mine[0]) & (theirs[1] > mine[1]))
        ranks: Array = 1 + beaten.sum(axis=2)
        return ranks

    def only(self, which: Array | slice) -> "Ledger":
        """Some of the games."""
        return Ledger(**{field.name: getattr(self, field.name)[which] for field in fields(self)})

    def first(self, games: int) -> "Ledger":
        """Only so many games."""
        return self.only(slice(games))

    @property
    def by_turns(self) -> Array:
        """In which games nobody sat beside themselves."""
        alone: Array = (self.seats != np.roll(self.seats, 1, axis=1)).all(axis=1)
        return alone

    def without_gaps(self) -> "Ledger":
        """The games up to the first that is missing: their order will not change any more."""
        return self.first(int((self.games == np.arange(len(self.games))).sum()))

    def held_by(self, entrant: int) -> Array:
        """Which seats an entrant sat in."""
        held: Array = self.seats == entrant
        return held

    def by_deal(self, values: Array) -> Array:
        """The sums, over each deal, of a figure that each game has."""
        _, deal = np.unique(self.deals, return_inverse=True)
        return np.bincount(deal, weights=values)
