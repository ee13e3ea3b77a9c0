"""Proposals: take a move back, end the game, pause it.

One at a time; accepted once every voter agrees, dropped when one declines, when the proposer moves
on or when it expires. Knows no table: voters are passed in as seats.
"""

from collections.abc import Sequence

import msgspec

from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import Proposed

PATIENCE = 60.0  # seconds until a proposal expires
PATIENCE_OF_DAYS = 2 * 86_400.0  # at tables with days per move
QUIET = 30.0  # seconds before a declined proposal may be repeated
MOST_ASKED = 30  # per person and game


class Proposal(msgspec.Struct, frozen=True):
    """A proposal. `after`: the last event before it."""

    number: int
    what: Proposed
    seat: int
    after: int
    until: float  # server uptime
    agreed: tuple[int, ...]


class ProposalState(msgspec.Struct, frozen=True):
    """All proposal state of a table. Immutable: a new state takes effect once it is stored."""

    open: Proposal | None = None
    asked: dict[int, int] = {}  # by seat: number of proposals
    declined: dict[str, float] = {}  # by kind and seat: not to be repeated until then
    last: int = 0  # number of the last proposal

    def at(self, now: float, moved: int) -> Proposal | None:
        """The open proposal, if it has not lapsed. `moved`: the last event that was a person's
        move.
        """
        return (
            self.open if self.open and now < self.open.until and moved <= self.open.after else None
        )

    def ask(
        self, what: Proposed, seat: int, after: int, now: float, patience: float
    ) -> "ProposalState":
        """Make a proposal; the caller knows that none is open."""
        if self.asked.get(seat, 0) >= MOST_ASKED:
            raise RequestRefused("asked_enough", 429, most=MOST_ASKED)
        if now < self.declined.get(f"{what} {seat}", 0.0):
            raise RequestRefused("asked_before", 429)
        proposal = Proposal(self.last + 1, what, seat, after, now + patience, (seat,))
        asked = self.asked | {seat: self.asked.get(seat, 0) + 1}
        return ProposalState(
            proposal,
            asked,
            {key: until for key, until in self.declined.items() if until > now},
            self.last + 1,
        )

    def agree(self, seat: int) -> "ProposalState":
        assert self.open is not None
        agreed = tuple(dict.fromkeys([*self.open.agreed, seat]))
        return msgspec.structs.replace(self, open=msgspec.structs.replace(self.open, agreed=agreed))

    def decline(self, seat: int, now: float) -> "ProposalState":
        """Decline. Withdrawing an own proposal costs no waiting time."""
        assert self.open is not None
        key = f"{self.open.what} {self.open.seat}"
        declined = self.declined if seat == self.open.seat else self.declined | {key: now + QUIET}
        return msgspec.structs.replace(self, open=None, declined=declined)

    def settled(self) -> "ProposalState":
        """Close the proposal, which is carried out."""
        return msgspec.structs.replace(self, open=None)


def is_agreed(proposal: Proposal, voters: Sequence[int]) -> bool:
    """Whether every voter has agreed."""
    return set(voters) <= set(proposal.agreed)
