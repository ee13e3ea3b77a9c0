"""Standings: coverage of intervals, ratings, head to head."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from souk.lab.tournament.ratings import Ratings
from souk.lab.tournament.results import GameResults
from souk.lab.tournament.standings import head_to_head, share_by_seat, standings
from tests.lab.test_statistics import coverage


def results_of(
    deals: int, players: int, strength: list[float], seed: int, luck: float = 1.0
) -> GameResults:
    """Made-up games: strength plus luck decides, with part of the luck shared within a deal."""
    rng = np.random.default_rng(seed)
    seats = np.array(
        [np.roll(np.arange(players), -turn) for _ in range(deals) for turn in range(players)]
    )
    of_seat = np.repeat(rng.normal(size=(deals, players)), players, axis=0) * luck
    scores = np.array(strength)[seats] + of_seat + rng.normal(size=seats.shape)
    rounded = np.round(10 * scores).astype(np.int64)
    won = rounded == rounded.max(axis=1, keepdims=True)
    ones = np.ones(seats.shape)
    numbers = np.arange(len(seats))
    return GameResults(
        numbers, numbers // players, seats, rounded, won, ones.astype(int), ones, ones, 0 * seats
    )


@pytest.mark.parametrize("luck", [0.0, 1.5])
def test_intervals_cover_the_truth(luck: float) -> None:
    """Equal players, correlated games within deals: 95 % of the intervals cover the true share."""
    shares = (standings_of(results_of(25, 3, [0, 0, 0], seed, luck)).share for seed in range(250))
    assert 0.91 <= coverage(1 / 3, shares) <= 0.985


def standings_of(results: GameResults) -> Any:
    rows = standings(results, ["a", "b", "c"], ratings=Ratings(3))
    return next(row for row in rows if row.name == "a")


def test_standings_of_a_clear_case() -> None:
    results = results_of(60, 3, [2.0, 0.0, 1.0], 4)
    rows = standings(results, ["strong", "weak", "middling"])
    assert [row.name for row in rows] == ["strong", "middling", "weak"]
    assert sum(row.wins for row in rows) == pytest.approx(180)
    assert all(row.even == pytest.approx(1 / 3) for row in rows)
    assert rows[0].share.low > 1 / 3 > rows[2].share.high
    assert rows[0].rating.mu > rows[1].rating.mu > rows[2].rating.mu
    assert rows[0].score.low < rows[0].score.value < rows[0].score.high
    wins, games = share_by_seat(results, 3)
    assert games.tolist() == [[60.0] * 3] * 3
    assert wins.sum() == pytest.approx(180)


def test_head_to_head() -> None:
    met = head_to_head(results_of(60, 3, [2.0, 0.0, 1.0], 4), 3)
    assert len(met) == 6
    assert all(met[a, b].ahead.value + met[b, a].ahead.value == pytest.approx(1) for a, b in met)
    assert met[0, 1].ahead.value > met[0, 2].ahead.value > 0.5 < met[2, 1].ahead.low
    assert met[0, 1].games == 180


def test_ranks_put_winners_first_then_scores() -> None:
    """Seat 2 won on a tie-break; the other two tie behind it."""
    one = np.ones((1, 3))
    won = np.array([[False, False, True]])
    results = GameResults(
        one[0, :1],
        one[0, :1],
        np.array([[0, 1, 2]]),
        np.array([[7, 7, 7]]),
        won,
        one,
        one,
        one,
        one,
    )
    assert results.ranks.tolist() == [[2, 2, 1]]
    first, second, third = Ratings(3).follow(results).now
    assert first == second
    assert third.mu > first.mu


def test_ratings_follow_games_in_their_order() -> None:
    results = results_of(10, 3, [1.0, 0.0, 0.0], 2)
    parallelism = Ratings(3).follow(results)
    bit_by_bit = Ratings(3).follow(results.first(7))
    assert bit_by_bit.follow(results).history == parallelism.history
    assert len(parallelism.history) == 31


def test_games_after_a_gap_wait() -> None:
    results = results_of(3, 3, [0.0, 0.0, 0.0], 2)
    assert len(results.contiguous().games) == 9
    assert (
        len(replace(results, games=np.array([0, 1, 2, 4, 5, 6, 7, 8, 9])).contiguous().games) == 3
    )
