"""Who meets whom in a round of an evening, at tables of any size: pure, and by lots that are given.

* Sizes of tables are as near as possible to the one that is wished for; somebody sits out only where no sizes go up.
* Round robin: everybody meets everybody as evenly as can be found. In pairs that is the circle: all have met once when it is through.
* Swiss: those meet who stand alike, and as far as possible nobody twice.
* Knock-out: those who are left are dealt out like cards by their standing, so that the best meet last.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Literal, NamedTuple

Form = Literal["round_robin", "swiss", "knock_out"]
MOST_ROUNDS = 63  # so that sixty-four can all meet in pairs
_LEAST_SWISS = 3
_AGAIN = 1000.0  # how much worse it is to meet again than to meet somebody a whole point away
_TRIES, _EFFORT = 40, 4000  # beginnings of a search, and how many people they may have together

Weight = Callable[[int, int], float]


class Party(NamedTuple):
    """One table of a round: who sits there, by seat; or the bye of one."""

    seats: tuple[int, ...]

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == 1


class Past:
    """What has been so far: who has met whom how often, who has sat where, who has sat out."""

    def __init__(self, sittings: Iterable[Party] = ()) -> None:
        self.met: Counter[tuple[int, int]] = Counter()
        self.sat: Counter[tuple[int, int]] = Counter()  # by person and seat
        self.byes: Counter[int] = Counter()
        self.only_pairs = True
        for sitting in sittings:
            self.add(sitting)

    def add(self, sitting: Party) -> None:
        if sitting.is_bye:
            self.byes[sitting.seats[0]] += 1
            return
        self.only_pairs = self.only_pairs and len(sitting.seats) == 2
        for seat, one in enumerate(sitting.seats):
            self.sat[one, seat] += 1
            for other in sitting.seats[:seat]:
                self.met[pair(one, other)] += 1


def pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


# ---------------------------------------------------------------- how many, and how large


def sizes(people: int, wished: int, allowed: Collection[int]) -> tuple[list[int], int]:
    """The tables for so many people, the largest first, and how many sit out: as few as possible. The sizes are as near as possible to the one
    wished for, each by the square of how far it is off."""
    found: list[list[int] | None] = [[]]
    for number in range(1, people + 1):
        ways = [[*rest, size] for size in allowed if size <= number and (rest := found[number - size]) is not None]
        found.append(min(ways, key=lambda way: (_off(way, wished), sorted(way)), default=None))
    for byes in range(people + 1):
        if (way := found[people - byes]) is not None:
            return sorted(way, reverse=True), byes
    raise AssertionError("nobody at no table is always possible")


def _off(way: Sequence[int], wished: int) -> int:
    return sum((size - wished) ** 2 for size in way)


def rounds_needed(form: Form, people: int, wished: int) -> int:
    """How many rounds there are where nobody says: until all could have met, or until one could have beaten all."""
    if form == "round_robin":
        return min(MOST_ROUNDS, max(1, math.ceil((people - 1) / max(1, wished - 1))))
    return max(_LEAST_SWISS, math.ceil(math.log(max(2, people), max(2, wished)) - 1e-9) + 1)


# ---------------------------------------------------------------- a round


def round_robin(
    entered: Sequence[int], here: Collection[int], turn: int, plan: tuple[list[int], int], past: Past, lot: Random
) -> list[Party]:
    """A round of those who are here. `entered`: all who began; `turn`: how many rounds have been played."""
    tables, byes = plan
    if past.only_pairs and set(tables) <= {2}:
        return _seated(_circle(entered, here, turn, past, lot), past, lot)
    out = _sit_out(_shuffled(sorted(here), lot), byes, past)
    rest = [each for each in sorted(here) if each not in out]
    met = past.met
    return _seated(
        [*_settled(rest, tables, lambda a, b: 4.0 ** met[pair(a, b)], lot), *([each] for each in out)], past, lot
    )


def swiss(
    standing: Sequence[int], points: Mapping[int, Fraction], plan: tuple[list[int], int], past: Past, lot: Random
) -> list[Party]:
    """A round by standing, the best first. Who stands lowest sits out first, and nobody twice before all have."""
    tables, byes = plan
    out = _sit_out(list(reversed(standing)), byes, past)
    rest = [each for each in standing if each not in out]
    met, place = past.met, {each: float(points.get(each, 0)) for each in standing}

    def weight(one: int, other: int) -> float:
        return _AGAIN * met[pair(one, other)] + (place[one] - place[other]) ** 2

    return _seated([*_settled(rest, tables, weight, lot), *([each] for each in out)], past, lot)


def knock_out(standing: Sequence[int], plan: tuple[list[int], int], past: Past, lot: Random) -> list[Party]:
    """A round of those who are left, the best first: dealt out to and fro. Who stands highest sits out first, and goes on."""
    tables, byes = plan
    out = _sit_out(list(standing), byes, past)
    dealt: list[list[int]] = [[] for _ in tables]
    rest = iter(each for each in standing if each not in out)
    for turn in range(max(tables, default=0)):
        order = range(len(tables)) if turn % 2 == 0 else reversed(range(len(tables)))
        for number in order:
            if turn < tables[number]:
                dealt[number].append(next(rest))
    return _seated([*dealt, *([each] for each in out)], past, lot)


def _sit_out(order: Sequence[int], byes: int, past: Past) -> list[int]:
    """Who sits out: those who have done so least often, the first in the order before others."""
    return sorted(order, key=lambda each: past.byes[each])[:byes]


def _shuffled(people: Sequence[int], lot: Random) -> list[int]:
    return lot.sample(people, len(people))


# ---------------------------------------------------------------- the circle


def _circle(entered: Sequence[int], here: Collection[int], turn: int, past: Past, lot: Random) -> list[list[int]]:
    """Pairs as the circle has them: one stays, the others go round. Those whose partner has left meet each other."""
    ring: list[int | None] = [*entered, *([None] if len(entered) % 2 else [])]
    moving, step = ring[1:], turn % max(1, len(ring) - 1)
    ring = [ring[0], *moving[len(moving) - step :], *moving[: len(moving) - step]]
    pairs: list[list[int]] = []
    left: list[list[int]] = []
    for one, other in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
        found = [each for each in (one, other) if each is not None and each in here]
        (pairs if len(found) == 2 else left).append(found)
    alone = [each for found in left for each in found]
    if len(alone) < 2:
        return [*pairs, *([each] for each in alone)]
    out = _sit_out(_shuffled(alone, lot), len(alone) % 2, past)
    rest = [each for each in alone if each not in out]
    return [
        *pairs,
        *_settled(rest, [2] * (len(rest) // 2), lambda a, b: float(past.met[pair(a, b)]), lot),
        *([each] for each in out),
    ]


# ---------------------------------------------------------------- the search


def _settled(people: Sequence[int], tables: Sequence[int], weight: Weight, lot: Random) -> list[list[int]]:
    """People at tables so that the weights of all who sit together are small: two change places for as long as that helps, from several
    beginnings. The first is the order that is given."""
    count = len(people)
    weights = [[0.0 if one == other else weight(one, other) for other in people] for one in people]
    at = [number for number, size in enumerate(tables) for _ in range(size)]
    best, least = list(at), math.inf
    for attempt in range(min(_TRIES, max(2, _EFFORT // max(1, count)))):
        found = list(at) if attempt == 0 else _shuffled(at, lot)
        cost = _improved(found, weights, len(tables))
        if cost < least - 1e-9:
            best, least = found, cost
    return [[people[each] for each in range(count) if best[each] == number] for number in range(len(tables))]


def _improved(at: list[int], weights: list[list[float]], tables: int) -> float:
    """Let people change places until no two want to any more; returns what is left of the weights."""
    count = len(at)
    links = [[0.0] * tables for _ in range(count)]  # by person and table: the weights of those who sit there
    for one in range(count):
        for other in range(count):
            links[one][at[other]] += weights[one][other]
    changed = True
    while changed:
        changed = False
        for one in range(count):
            for other in range(one):
                here, there = at[one], at[other]
                if here == there:
                    continue
                mine, theirs = links[one], links[other]
                if mine[there] + theirs[here] - 2 * weights[one][other] < mine[here] + theirs[there] - 1e-9:
                    _change_places(one, other, at, links, weights)
                    changed = True
    return sum(links[one][at[one]] for one in range(count)) / 2


def _change_places(one: int, other: int, at: list[int], links: list[list[float]], weights: list[list[float]]) -> None:
    here, there = at[one], at[other]
    at[one], at[other] = there, here
    for each, own in enumerate(weights):
        moved = own[one] - own[other]
        links[each][there] += moved
        links[each][here] -= moved


# ---------------------------------------------------------------- seats


def _seated(tables: Iterable[Sequence[int]], past: Past, lot: Random) -> list[Party]:
    return [Party(tuple(_round_the_table(table, past, lot))) for table in tables]


def _round_the_table(table: Sequence[int], past: Past, lot: Random) -> list[int]:
    """Each seat, the first before the others, goes to whoever has sat there least; by lot among those."""
    left, found = _shuffled(table, lot), []
    for seat in range(len(table)):
        found.append(min(left, key=lambda each: past.sat[each, seat]))
        left.remove(found[-1])
    return found
