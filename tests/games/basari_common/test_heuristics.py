"""What a strong player of either Basari game considers, does at once and expects: in random positions at every number of players,
and in a few made up for it."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import souk
from souk.games.haggling import rules as haggling
from souk.kernel.chance import draw
from tests.games import basari_cards_positions as cards
from tests.games import basari_positions as board
from tests.games.desks import desk_of
from tests.random_games import random_game

TABLES = [(name, players) for name in ("basari", "basari-cards") for players in souk.game(name).players]
LORE = np.zeros(1, np.float32)


def to_move(name: str, players: int) -> Iterator[tuple[souk.Position, int]]:
    """A position and a seat, wherever a seat may move in two random games."""
    for number in range(2):
        for record in random_game(name, players, {}, seed=6, number=number):
            for seat in record.position.actors:
                yield record.position, seat


def considered(pos: souk.Position, seat: int) -> list[int]:
    desk = desk_of(pos.game)
    n = pos.game.rules.candidates(pos.state, seat, desk, LORE)
    return list(desk.found[:n])


def likely(pos: souk.Position, seat: int, times: int = 200) -> Counter[str]:
    """What one who knows the game does at once, and how often."""
    rules, notation, desk = pos.game.rules, pos.game.notation, desk_of(pos.game)
    moves = [rules.likely_move(pos.state, seat, draw(1, 3, i), desk, LORE) for i in range(times)]
    return Counter(notation.move_text(pos.state, move) for move in moves)


def outlook(pos: souk.Position) -> list[float]:
    values = [0.0] * pos.players
    assert 0 < pos.game.rules.outlook(pos.state, values, LORE) < 40
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
        rules, s, desk = pos.game.rules, pos.state, desk_of(pos.game)
        for i in range(3):
            assert rules.legal(s, seat, rules.likely_move(s, seat, draw(5, 7, i), desk, LORE))
        habit = rules.habit(s, seat, desk, LORE)
        assert habit == -1 or rules.legal(s, seat, habit)


def test_a_secret_choice_cannot_be_predicted() -> None:
    """Nobody's choice is sure, and what is worth more to oneself is chosen more often."""
    chosen = likely(board.position(3, figures=[3, 3, 3]), 0)
    assert len(chosen) == 3
    assert max(chosen.values()) < 150
    rich = cards.at(cards=["1/7/RBB", "2/4/RRR", "3/4/GGBB"])
    poor = cards.at(cards=["4/4/RYY", "2/4/RRR", "3/4/GGBB"])
    assert likely(rich, 0)["B"] > likely(poor, 0)["B"]


def test_one_offer_too_many_is_accepted() -> None:
    """Five red gems for a roll of the dice: nobody raises that. A blue one that wins nothing, with the last lap at stake: all do."""
    hands = [[6, 3, 3, 3], [6, 3, 3, 3], [3, 3, 3, 12], [3, 3, 3, 3]]
    late = {"gems": hands, "walked": [22, 22, 25, 0], "scorings": 2}
    assert set(likely(board.offered([5, 0, 0, 0], **late), 1)) == {"accept"}
    assert "accept" not in likely(board.offered([0, 0, 0, 1], **late), 1)


def test_gems_nobody_can_win_with_are_offered_first() -> None:
    """Seat 1 leads in red and cannot catch up in blue: it pays in blue."""
    hands = [[0, 3, 3, 1], [5, 3, 3, 3], [4, 3, 3, 12], [4, 3, 3, 3]]
    pos = board.offered([0, 0, 0, 1], gems=hands)
    two = [move for move in considered(pos, 1) if haggling.size(move - haggling.OFFER) == 2]
    assert two[0] == haggling.OFFER + haggling.pack(0, 0, 0, 2)


# ---------------------------------------------------------------- judging


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_round_has_a_quiet_position_and_it_can_be_judged(name: str, players: int) -> None:
    quiet = 0
    for record in random_game(name, players, {}, seed=6):
        pos = record.position
        if pos.game.rules.quiet(pos.state):
            quiet += 1
            assert all(value > score for value, score in zip(outlook(pos), pos.scores, strict=True))
    assert quiet >= 9


def test_points_gems_and_the_lap_are_all_worth_something() -> None:
    even = outlook(board.position(3))
    assert even[0] == pytest.approx(even[1]) == pytest.approx(even[2])
    ahead = outlook(board.position(3, points=[5, 0, 0]))
    assert ahead[0] - ahead[1] == pytest.approx(5)
    for change in ({"gems": [[4, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3]]}, {"walked": [20, 12, 12]}):
        found = outlook(board.position(3, **change))
        assert found[0] > found[1] + 1


def test_just_before_the_last_scoring_majorities_count_in_full() -> None:
    """Red 14 and yellow 12 are seat 0's, green 10 is shared, blue 8 is seat 2's."""
    hands = [[9, 9, 5, 0], [1, 1, 5, 1], [1, 1, 0, 9]]
    found = outlook(board.position(3, phase="walk", turn=0, gems=hands, walked=[27, 27, 27], scorings=2))
    assert found[0] - found[1] == pytest.approx(14 + 12, abs=1.5)
    assert found[2] - found[1] == pytest.approx(8 - 5, abs=1.5)
    workers = outlook(cards.at("deal", turn=0, deals=2, workers=[14, 14, 1]))
    assert workers[0] - workers[2] > 5


# ---------------------------------------------------------------- beginners


def test_a_beginner_takes_what_looks_most() -> None:
    pos = board.position(3, figures=[2, 3, 3])  # 4:RRGB
    tempting = [pos.game.rules.temptation(pos.state, 0, action, LORE) for action in range(3)]
    assert max(tempting) == tempting[2]
    pos = board.offered([0, 0, 1, 3])
    tempting = [pos.game.rules.temptation(pos.state, 1, move, LORE) for move in considered(pos, 1)]
    assert max(tempting) == tempting[0]
