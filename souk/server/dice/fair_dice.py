"""Provably fair dice: all outcomes follow from a seed that nobody could choose.

The seed is made of a share of the server, whose digest was shown before the game, and a share of
every person's browser (`docs/play/fair-dice.md`). Outcome k of a game, from 0, is drawn with
HMAC-SHA256(seed, k), with k in decimal digits: as an integer, scaled down to the sum of the weights
of the possible outcomes in the order of the rules.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import NamedTuple

from souk.core.record import MISSING, DiceShares, Record

PROTOCOL = "souk dice 2"  # in version 1 the server alone drew the seed
_BITS = 256


def new_share() -> bytes:
    """An unguessable share."""
    return secrets.token_bytes(_BITS // 8)


def digest_of(share: bytes) -> str:
    """The commitment to a share."""
    return hashlib.sha256(share).hexdigest()


def seed_of(table: str, server: bytes, persons: Iterable[tuple[int, bytes | None]]) -> bytes:
    """Combine the server's share and those of persons by seat; None for a missing one."""
    lines = [PROTOCOL, f"table {table}", f"server {server.hex()}"]
    lines += [f"seat {seat} {share.hex() if share else MISSING}" for seat, share in persons]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def number_of(seed: bytes, drawn: int, stop: int) -> int:
    """Outcome number `drawn`, an integer with 0 <= n < `stop`."""
    # `hmac.digest` would release the global lock, and getting it back takes far longer.
    digest = hmac.new(seed, str(drawn).encode(), "sha256").digest()
    return int.from_bytes(digest, "big") * stop >> _BITS


class FairDice:
    """The dice and cards of a game. `drawn`: the number of outcomes so far."""

    __slots__ = ("drawn", "seed")

    def __init__(self, seed: bytes, drawn: int = 0) -> None:
        self.seed, self.drawn = seed, drawn

    def randrange(self, stop: int) -> int:
        """The next integer with 0 <= n < `stop`."""
        self.drawn += 1
        return number_of(self.seed, self.drawn - 1, stop)


# ---------------------------------------------------------------- verifying


class Verdict(NamedTuple):
    """The result of a verification; `fair` is None if nothing can be said yet."""

    fair: bool | None
    lines: list[str]  # in plain words


def verify(record: Record, digest: str = "", share: str = "") -> Verdict:
    """Recompute the seed and all outcomes of a game, and compare.

    Args:
        digest: shown before the game.
        share: of the user's browser.
    """
    if record.dice is None or not record.dice[0]:
        return Verdict(
            None, ["This record has no digest of a seed: its dice were not drawn at a table."]
        )
    promised, seed = record.dice
    if digest and digest.lower() != promised:
        return Verdict(
            False, [f"Before the game another digest was shown: this file has {promised}."]
        )
    if record.shares and not record.shares.begun:
        return Verdict(
            None,
            [
                "The game had not begun when it was saved. "
                "Only the digest of the server's share is known:",
                promised,
            ],
        )
    if not seed:
        return Verdict(
            None,
            [
                "The game was not over when it was saved, so the seed is still secret. "
                "Only its digest is known:",
                promised,
            ],
        )
    wrong = (
        _wrong_shares(record.shares, promised, seed)
        if record.shares
        else _wrong_seed(promised, seed)
    )
    wrong = wrong or _missing_share(record.shares, share) or _differing(record, bytes.fromhex(seed))
    if wrong:
        return Verdict(False, wrong)
    return Verdict(
        True, [_fair_line(record), *_about_shares(record), *_unchecked(record, digest, share)]
    )


def _wrong_seed(promised: str, seed: str) -> list[str]:
    fits = digest_of(bytes.fromhex(seed)) == promised
    return [] if fits else ["The seed does not belong to the digest that was shown at the start."]


def _wrong_shares(shares: DiceShares, promised: str, seed: str) -> list[str]:
    """Errors in the shares that a seed is said to be made of."""
    if not shares.server or digest_of(bytes.fromhex(shares.server)) != promised:
        return ["The server's share does not belong to the digest that was shown at the start."]
    told = [
        (person.seat, bytes.fromhex(person.share) if _is_present(person.share) else None)
        for person in shares.persons
    ]
    wrong = [
        f"The share of seat {person.seat} does not belong to its commitment."
        for person, (_, share) in zip(shares.persons, told, strict=True)
        if share and digest_of(share) != person.commitment
    ]
    if not wrong and seed_of(shares.table, bytes.fromhex(shares.server), told).hex() != seed:
        return ["The seed is not the one that the shares give."]
    return wrong


def _missing_share(shares: DiceShares | None, share: str) -> list[str]:
    if not share or (shares and share.lower() in [person.share for person in shares.persons]):
        return []
    return ["Your share is not in this game's seed."]


def _differing(record: Record, seed: bytes) -> list[str]:
    """Outcomes that differ from those of the seed, a line each."""
    lines, dice = [], FairDice(seed)
    for number, (position, (seat, text)) in enumerate(
        zip(record.positions(), record.events, strict=False), 1
    ):
        if seat is None and (fair := position.draw(dice)) != text:
            lines.append(f"Event {number}: the record says {text}, the seed gives {fair}.")
    return lines


def _is_present(share: str) -> bool:
    return share not in ("", MISSING)


def _fair_line(record: Record) -> str:
    drawn = sum(seat is None for seat, _ in record.events)
    if record.shares is None:
        return f"The seed belongs to the digest, and all {drawn} outcomes follow from it."
    return (
        "The shares belong to their digests and make the seed, "
        f"and all {drawn} outcomes follow from it."
    )


def _about_shares(record: Record) -> list[str]:
    """Who has influenced the seed."""
    if record.shares is None:
        return ["The server alone drew this seed: it could have chosen it."]
    who = [f"{name} (seat {seat})" for seat, name in enumerate(record.names)]
    who = who or [f"seat {seat}" for seat in range(record.start.players)]
    missing = [person.seat for person in record.shares.persons if not _is_present(person.share)]
    lines = [f"The share of {who[seat]} is missing: it was never told." for seat in missing]
    if len(missing) == len(record.shares.persons):
        lines.append(
            "Nobody's share but the server's is in the seed: the server could have chosen it."
        )
    return lines


def _unchecked(record: Record, digest: str, share: str) -> list[str]:
    lines = (
        ["Not proved: what led to the position from which this game was played."]
        if record.begins_elsewhere
        else []
    )
    if not digest:
        lines.append(
            "Not checked: whether this is the digest that was shown before the game (--digest)."
        )
    if not share and record.shares and record.shares.persons:
        lines.append("Not checked: whether your own share is among them (--share).")
    return lines
