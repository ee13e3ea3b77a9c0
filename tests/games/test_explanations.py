"""Reasons for moves are counted by the rules, comparable between moves, and worded in every
language.
"""

import random

import pytest

import souk
from souk.analysis.explanations import differences, reasons
from souk.core.messages import Seat, languages

GAMES = [
    ("suleika", 2),
    ("suleika", 4),
    ("basari", 4),
    ("basari-cards", 5),
    ("bazaar", 1),
    ("bazaar", 3),
]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_move_of_a_game_has_reasons_in_words(name: str, players: int) -> None:
    pos, dice = souk.game(name).start(players=players), random.Random(players)
    keys = set()
    for _ in range(70):
        if pos.over:
            break
        if not pos.actors:
            pos.draw(dice)
            continue
        seat = pos.actors[0]
        move = dice.choice(pos.moves(seat)[:12])
        before = pos.to_json()
        messages = reasons(pos, seat, move)
        assert pos.to_json() == before
        for message in messages:
            keys.add(message.key)
            for language in languages():
                text = message.text([f"P{seat_number}" for seat_number in range(players)], language)
                assert "{" not in text, (language, message)
                assert text != message.key
        assert differences(pos, seat, move, move) == []
        pos.play(seat, move)
    assert keys


def test_a_way_is_worth_its_average_price() -> None:
    """Omar on d4 faces a red carpet d5 to d7: yellow owes 3 after 1 to 3 steps, nothing after 4."""
    pos = souk.game("suleika").start(players=4)
    json = pos.to_json()
    board = [["" for _ in range(7)] for _ in range(7)]
    for row, rug in ((0, "r2"), (1, "r1"), (2, "r1")):
        board[row][3] = rug
    pos = souk.game("suleika").from_json(
        json | {"board": board, "turn": 1, "left": [10, 12, 12, 12], "phase": "turn"}
    )
    values_by_key = {message.key: message.values for message in reasons(pos, 1, "straight")}
    assert values_by_key["suleika.speaks.price"] == {
        "who": Seat(1),
        "n": pytest.approx(3 * 5 / 6, abs=0.01),
    }
    assert values_by_key["suleika.speaks.worst"]["n"] == 3
    assert values_by_key["suleika.speaks.free"]["n"] == pytest.approx(1 / 6, abs=0.001)
    price, free, worst = differences(pos, 1, "right", "straight")
    assert price.one is not None
    assert price.other is not None
    assert (price.one.values["n"], price.other.values["n"]) == (0, 2.5)
    assert free.one is not None
    assert worst.one is None  # if nothing is ever due


def test_a_place_says_what_it_hides_and_joins() -> None:
    pos = souk.game("suleika").start(players=4)
    for event in ("straight", "1", "rug c5 c4", "left", "1"):
        pos.resolve(event) if event.isdigit() else pos.play(pos.actors[0], event)
    area, hides, following, shown = reasons(pos, 1, "rug c4 d4")
    assert (area.values, area.about) == ({"who": Seat(1), "n": 2}, ("field c4", "field d4"))
    assert hides.values == {"who": Seat(0), "n": 1}
    assert following.values["who"] == Seat(2)
    assert following.values["to"] == Seat(1)
    assert shown.values == {"who": Seat(1), "n": 2, "now": 0}


def test_a_choice_tells_nothing_of_what_others_have_chosen() -> None:
    """The reasons are the same whatever others have secretly chosen."""
    game = souk.game("basari")
    pos, dice = game.start(players=4), random.Random(1)
    while pos.to_json()["phase"] != "choose":
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0]) if pos.actors else pos.draw(dice)
    messages_by_choice = []
    for choice in ("dice", "gems"):
        other = pos.copy()
        other.play(0, choice)
        messages_by_choice.append([message.to_json() for message in reasons(other, 1, "gems")])
    assert messages_by_choice[0] == messages_by_choice[1] != []
