"""Pairs the players of a round at tables of any size. Pure; randomness is passed in.

* Table sizes are as close as possible to the requested one; byes only if no sizes fit.
* Round robin: everybody meets everybody as evenly as possible; for pairs, the circle method.
* Swiss: players with similar points meet, and nobody twice if avoidable.
* Knock-out: those left are dealt to tables by standing, so that the best meet last.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from souk.server.protocol.events import EventForm

MAX_ROUNDS = 63  # enough for a round robin of 64 in pairs
_MIN_SWISS_ROUNDS = 3
_REPEAT_COST = 1000.0  # cost of meeting again; 1 is the cost of a difference of one point
_RESTARTS, _BUDGET = 40, 4000  # restarts of the search; its budget in restarts × players

Weight = Callable[[int, int], float]


class PairingTable(NamedTuple):
    """A table of a round: players by seat. A single player has a bye."""

    seats: tuple[int, ...]

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == 1


class PairingHistory:
    """Meetings, seats and byes of the rounds so far."""

    def __init__(self, tables: Iterable[PairingTable] = ()) -> None:
        self.met: Counter[tuple[int, int]] = Counter()
        self.sat: Counter[tuple[int, int]] = Counter()  # by player and seat
        self.byes: Counter[int] = Counter()
        self.only_pairs = True
        for table in tables:
            self.add(table)

    def add(self, table: PairingTable) -> None:
        if table.is_bye:
            self.byes[table.seats[0]] += 1
            return
        self.only_pairs = self.only_pairs and len(table.seats) == 2
        for seat, one in enumerate(table.seats):
            self.sat[one, seat] += 1
            for other in table.seats[:seat]:
                self.met[pair(one, other)] += 1


def pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


# ---------------------------------------------------------------- table sizes


def sizes(players: int, requested: int, allowed: Collection[int]) -> tuple[list[int], int]:
    """Table sizes for so many players, largest first, and the number of byes.

    As few byes as possible, then the least sum of squared differences from the requested size.
    """
    best: list[list[int] | None] = [[]]
    for number in range(1, players + 1):
        partitions = [
            [*rest, size]
            for size in allowed
            if size <= number and (rest := best[number - size]) is not None
        ]
        best.append(
            min(
                partitions,
                key=lambda partition: (
                    _squared_difference(partition, requested),
                    sorted(partition),
                ),
                default=None,
            )
        )
    for byes in range(players + 1):
        if (partition := best[players - byes]) is not None:
            return sorted(partition, reverse=True), byes
    raise AssertionError("zero players always fit")


def _squared_difference(partition: Sequence[int], requested: int) -> int:
    return sum((size - requested) ** 2 for size in partition)


def rounds_needed(form: EventForm, people: int, requested: int) -> int:
    """Default number of rounds: all could have met, or one could have beaten all."""
    if form == "round_robin":
        return min(MAX_ROUNDS, max(1, math.ceil((people - 1) / max(1, requested - 1))))
    return max(_MIN_SWISS_ROUNDS, math.ceil(math.log(max(2, people), max(2, requested)) - 1e-9) + 1)


# ---------------------------------------------------------------- a round


def round_robin(
    entered: Sequence[int],
    here: Collection[int],
    rounds_played: int,
    plan: tuple[list[int], int],
    past: PairingHistory,
    rng: Random,
) -> list[PairingTable]:
    """Pair those present. `entered`: all who began; `rounds_played`: rounds played so far."""
    tables, byes = plan
    if past.only_pairs and set(tables) <= {2}:
        return _seated(_circle(entered, here, rounds_played, past, rng), past, rng)
    out = _sit_out(_shuffled(sorted(here), rng), byes, past)
    rest = [player for player in sorted(here) if player not in out]
    met = past.met
    return _seated(
        [
            *_assign(rest, tables, lambda a, b: 4.0 ** met[pair(a, b)], rng),
            *([player] for player in out),
        ],
        past,
        rng,
    )


def swiss(
    standing: Sequence[int],
    points: Mapping[int, Fraction],
    plan: tuple[list[int], int],
    past: PairingHistory,
    rng: Random,
) -> list[PairingTable]:
    """Pair by standing, best first. The lowest sit out first, and nobody twice before all have."""
    tables, byes = plan
    out = _sit_out(list(reversed(standing)), byes, past)
    rest = [player for player in standing if player not in out]
    met, place = past.met, {player: float(points.get(player, 0)) for player in standing}

    def weight(one: int, other: int) -> float:
        return _REPEAT_COST * met[pair(one, other)] + (place[one] - place[other]) ** 2

    return _seated([*_assign(rest, tables, weight, rng), *([player] for player in out)], past, rng)


def knock_out(
    standing: Sequence[int], plan: tuple[list[int], int], past: PairingHistory, rng: Random
) -> list[PairingTable]:
    """Deal those left to tables by standing, back and forth. The best get byes, and advance."""
    tables, byes = plan
    out = _sit_out(list(standing), byes, past)
    dealt: list[list[int]] = [[] for _ in tables]
    rest = iter(player for player in standing if player not in out)
    for turn in range(max(tables, default=0)):
        order = range(len(tables)) if turn % 2 == 0 else reversed(range(len(tables)))
        for number in order:
            if turn < tables[number]:
                dealt[number].append(next(rest))
    return _seated([*dealt, *([player] for player in out)], past, rng)


def _sit_out(order: Sequence[int], byes: int, past: PairingHistory) -> list[int]:
    """Players with the fewest byes, in the given order."""
    return sorted(order, key=lambda player: past.byes[player])[:byes]


def _shuffled(people: Sequence[int], rng: Random) -> list[int]:
    return rng.sample(people, len(people))


# ---------------------------------------------------------------- circle method


def _circle(
    entered: Sequence[int],
    here: Collection[int],
    rounds_played: int,
    past: PairingHistory,
    rng: Random,
) -> list[list[int]]:
    """Pairs by the circle method: one stays, the others rotate. Players whose partner has left meet
    each other.
    """
    ring: list[int | None] = [*entered, *([None] if len(entered) % 2 else [])]
    moving, step = ring[1:], rounds_played % max(1, len(ring) - 1)
    ring = [ring[0], *moving[len(moving) - step :], *moving[: len(moving) - step]]
    pairs: list[list[int]] = []
    left: list[list[int]] = []
    for one, other in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
        present = [player for player in (one, other) if player is not None and player in here]
        (pairs if len(present) == 2 else left).append(present)
    alone = [player for present in left for player in present]
    if len(alone) < 2:
        return [*pairs, *([player] for player in alone)]
    out = _sit_out(_shuffled(alone, rng), len(alone) % 2, past)
    rest = [player for player in alone if player not in out]
    return [
        *pairs,
        *_assign(rest, [2] * (len(rest) // 2), lambda a, b: float(past.met[pair(a, b)]), rng),
        *([player] for player in out),
    ]


# ---------------------------------------------------------------- local search


def _assign(
    people: Sequence[int], tables: Sequence[int], weight: Weight, rng: Random
) -> list[list[int]]:
    """Assign players to tables with a small sum of pair weights.

    Local search by swapping two players, from several starting points; the first is the given
    order.
    """
    count = len(people)
    weights = [[0.0 if one == other else weight(one, other) for other in people] for one in people]
    at = [number for number, size in enumerate(tables) for _ in range(size)]
    best, least = list(at), math.inf
    for attempt in range(min(_RESTARTS, max(2, _BUDGET // max(1, count)))):
        candidate = list(at) if attempt == 0 else _shuffled(at, rng)
        cost = _descend(candidate, weights, len(tables))
        if cost < least - 1e-9:
            best, least = candidate, cost
    return [
        [people[player] for player in range(count) if best[player] == number]
        for number in range(len(tables))
    ]


def _descend(at: list[int], weights: list[list[float]], tables: int) -> float:
    """Swap players while that lowers the cost; returns the cost."""
    count = len(at)
    # by player and table: sum of weights to those sitting there
    links = [[0.0] * tables for _ in range(count)]
    for one in range(count):
        for other in range(count):
            links[one][at[other]] += weights[one][other]
    changed = True
    while changed:
        changed = False
        for one in range(count):
            for other in range(one):
                own_table, other_table = at[one], at[other]
                if own_table == other_table:
                    continue
                own_links, other_links = links[one], links[other]
                if (
                    own_links[other_table] + other_links[own_table] - 2 * weights[one][other]
                    < own_links[own_table] + other_links[other_table] - 1e-9
                ):
                    _swap(one, other, at, links, weights)
                    changed = True
    return sum(links[one][at[one]] for one in range(count)) / 2


def _swap(
    one: int, other: int, at: list[int], links: list[list[float]], weights: list[list[float]]
) -> None:
    own_table, other_table = at[one], at[other]
    at[one], at[other] = other_table, own_table
    for player, own in enumerate(weights):
        moved = own[one] - own[other]
        links[player][other_table] += moved
        links[player][own_table] -= moved


# ---------------------------------------------------------------- seats


def _seated(
    tables: Iterable[Sequence[int]], past: PairingHistory, rng: Random
) -> list[PairingTable]:
    return [PairingTable(tuple(_assign_seats(table, past, rng))) for table in tables]


def _assign_seats(table: Sequence[int], past: PairingHistory, rng: Random) -> list[int]:
    """Seats in order, each for the player who has sat there least; ties at random."""
    left, seats = _shuffled(table, rng), []
    for seat in range(len(table)):
        seats.append(min(left, key=lambda player: past.sat[player, seat]))
        left.remove(seats[-1])
    return seats
