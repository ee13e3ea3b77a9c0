"""Heuristics of both Basari games, in random positions at every number of players and in
constructed ones.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import souk
from souk.games.basari_common import rules as haggling
from souk.kernel.rng import draw
from tests.support import basari_cards_positions as cards
from tests.support import basari_positions as board
from tests.support.random_games import random_game
from tests.support.workspaces import desk_of

TABLES = [
    (name, players) for name in ("basari", "basari-cards") for players in souk.game(name).players
]
LORE = np.zeros(1, np.float32)


def to_move(name: str, players: int) -> Iterator[tuple[souk.Position, int]]:
    """Positions with a seat to move, from two random games."""
    for number in range(2):
        for record in random_game(name, players, {}, seed=6, number=number):
            for seat in record.position.actors:
                yield record.position, seat


def considered(pos: souk.Position, seat: int) -> list[int]:
    workspace = desk_of(pos.game)
    n = pos.game.rules.candidates(pos.state, seat, workspace, LORE)
    return list(workspace.found[:n])


def likely(pos: souk.Position, seat: int, times: int = 200) -> Counter[str]:
    """Distribution of rollout moves."""
    rules, notation, workspace = pos.game.rules, pos.game.notation, desk_of(pos.game)
    moves = [
        rules.rollout_move(pos.state, seat, draw(1, 3, i), workspace, LORE) for i in range(times)
    ]
    return Counter(notation.move_text(pos.state, move) for move in moves)


def evaluate(pos: souk.Position) -> list[float]:
    values = [0.0] * pos.players
    assert 0 < pos.game.rules.evaluate(pos.state, values, LORE) < 40
    return values


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_is_considered_is_legal_and_named_once(name: str, players: int) -> None:
    for pos, seat in to_move(name, players):
        moves = considered(pos, seat)
        assert 1 <= len(moves) == len(set(moves)) <= 24
        assert all(pos.game.rules.legal(pos.state, seat, move) for move in moves)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_lowest_raise_is_never_overlooked(name: str, players: int) -> None:
    for pos, seat in to_move(name, players):
        s = pos.state
        if s.opener != haggling.NONE:
            raises = [move for move in considered(pos, seat) if move >= haggling.OFFER]
            lowest = haggling.next_offer(haggling.hand(s, seat), s.offer)
            assert raises[:1] == ([haggling.OFFER + lowest] if lowest else [])


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_likely_moves_and_habits_are_legal(name: str, players: int) -> None:
    for pos, seat in to_move(name, players):
        rules, s, workspace = pos.game.rules, pos.state, desk_of(pos.game)
        for i in range(3):
            assert rules.legal(s, seat, rules.rollout_move(s, seat, draw(5, 7, i), workspace, LORE))
        rule_of_thumb_move = rules.rule_of_thumb_move(s, seat, workspace, LORE)
        assert rule_of_thumb_move == -1 or rules.legal(s, seat, rule_of_thumb_move)


def test_a_secret_choice_cannot_be_predicted() -> None:
    """No choice is certain, and seats prefer what is worth more to them."""
    chosen = likely(board.position(3, figures=[3, 3, 3]), 0)
    assert len(chosen) == 3
    assert max(chosen.values()) < 150
    rich = cards.at(cards=["1/7/RBB", "2/4/RRR", "3/4/GGBB"])
    poor = cards.at(cards=["4/4/RYY", "2/4/RRR", "3/4/GGBB"])
    assert likely(rich, 0)["B"] > likely(poor, 0)["B"]


def test_one_offer_too_many_is_accepted() -> None:
    """Nobody raises five red gems for a roll; everybody raises a useless blue one when the
    last lap is at stake.
    """
    hands = [[6, 3, 3, 3], [6, 3, 3, 3], [3, 3, 3, 12], [3, 3, 3, 3]]
    late = {"gems": hands, "walked": [22, 22, 25, 0], "scorings": 2}
    assert set(likely(board.offered([5, 0, 0, 0], **late), 1)) == {"accept"}
    assert "accept" not in likely(board.offered([0, 0, 0, 1], **late), 1)


def test_gems_nobody_can_win_with_are_offered_first() -> None:
    """Seat 1 leads in red and cannot catch up in blue, so it pays in blue."""
    hands = [[0, 3, 3, 1], [5, 3, 3, 3], [4, 3, 3, 12], [4, 3, 3, 3]]
    pos = board.offered([0, 0, 0, 1], gems=hands)
    two = [move for move in considered(pos, 1) if haggling.size(move - haggling.OFFER) == 2]
    assert two[0] == haggling.OFFER + haggling.pack(0, 0, 0, 2)


# ---------------------------------------------------------------- evaluation


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_round_has_a_quiet_position_and_it_can_be_judged(name: str, players: int) -> None:
    is_quiet = 0
    for record in random_game(name, players, {}, seed=6):
        pos = record.position
        if pos.game.rules.is_quiet(pos.state):
            is_quiet += 1
            assert all(
                value > score for value, score in zip(evaluate(pos), pos.scores, strict=True)
            )
    assert is_quiet >= 9


def test_points_gems_and_the_lap_are_all_worth_something() -> None:
    even = evaluate(board.position(3))
    assert even[0] == pytest.approx(even[1]) == pytest.approx(even[2])
    ahead = evaluate(board.position(3, points=[5, 0, 0]))
    assert ahead[0] - ahead[1] == pytest.approx(5)
    for change in ({"gems": [[4, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3]]}, {"walked": [20, 12, 12]}):
        values = evaluate(board.position(3, **change))
        assert values[0] > values[1] + 1


def test_just_before_the_last_scoring_majorities_count_in_full() -> None:
    """Red 14 and yellow 12 are seat 0's, green 10 is shared, blue 8 is seat 2's."""
    hands = [[9, 9, 5, 0], [1, 1, 5, 1], [1, 1, 0, 9]]
    values = evaluate(
        board.position(3, phase="walk", turn=0, gems=hands, walked=[27, 27, 27], scorings=2)
    )
    assert values[0] - values[1] == pytest.approx(14 + 12, abs=1.5)
    assert values[2] - values[1] == pytest.approx(8 - 5, abs=1.5)
    workers = evaluate(cards.at("deal", turn=0, deals=2, workers=[14, 14, 1]))
    assert workers[0] - workers[2] > 5


# ---------------------------------------------------------------- beginners


def test_a_beginner_takes_what_looks_most() -> None:
    pos = board.position(3, figures=[2, 3, 3])  # 4:RRGB
    tempting = [pos.game.rules.beginner_score(pos.state, 0, action, LORE) for action in range(3)]
    assert max(tempting) == tempting[2]
    pos = board.offered([0, 0, 1, 3])
    tempting = [
        pos.game.rules.beginner_score(pos.state, 1, move, LORE) for move in considered(pos, 1)
    ]
    assert max(tempting) == tempting[0]
