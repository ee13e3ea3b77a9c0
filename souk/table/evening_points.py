"""What tables of an evening are worth, and how all stand by them. Pure; docs/events.md says the same in words.

A table gives everybody as many points as the part of the others that they have beaten: 1 to whoever beats all, 0 to whoever beats nobody, and a half
for each with whom they are level. So a point is worth the same at a table of two and of six, and the mean of every table is a half; so much a bye is
worth too.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from souk.table.evening_rows import EveningRow, Ranking, SittingRow

BYE = Fraction(1, 2)


class Stand(NamedTuple):
    """How somebody stands. `share`: of the scores at their tables, where 1 is everybody's mean."""

    number: int
    place: int
    points: Fraction
    share: Fraction
    tables: int
    byes: int
    round: int  # the last in which they were
    out: bool  # knock-out: they go on no longer


class _Sum:
    """What somebody has come to, round by round."""

    def __init__(self) -> None:
        self.points: dict[int, Fraction] = {}
        self.shares: dict[int, Fraction] = {}
        self.byes = 0
        self.drawn = 0  # the last round in which they were

    @property
    def all_points(self) -> Fraction:
        return sum(self.points.values(), Fraction())

    @property
    def share(self) -> Fraction:
        return sum(self.shares.values(), Fraction()) / len(self.shares) if self.shares else Fraction()

    def last(self, values: dict[int, Fraction]) -> Fraction:
        return values.get(self.drawn, Fraction())


# ---------------------------------------------------------------- a table


def ranks(scores: Sequence[int], winners: Collection[int] = (), last: Collection[int] = ()) -> list[int]:
    """By seat, from 1: winners first, then by score; equals share the better rank. Those who are `last` come after all others."""
    keys = [(seat in last, seat not in winners, -score) for seat, score in enumerate(scores)]
    return [1 + sum(other < key for other in keys) for key in keys]


def points(verdict: Ranking) -> list[Fraction]:
    """By seat: the part of the others that each has beaten, a half for those they are level with."""
    if verdict.outcome == "bye":
        return [BYE]
    found, others = verdict.ranks, len(verdict.ranks) - 1
    return [Fraction(2 * sum(rank < each for each in found) + found.count(rank) - 1, 2 * others) for rank in found]


def shares(verdict: Ranking) -> list[Fraction]:
    """By seat: what part of all scores of the table each has, times the number of seats. Less than nothing counts as nothing."""
    counted = [max(0, score) for score in verdict.scores]
    total, count = sum(counted), len(counted)
    return [Fraction(each * count, total) if total else Fraction(1) for each in counted]


def lot(seed: bytes, turn: int, number: int) -> bytes:
    """What decides where nothing else does: drawn from the evening's seed, for each round anew."""
    return hashlib.sha256(seed + f" {turn} {number}".encode()).digest()


# ---------------------------------------------------------------- the evening


def standings(evening: EveningRow) -> list[Stand]:
    """All who have taken part or will, the best first. By points, then by share, then by lot. In a knock-out by how far they came, then by what
    they did there, then by what they had done before, then by lot."""
    sums = _sums(evening.sittings)
    numbers = [each.number for each in evening.entrants if each.until != 0]
    knocked = knocked_out(evening) if evening.terms.form == "knock_out" else frozenset()
    keys = {number: _key(evening, sums[number], number in knocked) for number in numbers}
    order = sorted(numbers, key=lambda each: (keys[each], lot(evening.seed, evening.round, each)))
    found = []
    for number in order:
        own = sums[number]
        place = 1 + sum(keys[other] < keys[number] for other in order)
        found.append(
            Stand(number, place, own.all_points, own.share, len(own.shares), own.byes, own.drawn, number in knocked)
        )
    return _apart(evening, found)


def _apart(evening: EveningRow, found: list[Stand]) -> list[Stand]:
    """When a knock-out is over nobody shares a place with whoever went on in their stead: there the lot counts."""
    if evening.terms.form != "knock_out":
        return found
    return [
        stand._replace(place=place) if stand.tables or stand.byes else stand for place, stand in enumerate(found, 1)
    ]


def _key(evening: EveningRow, own: _Sum, is_out: bool) -> tuple[Fraction | int, ...]:
    if evening.terms.form != "knock_out":
        return -own.all_points, -own.share
    before = own.all_points - own.last(own.points)
    return -own.drawn, is_out, -own.last(own.points), -own.last(own.shares), -before


def _sums(sittings: Iterable[SittingRow]) -> defaultdict[int, _Sum]:
    found: defaultdict[int, _Sum] = defaultdict(_Sum)
    for sitting in sittings:
        for number in sitting.seats:
            found[number].drawn = max(found[number].drawn, sitting.round)
        if sitting.verdict is None:
            continue
        for number, worth in zip(sitting.seats, points(sitting.verdict), strict=True):
            found[number].points[sitting.round] = worth
            found[number].byes += sitting.verdict.outcome == "bye"
        if sitting.verdict.outcome != "bye":
            for number, share in zip(sitting.seats, shares(sitting.verdict), strict=True):
                found[number].shares[sitting.round] = share
    return found


# ---------------------------------------------------------------- knock-out


def going_on(evening: EveningRow, sitting: SittingRow) -> list[int]:
    """Who goes on from a table of a knock-out, the best first: so many as the evening has it, but never all; of those who still take part. Level,
    the larger share of the scores decides, then what they did in earlier rounds, then the lot."""
    if sitting.verdict is None:
        return []
    earlier = _sums(each for each in evening.sittings if each.round < sitting.round)
    parts = shares(sitting.verdict) if sitting.verdict.outcome != "bye" else [Fraction(1)]
    keys = {
        number: (
            sitting.verdict.ranks[seat],
            -parts[seat],
            -earlier[number].all_points,
            lot(evening.seed, sitting.round, number),
        )
        for seat, number in enumerate(sitting.seats)
    }
    staying = {each.number for each in evening.entrants if each.plays_in(sitting.round + 1)}
    able = sorted((number for number in sitting.seats if number in staying), key=lambda each: keys[each])
    most = len(sitting.seats) if len(sitting.seats) == 1 else min(evening.terms.advance, len(sitting.seats) - 1)
    return able[:most]


def is_final(evening: EveningRow, turn: int) -> bool:
    """Whether a round had one table and nobody sat out: then there is nobody left to meet."""
    return len(evening.of_round(turn)) == 1


def knocked_out(evening: EveningRow) -> frozenset[int]:
    """Who goes on no longer, by what is known of all rounds."""
    found: set[int] = set()
    for sitting in evening.sittings:
        if sitting.verdict and not is_final(evening, sitting.round):
            found |= set(sitting.seats) - set(going_on(evening, sitting))
    return frozenset(found)
