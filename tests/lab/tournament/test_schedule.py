"""Schedules: fair line-ups, full rotations, and extension."""

from collections import Counter
from itertools import combinations, islice

import pytest

from souk.lab.play_game import bot_seed
from souk.lab.tournament import Tournament
from souk.lab.tournament.schedule import fixtures, line_ups
from tests.lab.support.nine_games import table_for


@pytest.mark.parametrize(
    ("entrants", "players"),
    [(2, 2), (2, 3), (2, 4), (3, 3), (3, 2), (5, 4), (6, 3), (4, 6), (7, 2)],
)
def test_everybody_plays_equally_often_and_against_everybody(entrants: int, players: int) -> None:
    seated: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    for line_up in islice(line_ups(entrants, players, 3), 60):
        seated.update(line_up)
        met.update(combinations(sorted(set(line_up)), 2))
        assert (
            max(Counter(line_up).values()) - min(Counter(line_up)[who] for who in range(entrants))
            <= 1
        )
        assert max(seated.values()) - min(seated[who] for who in range(entrants)) <= 1
    assert len(met) == entrants * (entrants - 1) // 2
    assert max(met.values()) - min(met.values()) <= 2


def test_two_at_a_table_for_four_sit_in_every_order_as_often_as_chance_has_it() -> None:
    table = table_for(players=4, entrants=["random", "greedy"])
    games = list(fixtures(table, range(300)))
    # no duplicates
    assert len({(game.deal, game.seats) for game in games}) == len(games)
    in_turn = sum(game.seats[0] == game.seats[2] for game in games) / len(games)
    assert (
        1 / 3 - 0.09 < in_turn < 1 / 3 + 0.09
    )  # two of six orders; more than three standard deviations
    for deal in {game.deal for game in games}:
        seats = [game.seats for game in games if game.deal == deal]
        assert all(sum(each[seat] for each in seats) == len(seats) / 2 for seat in range(4))


def test_two_at_a_table_for_three_take_turns_with_the_second_seat() -> None:
    twice = [Counter(line_up).most_common(1)[0][0] for line_up in islice(line_ups(2, 3, 0), 20)]
    assert all({one, other} == {0, 1} for one, other in zip(twice[::2], twice[1::2], strict=True))


def test_games_are_numbered_through_and_more_deals_change_none() -> None:
    table = table_for(entrants=["random", "greedy", "apprentice", "trader"])
    some, more = list(fixtures(table, range(4))), list(fixtures(table, range(9)))
    assert [fixture.game for fixture in more] == list(range(27))
    assert some == more[:12]
    assert list(fixtures(table, range(4, 9))) == more[12:]
    assert more[0].seats[1:] + more[0].seats[:1] == more[1].seats


def test_seeds_differ_by_game_and_seat() -> None:
    assert len({bot_seed(7, game, seat) for game in range(20) for seat in range(4)}) == 80


def test_whole_rotations(played: Tournament) -> None:
    assert [game.game for game in played.games] == list(range(9))
    assert [game.deal for game in played.games] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
