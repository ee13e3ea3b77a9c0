"""Scores tables of an event and ranks its players. Pure; docs/play/events.md explains it for
players.

A table gives each player the fraction of opponents beaten: 1 for beating all, 0 for none, and a
half for each one tied with. A point is thus worth the same at every table size, the mean at a table
is a half, and so is a bye.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from souk.server.events.storage import EventRow, EventTableRow, Ranking

BYE = Fraction(1, 2)


class Standing(NamedTuple):
    """A player's rank. `share`: mean share of the scores at their tables; 1 is average."""

    number: int
    place: int
    points: Fraction
    share: Fraction
    tables: int
    byes: int
    round: int  # last round played
    out: bool  # knocked out


class _Total:
    """A player's points and shares by round."""

    def __init__(self) -> None:
        self.points: dict[int, Fraction] = {}
        self.shares: dict[int, Fraction] = {}
        self.byes = 0
        self.last_drawn = 0  # last round drawn into

    @property
    def all_points(self) -> Fraction:
        return sum(self.points.values(), Fraction())

    @property
    def share(self) -> Fraction:
        return (
            sum(self.shares.values(), Fraction()) / len(self.shares) if self.shares else Fraction()
        )

    def last(self, values: dict[int, Fraction]) -> Fraction:
        return values.get(self.last_drawn, Fraction())


# ---------------------------------------------------------------- one table


def ranks(
    scores: Sequence[int], winners: Collection[int] = (), last: Collection[int] = ()
) -> list[int]:
    """Ranks by seat, from 1: winners first, then by score, ties sharing the better rank. `last`:
    seats ranked below all others.
    """
    keys = [(seat in last, seat not in winners, -score) for seat, score in enumerate(scores)]
    return [1 + sum(other < key for other in keys) for key in keys]


def points(result: Ranking) -> list[Fraction]:
    """Points by seat: the fraction of opponents beaten, a tie counting half."""
    if result.outcome == "bye":
        return [BYE]
    table_ranks, others = result.ranks, len(result.ranks) - 1
    return [
        Fraction(
            2 * sum(rank < other for other in table_ranks) + table_ranks.count(rank) - 1, 2 * others
        )
        for rank in table_ranks
    ]


def shares(result: Ranking) -> list[Fraction]:
    """By seat, the share of the table's total score times the number of seats. Negative scores
    count as 0.
    """
    counted = [max(0, score) for score in result.scores]
    total, count = sum(counted), len(counted)
    return [Fraction(score * count, total) if total else Fraction(1) for score in counted]


def lot(seed: bytes, round_number: int, number: int) -> bytes:
    """Tie-break drawn from the event's seed, for each round anew."""
    return hashlib.sha256(seed + f" {round_number} {number}".encode()).digest()


# ---------------------------------------------------------------- the event


def standings(event: EventRow) -> list[Standing]:
    """All players, best first: by points, then share, then lot.

    In a knock-out: by last round, whether still in, points and share of that round, earlier points,
    lot.
    """
    sums = _sums(event.tables)
    numbers = [number.number for number in event.entrants if number.until != 0]
    knocked = knocked_out(event) if event.terms.form == "knock_out" else frozenset()
    keys = {number: _key(event, sums[number], number in knocked) for number in numbers}
    order = sorted(numbers, key=lambda number: (keys[number], lot(event.seed, event.round, number)))
    rows = []
    for number in order:
        total = sums[number]
        place = 1 + sum(keys[other] < keys[number] for other in order)
        rows.append(
            Standing(
                number,
                place,
                total.all_points,
                total.share,
                len(total.shares),
                total.byes,
                total.last_drawn,
                number in knocked,
            )
        )
    return _with_unique_places(event, rows)


def _with_unique_places(event: EventRow, rows: list[Standing]) -> list[Standing]:
    """In a knock-out no place is shared: the lot decides."""
    if event.terms.form != "knock_out":
        return rows
    return [
        standing._replace(place=place) if standing.tables or standing.byes else standing
        for place, standing in enumerate(rows, 1)
    ]


def _key(event: EventRow, total: _Total, is_out: bool) -> tuple[Fraction | int, ...]:
    if event.terms.form != "knock_out":
        return -total.all_points, -total.share
    before = total.all_points - total.last(total.points)
    return -total.last_drawn, is_out, -total.last(total.points), -total.last(total.shares), -before


def _sums(tables: Iterable[EventTableRow]) -> defaultdict[int, _Total]:
    totals: defaultdict[int, _Total] = defaultdict(_Total)
    for event_table in tables:
        for number in event_table.seats:
            totals[number].last_drawn = max(totals[number].last_drawn, event_table.round)
        if event_table.result is None:
            continue
        for number, gained in zip(event_table.seats, points(event_table.result), strict=True):
            totals[number].points[event_table.round] = gained
            totals[number].byes += event_table.result.outcome == "bye"
        if event_table.result.outcome != "bye":
            for number, share in zip(event_table.seats, shares(event_table.result), strict=True):
                totals[number].shares[event_table.round] = share
    return totals


# ---------------------------------------------------------------- knock-out


def advancing(event: EventRow, event_table: EventTableRow) -> list[int]:
    """Players advancing from a knock-out table, best first.

    As many as the event allows, but never all, and only players still taking part. Ties are broken
    by share of the scores, then earlier points, then lot.
    """
    if event_table.result is None:
        return []
    earlier = _sums(each for each in event.tables if each.round < event_table.round)
    parts = shares(event_table.result) if event_table.result.outcome != "bye" else [Fraction(1)]
    keys = {
        number: (
            event_table.result.ranks[seat],
            -parts[seat],
            -earlier[number].all_points,
            lot(event.seed, event_table.round, number),
        )
        for seat, number in enumerate(event_table.seats)
    }
    still_in = {each.number for each in event.entrants if each.plays_in(event_table.round + 1)}
    candidates = sorted(
        (number for number in event_table.seats if number in still_in), key=lambda each: keys[each]
    )
    limit = (
        len(event_table.seats)
        if len(event_table.seats) == 1
        else min(event.terms.advance, len(event_table.seats) - 1)
    )
    return candidates[:limit]


def is_final(event: EventRow, round_number: int) -> bool:
    """Whether a round consisted of one table, without byes."""
    return len(event.of_round(round_number)) == 1


def knocked_out(event: EventRow) -> frozenset[int]:
    """Players knocked out by the results known so far."""
    numbers: set[int] = set()
    for event_table in event.tables:
        if event_table.result and not is_final(event, event_table.round):
            numbers |= set(event_table.seats) - set(advancing(event, event_table))
    return frozenset(numbers)
