"""Dice that can be proved fair: all that comes up follows from a seed that nobody could choose.

The seed is made of a share of the server, whose digest was shown before the game, and of a share of every person's browser
(`docs/fair-dice.md`). Outcome number k of a game (from 0) is drawn with HMAC-SHA256(seed, k), k in decimal digits: read as a whole number
it is scaled down to the sum of the weights of what may come up, in the order in which the rules list it.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import NamedTuple

from souk.core.record import MISSING, DiceShares, Record

PROTOCOL = "souk dice 2"  # how a seed is made of shares; before this the server alone drew it
_BITS = 256


def new_share() -> bytes:
    """Something that nobody can guess."""
    return secrets.token_bytes(_BITS // 8)


def digest_of(share: bytes) -> str:
    """What is shown of a share before the game: whoever gave it can no longer choose another."""
    return hashlib.sha256(share).hexdigest()


def seed_of(table: str, server: bytes, persons: Iterable[tuple[int, bytes | None]]) -> bytes:
    """The seed of a table's game: of the server's share, and of each person's by seat, in order, None where one is missing."""
    lines = [PROTOCOL, f"table {table}", f"server {server.hex()}"]
    lines += [f"seat {seat} {share.hex() if share else MISSING}" for seat, share in persons]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def number_of(seed: bytes, drawn: int, stop: int) -> int:
    """Outcome number `drawn`, as a whole number from 0 up to `stop`."""
    # Not by `hmac.digest`, which lets other threads have their turn: it takes far longer to come to one's own again.
    return int.from_bytes(hmac.new(seed, str(drawn).encode(), "sha256").digest(), "big") * stop >> _BITS


class FairDice:
    """The dice and cards of one game. `drawn`: how much has come up before."""

    __slots__ = ("drawn", "seed")

    def __init__(self, seed: bytes, drawn: int = 0) -> None:
        self.seed, self.drawn = seed, drawn

    def randrange(self, stop: int) -> int:
        """The next number, from 0 up to `stop`."""
        self.drawn += 1
        return number_of(self.seed, self.drawn - 1, stop)


# ---------------------------------------------------------------- verifying


class Verdict(NamedTuple):
    """What came of checking a game: `fair` is None where nothing can be said yet."""

    fair: bool | None
    lines: list[str]  # in plain words


def verify(record: Record, digest: str = "", share: str = "") -> Verdict:
    """Make the seed of a game again, draw everything from it that came up, and compare. `digest` is what was shown before the game, and
    `share` what one's own browser gave; where they are not known, that is said."""
    if record.dice is None or not record.dice[0]:
        return Verdict(None, ["This record has no digest of a seed: its dice were not drawn at a table."])
    promised, seed = record.dice
    if digest and digest.lower() != promised:
        return Verdict(False, [f"Before the game another digest was shown: this file has {promised}."])
    if record.shares and not record.shares.begun:
        return Verdict(
            None,
            ["The game had not begun when it was saved. Only the digest of the server's share is known:", promised],
        )
    if not seed:
        return Verdict(
            None,
            [
                "The game was not over when it was saved, so the seed is still secret. Only its digest is known:",
                promised,
            ],
        )
    wrong = _wrong_shares(record.shares, promised, seed) if record.shares else _wrong_seed(promised, seed)
    wrong = wrong or _not_in(record.shares, share) or _differing(record, bytes.fromhex(seed))
    if wrong:
        return Verdict(False, wrong)
    return Verdict(True, [_found_fair(record), *_about_shares(record), *_unchecked(record, digest, share)])


def _wrong_seed(promised: str, seed: str) -> list[str]:
    fits = digest_of(bytes.fromhex(seed)) == promised
    return [] if fits else ["The seed does not belong to the digest that was shown at the start."]


def _wrong_shares(shares: DiceShares, promised: str, seed: str) -> list[str]:
    """What is wrong about what a seed is said to be made of."""
    if not shares.server or digest_of(bytes.fromhex(shares.server)) != promised:
        return ["The server's share does not belong to the digest that was shown at the start."]
    told = [
        (person.seat, bytes.fromhex(person.share) if _is_there(person.share) else None) for person in shares.persons
    ]
    wrong = [
        f"The share of seat {person.seat} does not belong to its commitment."
        for person, (_, share) in zip(shares.persons, told, strict=True)
        if share and digest_of(share) != person.commitment
    ]
    if not wrong and seed_of(shares.table, bytes.fromhex(shares.server), told).hex() != seed:
        return ["The seed is not the one that the shares give."]
    return wrong


def _not_in(shares: DiceShares | None, share: str) -> list[str]:
    if not share or (shares and share.lower() in [person.share for person in shares.persons]):
        return []
    return ["Your share is not in this game's seed."]


def _differing(record: Record, seed: bytes) -> list[str]:
    """What came up otherwise than the seed has it, a line for each."""
    lines, dice = [], FairDice(seed)
    for number, (position, (seat, text)) in enumerate(zip(record.positions(), record.events, strict=False), 1):
        if seat is None and (fair := position.draw(dice)) != text:
            lines.append(f"Event {number}: the record says {text}, the seed gives {fair}.")
    return lines


def _is_there(share: str) -> bool:
    return share not in ("", MISSING)


def _found_fair(record: Record) -> str:
    drawn = sum(seat is None for seat, _ in record.events)
    if record.shares is None:
        return f"The seed belongs to the digest, and all {drawn} outcomes follow from it."
    return f"The shares belong to their digests and make the seed, and all {drawn} outcomes follow from it."


def _about_shares(record: Record) -> list[str]:
    """Who had a say in the seed."""
    if record.shares is None:
        return ["The server alone drew this seed: it could have chosen it."]
    names = dict(enumerate(record.names))
    missing = [person.seat for person in record.shares.persons if not _is_there(person.share)]
    lines = [f"The share of {names.get(seat, 'seat')} (seat {seat}) is missing: it was never told." for seat in missing]
    if len(missing) == len(record.shares.persons):
        lines.append("Nobody's share but the server's is in the seed: the server could have chosen it.")
    return lines


def _unchecked(record: Record, digest: str, share: str) -> list[str]:
    lines = ["Not proved: what led to the position from which this game was played."] if record.begins_elsewhere else []
    if not digest:
        lines.append("Not checked: whether this is the digest that was shown before the game (--digest).")
    if not share and record.shares and record.shares.persons:
        lines.append("Not checked: whether your own share is among them (--share).")
    return lines
