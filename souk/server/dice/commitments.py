"""The commit-reveal protocol that makes the seed of a table's dice (`docs/play/fair-dice.md`).

The seed consists of a share of the server and one of each person's browser. The protocol is an
append-only list of steps, each stored before it counts:

* `made`: the table exists with the server's share, whose digest everybody may see.
* `awaits`: a commitment is expected of a person who is still to come (at a rematch).
* `commits`: a browser has sent its commitment, the digest of its share. It cannot be changed.
* `withdraws`: a person has left before the game; their commitment no longer counts.
* `closes`: everybody is there. No more commitments; the shares are revealed in their order.
* `opens`, `leaves`: a share was revealed, or left out as it was not revealed in time.
* `begins`: the seed is complete, and the game begins.

In a lesson everything that comes up is scripted: `known`, with the digest of the lesson, replaces
`made`, and nothing is promised. A table without steps is an old one, whose seed the server alone
drew.
"""

from collections.abc import Iterable, Sequence

from souk.core.record import MISSING, DiceShares, PersonsShare
from souk.server.dice.fair_dice import PROTOCOL, digest_of, seed_of
from souk.server.protocol.table import NOBODY, DicePromise, ShareNow
from souk.server.storage.rows import DiceStep


def first_steps(commitments: Iterable[tuple[int, str]]) -> list[DiceStep]:
    """The steps of a new table, from commitments by seat; "" is one that is still to come."""
    given = [("commits" if value else "awaits", seat, value) for seat, value in commitments]
    return [
        DiceStep(number, *step) for number, step in enumerate([("made", NOBODY, PROTOCOL), *given])
    ]


def lesson_steps(lesson: str) -> list[DiceStep]:
    """The steps of a table with the lesson of this digest."""
    kinds = [("known", lesson), ("closes", ""), ("begins", "")]
    return [DiceStep(number, kind, NOBODY, value) for number, (kind, value) in enumerate(kinds)]


class SeedShares:
    """The shares of a table after its steps so far."""

    __slots__ = (
        "_commitments",
        "_own",
        "_shares",
        "_table",
        "begun",
        "closed",
        "digest",
        "lesson",
        "steps",
    )

    def __init__(self, table: str, own: bytes, steps: Sequence[DiceStep] = ()) -> None:
        self._table, self._own, self.digest = table, own, digest_of(own)
        self.lesson = ""  # its digest, at the table of a lesson
        self.reset(steps)

    def reset(self, steps: Sequence[DiceStep]) -> None:
        """Start again from a list of steps."""
        # By seat, in the order of revealing; "" if it is still to come.
        self._commitments: dict[int, str] = {}
        # Revealed shares by seat; None if left out.
        self._shares: dict[int, bytes | None] = {}
        self.closed = self.begun = not steps
        self.steps: list[DiceStep] = []
        for step in steps:
            self.take(step)

    def take(self, step: DiceStep) -> None:
        """Apply a stored step."""
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
        """The next steps, to be stored."""
        return [DiceStep(len(self.steps) + number, *step) for number, step in enumerate(steps)]

    # ------------------------------------------------------------ state

    @property
    def seats(self) -> list[int]:
        """The seats with a share, in order."""
        return list(self._commitments)

    @property
    def turn(self) -> int:
        """The seat whose share is to be revealed now, or NOBODY."""
        return next(filter(self.is_due, self._commitments), NOBODY)

    def awaits(self, seat: int) -> bool:
        """Whether a commitment of this seat is still to come."""
        return not self.closed and self._commitments.get(seat) == ""

    def commitment(self, seat: int) -> str:
        return self._commitments.get(seat, "")

    def is_open(self, seat: int, share: str) -> bool:
        """Whether exactly this share of a seat was revealed."""
        revealed = self._shares.get(seat)
        return revealed is not None and revealed.hex() == share

    def is_due(self, seat: int) -> bool:
        """Whether the share of this seat is still to be revealed."""
        return (
            self.closed
            and not self.begun
            and seat in self._commitments
            and seat not in self._shares
        )

    def is_left_out(self, seat: int) -> bool:
        return seat in self._shares and self._shares[seat] is None

    def seed(self) -> bytes:
        """The seed of the game, which determines all dice: keep it secret."""
        if not self.steps:
            return self._own
        return seed_of(
            self._table, self._own, [(seat, self._shares.get(seat)) for seat in self._commitments]
        )

    # ------------------------------------------------------------ publication

    def promise(self, over: bool) -> DicePromise:
        """What pages may know: shares and seed only when the game is over."""
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
        shares = [self._share_now(seat, over) for seat in self._commitments]
        persons = [
            PersonsShare(share.seat, share.commitment, MISSING if share.missing else share.share)
            for share in shares
            if share.commitment
        ]
        return DiceShares(self._table, tuple(persons), self._own.hex() if over else "", self.begun)
