"""Pairing and scoring: table sizes, round robin, Swiss and knock-out, for any number of players.

Results are deterministic for a seed; Hypothesis prints failing examples.
"""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souk.server.events.pairing import (
    PairingHistory,
    PairingTable,
    knock_out,
    pair,
    round_robin,
    rounds_needed,
    sizes,
    swiss,
)
from souk.server.events.scoring import points, ranks, shares
from souk.server.events.storage import Ranking

PEOPLE = st.integers(4, 64)
WISHED = st.integers(2, 6)
LOTS = st.integers(0, 2**32)
FEW = settings(max_examples=25, deadline=None)


def all_of(drawn: list[PairingTable]) -> list[int]:
    return sorted(number for table in drawn for number in table.seats)


# ---------------------------------------------------------------- sizes


@given(PEOPLE, WISHED, st.sets(st.integers(2, 6), min_size=1))
def test_sizes_are_allowed_with_few_byes(people: int, wished: int, allowed: set[int]) -> None:
    tables, byes = sizes(people, wished, allowed)
    assert sum(tables) + byes == people
    assert set(tables) <= allowed
    reachable = {0}
    for number in range(1, people + 1):
        reachable |= {number} if any(number - size in reachable for size in allowed) else set()
    assert people - byes == max(reachable)


@pytest.mark.parametrize(
    ("people", "wished", "allowed", "tables", "byes"),
    [
        (16, 4, (2, 3, 4), [4, 4, 4, 4], 0),
        (13, 4, (2, 3, 4), [4, 3, 3, 3], 0),
        (9, 4, (2, 3, 4), [3, 3, 3], 0),
        (5, 4, (2, 3, 4), [3, 2], 0),
        (5, 4, (2, 3, 4, 5, 6), [5], 0),
        (7, 2, (2,), [2, 2, 2], 1),
        (10, 3, (2, 3, 4), [4, 3, 3], 0),
        (6, 5, (4, 5), [5], 1),
    ],
)
def test_sizes_by_the_rule(
    people: int, wished: int, allowed: tuple[int, ...], tables: list[int], byes: int
) -> None:
    assert sizes(people, wished, allowed) == (tables, byes)


# ---------------------------------------------------------------- round robin


def play_round_robin(
    people: int, wished: int, allowed: set[int], lot: Random, rounds: int
) -> PairingHistory:
    past, plan = PairingHistory(), sizes(people, wished, allowed)
    for turn in range(rounds):
        drawn = round_robin(range(people), range(people), turn, plan, past, lot)
        assert all_of(drawn) == list(range(people))
        assert sorted(len(table.seats) for table in drawn if not table.is_bye) == sorted(plan[0])
        for table in drawn:
            past.add(table)
    return past


@FEW
@given(PEOPLE, LOTS)
def test_in_pairs_all_meet_exactly_once(people: int, seed: int) -> None:
    """With an odd number everybody has one bye."""
    rounds = people - 1 + people % 2
    past = play_round_robin(people, 2, {2}, Random(seed), rounds)
    assert {past.met[pair(*two)] for two in combinations(range(people), 2)} == {1}
    assert {past.byes[each] for each in range(people)} == {people % 2}


@FEW
@given(st.integers(4, 40), st.integers(2, 5), LOTS)
def test_meetings_and_first_seats_are_shared_out_evenly(
    people: int, wished: int, seed: int
) -> None:
    """Numbers of meetings differ by at most two after enough rounds to meet everybody; less is not
    always possible.
    """
    past = play_round_robin(
        people, wished, {2, 3, 4, 5}, Random(seed), rounds_needed("round_robin", people, wished)
    )
    met = [past.met[pair(*two)] for two in combinations(range(people), 2)]
    assert max(met) - min(met) <= 2
    firsts = [past.sat[each, 0] for each in range(people)]
    assert max(firsts) - min(firsts) <= 3


@FEW
@given(st.integers(6, 30), LOTS, st.data())
def test_those_whose_partner_has_left_meet_each_other(
    people: int, seed: int, data: st.DataObject
) -> None:
    """One has a bye if their number is odd."""
    gone = data.draw(st.sets(st.integers(0, people - 1), max_size=people - 4))
    here, past, lot = (
        [each for each in range(people) if each not in gone],
        PairingHistory(),
        Random(seed),
    )
    for turn in range(5):
        drawn = round_robin(range(people), here, turn, sizes(len(here), 2, {2}), past, lot)
        assert all_of(drawn) == here
        assert sum(table.is_bye for table in drawn) == len(here) % 2
        for table in drawn:
            past.add(table)


# ---------------------------------------------------------------- Swiss and knock-out


@FEW
@given(st.integers(4, 40), st.integers(2, 4), LOTS)
def test_swiss_pairs_by_standing_with_few_repeats(people: int, wished: int, seed: int) -> None:
    """Pairs do not repeat while there are other opponents; larger tables repeat as rarely as can be
    expected.
    """
    lot, past = Random(seed), PairingHistory()
    score = dict.fromkeys(range(people), Fraction())
    plan, rounds = sizes(people, wished, {2} if wished == 2 else {2, 3, 4}), 3
    for _ in range(rounds):
        standing = sorted(score, key=lambda each: -score[each])
        drawn = swiss(standing, score, plan, past, lot)
        assert all_of(drawn) == list(range(people))
        for table in drawn:
            past.add(table)
            for number, points_won in zip(
                table.seats, lot.sample(range(len(table.seats)), len(table.seats)), strict=True
            ):
                score[number] += Fraction(points_won, max(1, len(table.seats) - 1))
    assert max(past.byes.values(), default=0) <= 1
    again = sum(met > 1 for met in past.met.values())
    if wished == 2 and people > 2 * rounds:
        assert again == 0
    if wished > 2 and people >= 8 * wished:
        assert again == 0


def test_swiss_pairs_equal_standings() -> None:
    score = {number: Fraction(number // 4) for number in range(16)}
    standing = sorted(score, key=lambda each: -score[each])
    for table in swiss(standing, score, sizes(16, 4, {4}), PairingHistory(), Random(1)):
        assert len({score[number] for number in table.seats}) == 1


@given(PEOPLE, WISHED, LOTS)
def test_knock_out_keeps_the_best_apart(people: int, wished: int, seed: int) -> None:
    plan = sizes(people, wished, {2, 3, 4, 5, 6})
    drawn = knock_out(range(people), plan, PairingHistory(), Random(seed))
    assert all_of(drawn) == list(range(people))
    best = set(range(len(plan[0])))
    assert all(len(best & set(table.seats)) == 1 for table in drawn)


# ---------------------------------------------------------------- points


@given(
    st.lists(st.integers(-5, 60), min_size=2, max_size=6),
    st.sets(st.integers(0, 5)),
    st.sets(st.integers(0, 5)),
)
def test_points_of_a_table(scores: list[int], winners: set[int], last: set[int]) -> None:
    """The mean is a half at every table, nobody has more than one, and better ranks have more."""
    places = ranks(scores, winners, last)
    worth = points(Ranking("played", places, scores))
    assert sum(worth) == Fraction(len(scores), 2)
    assert 0 <= min(worth) <= max(worth) <= 1
    assert [a < b for a in places for b in places] == [a > b for a in worth for b in worth]
    assert sum(shares(Ranking("played", places, scores))) == len(scores)


def test_ranks() -> None:
    assert ranks([10, 30, 30, 5]) == [3, 1, 1, 4]
    assert ranks([10, 30, 30, 5], winners=[2]) == [
        3,
        2,
        1,
        4,
    ]  # tied on score; the rules name the winner
    assert ranks([10, 30, 20, 5], winners=[1], last=[1]) == [2, 4, 1, 3]  # resigned
    assert points(Ranking("played", [1, 2, 2, 4], [9, 5, 5, 1])) == [
        1,
        Fraction(1, 2),
        Fraction(1, 2),
        0,
    ]
