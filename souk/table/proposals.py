"""What one person at a table asks of the others, and who has agreed: to take a move back, to end the game as it stands, to pause it. One thing at a
time; it is so once all have agreed, and no longer asked once one of them declines, moves on, or has let too much time pass.

It knows no table: who has a voice is told to it as the seats of the persons, one for each."""

from collections.abc import Sequence

import msgspec

from souk.table.protocol import Proposed
from souk.table.refusals import Refuse

PATIENCE = 60.0  # seconds of the house until something asked is no longer asked
PATIENCE_OF_DAYS = 2 * 86_400.0  # at a table where moves have days
QUIET = 30.0  # seconds for which who was declined may not ask the same again
MOST_ASKED = 30  # by one person in one game


class Proposal(msgspec.Struct, frozen=True):
    """Something that is asked. `after`: the last event before it."""

    number: int
    what: Proposed
    seat: int
    after: int
    until: float  # of the house's time
    agreed: tuple[int, ...]


class Asking(msgspec.Struct, frozen=True):
    """All that is to be known of what is asked at a table. It is never changed: another one takes its place once that is kept."""

    open: Proposal | None = None
    asked: dict[int, int] = {}  # by seat: how often
    declined: dict[str, float] = {}  # by what and seat: until when it may not be asked again
    last: int = 0  # number

    def at(self, now: float, moved: int) -> Proposal | None:
        """What is asked now. `moved`: the last event that was a person's own move."""
        return self.open if self.open and now < self.open.until and moved <= self.open.after else None

    def ask(self, what: Proposed, seat: int, after: int, now: float, patience: float) -> "Asking":
        """Ask for something; the caller knows that nothing else is asked."""
        if self.asked.get(seat, 0) >= MOST_ASKED:
            raise Refuse("asked_enough", 429, most=MOST_ASKED)
        if now < self.declined.get(f"{what} {seat}", 0.0):
            raise Refuse("asked_before", 429)
        found = Proposal(self.last + 1, what, seat, after, now + patience, (seat,))
        asked = self.asked | {seat: self.asked.get(seat, 0) + 1}
        return Asking(found, asked, {key: until for key, until in self.declined.items() if until > now}, self.last + 1)

    def agree(self, seat: int) -> "Asking":
        assert self.open is not None
        agreed = tuple(dict.fromkeys([*self.open.agreed, seat]))
        return msgspec.structs.replace(self, open=msgspec.structs.replace(self.open, agreed=agreed))

    def decline(self, seat: int, now: float) -> "Asking":
        """No; whoever has asked may also withdraw it, which is held against nobody."""
        assert self.open is not None
        key = f"{self.open.what} {self.open.seat}"
        declined = self.declined if seat == self.open.seat else self.declined | {key: now + QUIET}
        return msgspec.structs.replace(self, open=None, declined=declined)

    def settled(self) -> "Asking":
        """It is carried out."""
        return msgspec.structs.replace(self, open=None)


def is_agreed(proposal: Proposal, voices: Sequence[int]) -> bool:
    """Whether all who have a voice have agreed."""
    return set(voices) <= set(proposal.agreed)


def majority(votes: dict[int, str], voices: Sequence[int]) -> str:
    """What more than half of those who have a voice want; "" where that is nothing yet."""
    wanted = [votes[seat] for seat in voices if seat in votes]
    return next((each for each in dict.fromkeys(wanted) if 2 * wanted.count(each) > len(voices)), "")
