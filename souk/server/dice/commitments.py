"""What a table's dice are made of: the server's share, and those of the persons' browsers. `docs/fair-dice.md` tells how and why.

All of it is a list of steps that is only ever added to, each kept before it counts:

* `made`: the table is there, and with it the server's share, whose digest everybody may see.
* `awaits`: a person who is known to have a browser of ours, and is still to come (at a rematch).
* `commits`: a person's browser has told the digest of its share: its commitment. It cannot be changed.
* `withdraws`: a person has left before that; their commitment counts no longer.
* `closes`: everybody is there. No commitment is added any more; now the shares are opened, one after the other, in the order of the commitments.
* `opens`, `leaves`: a share was told, or was not told in time and is left out.
* `begins`: the seed is made, and the game begins.

In a lesson the dice are nobody's: the steps begin with `known` in the place of `made`, with the digest of the lesson where all that comes up is written
down. Nothing is promised of them.

A table without steps is one of earlier times, whose seed the server alone drew.
"""

from collections.abc import Iterable, Sequence

from souk.core.record import MISSING, DiceShares, PersonsShare
from souk.table.fairness import PROTOCOL, digest_of, seed_of
from souk.table.protocol import NOBODY, DicePromise, ShareNow
from souk.table.store import DiceStep


def first_steps(commitments: Iterable[tuple[int, str]]) -> list[DiceStep]:
    """Of a new table: who has a share in it, by seat in order; a commitment that is still to come is ""."""
    given = [("commits" if value else "awaits", seat, value) for seat, value in commitments]
    return [DiceStep(number, *step) for number, step in enumerate([("made", NOBODY, PROTOCOL), *given])]


def known_steps(lesson: str) -> list[DiceStep]:
    """Of a table where a lesson with this digest is gone through."""
    kinds = [("known", lesson), ("closes", ""), ("begins", "")]
    return [DiceStep(number, kind, NOBODY, value) for number, (kind, value) in enumerate(kinds)]


class Shares:
    """The shares of one table, as far as its steps have come."""

    __slots__ = ("_commitments", "_own", "_shares", "_table", "begun", "closed", "digest", "lesson", "steps")

    def __init__(self, table: str, own: bytes, steps: Sequence[DiceStep] = ()) -> None:
        self._table, self._own, self.digest = table, own, digest_of(own)
        self.lesson = ""  # the digest of that which is gone through here
        self.take_again(steps)

    def take_again(self, steps: Sequence[DiceStep]) -> None:
        """All the steps there are."""
        self._commitments: dict[
            int, str
        ] = {}  # by seat, in the order in which they are opened; "" where one is still to come
        self._shares: dict[int, bytes | None] = {}  # those opened; None for one that was left out
        self.closed = self.begun = not steps
        self.steps: list[DiceStep] = []
        for step in steps:
            self.take(step)

    def take(self, step: DiceStep) -> None:
        """A step that is kept."""
        self.steps.append(step)
        if step.kind in ("awaits", "commits"):
            self._commitments[step.seat] = step.value
        elif step.kind == "withdraws":
            self._commitments.pop(step.seat, None)
        elif step.kind == "known":
            self.lesson, self.digest = step.value, ""
        elif step.kind == "closes":
            self.closed = True
            self._commitments = {seat: value for seat, value in self._commitments.items() if value}
        elif step.kind == "opens":
            self._shares[step.seat] = bytes.fromhex(step.value)
        elif step.kind == "leaves":
            self._shares[step.seat] = None
        elif step.kind == "begins":
            self.begun = True

    def next(self, *steps: tuple[str, int, str]) -> list[DiceStep]:
        """Steps that would follow, to be kept."""
        return [DiceStep(len(self.steps) + number, *step) for number, step in enumerate(steps)]

    # ------------------------------------------------------------ what is so

    @property
    def seats(self) -> list[int]:
        """Who has a share, in order."""
        return list(self._commitments)

    @property
    def turn(self) -> int:
        """Whose share is to be opened now, or NOBODY."""
        return next(filter(self.is_due, self._commitments), NOBODY)

    def awaits(self, seat: int) -> bool:
        """Whether a seat's commitment is still to come."""
        return not self.closed and self._commitments.get(seat) == ""

    def commitment(self, seat: int) -> str:
        return self._commitments.get(seat, "")

    def is_open(self, seat: int, share: str) -> bool:
        """Whether this share of a seat has been opened already."""
        known = self._shares.get(seat)
        return known is not None and known.hex() == share

    def is_due(self, seat: int) -> bool:
        """Whether a seat's share is still to be opened, now or in its turn."""
        return self.closed and not self.begun and seat in self._commitments and seat not in self._shares

    def is_left_out(self, seat: int) -> bool:
        return seat in self._shares and self._shares[seat] is None

    def seed(self) -> bytes:
        """Of the game. Whoever knows it knows every die that will fall."""
        if not self.steps:
            return self._own
        return seed_of(self._table, self._own, [(seat, self._shares.get(seat)) for seat in self._commitments])

    # ------------------------------------------------------------ what may be known

    def promise(self, over: bool) -> DicePromise:
        """What pages are told: shares, and what was made of them, only when the game is over."""
        if self.lesson:
            return DicePromise(digest="", closed=True)
        return DicePromise(
            digest=self.digest,
            seed=self.seed().hex() if over else "",
            together=bool(self.steps),
            closed=self.closed,
            turn=self.turn,
            shares=[self._share_now(seat, over) for seat in self._commitments],
            share=self._own.hex() if over and self.steps else "",
        )

    def _share_now(self, seat: int, over: bool) -> ShareNow:
        share = self._shares.get(seat)
        return ShareNow(
            seat=seat,
            commitment=self._commitments[seat],
            opened=share is not None,
            missing=self.is_left_out(seat),
            share=share.hex() if share and over else "",
        )

    def for_record(self, over: bool) -> DiceShares | None:
        if not self.steps or self.lesson:
            return None
        told = [self._share_now(seat, over) for seat in self._commitments]
        persons = [
            PersonsShare(each.seat, each.commitment, MISSING if each.missing else each.share)
            for each in told
            if each.commitment
        ]
        return DiceShares(self._table, tuple(persons), self._own.hex() if over else "", self.begun)
