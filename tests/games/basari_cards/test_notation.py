"""Basari, the card game, as text: moves, cards, positions, and the log."""

import random
from typing import Any

import pytest

import souk
from tests.support.basari_cards_positions import (
    DECK,
    GAME,
    at,
    data,
    exchange,
    haggle,
    with_an_empty_pile,
)
from tests.support.play import happens, refused

# ---------------------------------------------------------------- texts


@pytest.mark.parametrize("text", ["a", " A ", "A"])
def test_choices_are_read_in_any_case(text: str) -> None:
    pos = at()
    pos.play(0, text)
    assert pos.to_json()["choices"][0] == "A"


@pytest.mark.parametrize("text", ["take yb", "TAKE BY", " take  y b", "take b Y", "takeyb"])
def test_gems_are_read_in_any_order_case_and_spacing(text: str) -> None:
    pos = exchange("take", "BBBBD", 4)
    assert pos.canonical_move(4, text) == "take yb"


@pytest.mark.parametrize("text", ["2/5/RYBB", "2/5/bybr", " 2 / 5 / R Y B B "])
def test_cards_are_read_in_any_order_case_and_spacing(text: str) -> None:
    pos = GAME.start(players=3)
    pos.resolve(text)
    assert pos.to_json()["cards"][0] == "2/5/RYBB"


@pytest.mark.parametrize("text", ["offer 2B 1r", "OFFER 1R2B", "offer1r 2b"])
def test_offers_are_read_in_any_order_case_and_spacing(text: str) -> None:
    assert GAME.from_json(haggle()).canonical_move(0, text) == "offer 1r2b"


@pytest.mark.parametrize(
    "text", ["", "take", "give", "give red", "take 2r", "AB", "offer", "offer 0r", "offer 01r", "x"]
)
def test_what_cannot_be_read_has_no_clause(text: str) -> None:
    assert refused(exchange("take", "BBBBD", 4), 4, text).clause is None
    assert refused(at(), 0, text).clause is None


@pytest.mark.parametrize(
    "text", ["", "6", "02/5/RYBB", "2/5", "2/5/RYBX", "4/7/RRRR", "2/5/R", "5/5/RR"]
)
def test_what_is_no_card_of_the_deck_cannot_come_up(text: str) -> None:
    pos = GAME.start(players=3)
    with pytest.raises(souk.IllegalMove):
        pos.resolve(text)
    assert pos == GAME.start(players=3)


def test_moves_of_another_step_are_refused_with_what_is_to_be_done() -> None:
    assert refused(GAME.from_json(haggle()), 0, "take r").clause == "K16"
    assert "a card for seat 0 is due" in str(refused(GAME.start(players=3), 0, "A"))
    assert "seat 4" in str(refused(exchange("give", "BBBBD", 4), 0, "A"))


# ---------------------------------------------------------------- positions as JSON


CARDS = ["1/5/RYBB", "2/7/GG", "4/6/RR"]
DRAWING = data("draw", turn=0, choices=["A", "A", "C"], pending=["A", "C"], cards=CARDS)
GIVING = data("give", 5, turn=0, choices=list("DBBBB"), pending=["D"])
TAKING = data("take", 5, turn=0, choices=list("DDBBB"), pending=["D"])
HAGGLING = haggle(offer=[1, 0, 0, 0])


def change_haggle(**changes: Any) -> dict[str, Any]:
    return HAGGLING | {"haggle": HAGGLING["haggle"] | changes}


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("phase", data("walk")),
        ("phase", data("give", 4, turn=0, choices=list("CBBB"), pending=["C"])),
        ("turn", data(turn=0)),
        ("turn", data(turn=1, choices=[None, "A", "B"])),
        ("turn", data("deal")),
        ("turn", data("deal", turn=3)),
        ("turn", data("deal", turn=True)),
        ("turn", data("over", turn=0)),
        ("turn", DRAWING | {"turn": 2}),
        ("turn", TAKING | {"turn": 2}),
        ("turn", GIVING | {"turn": 1}),
        ("turn", HAGGLING | {"turn": 1}),
        ("points", data(points=[0, 0])),
        ("points", data(points=[0, 0, -1])),
        ("points", data(points=[0, 0, 10000])),
        ("points", data(points=[0, 0, 1.5])),
        ("workers", data(workers=[0, 0, 1000])),
        ("workers", data(workers=[0, 0, True])),
        ("gems", data() | {"gems": [[3] * 4] * 2}),
        ("gems", data() | {"gems": [[3] * 3] * 3}),
        ("gems", GIVING | {"gems": [[0] * 4, *[[3] * 4] * 4], "supply": [10] * 4}),
        ("supply", data() | {"supply": [13, 13, 13, 12]}),
        ("supply", TAKING | {"gems": [[22] * 4, *[[0] * 4] * 4], "supply": [0] * 4}),
        ("cards", data(cards=["2/7/GG", None])),
        ("cards", data(cards=["2/7/GG", "2/7/GG", None], seen=["2/7/GG"])),
        ("cards", data(cards=["2/7/GG", None, None], seen=[])),
        ("cards", data(cards=["2/7/BB", None, None], seen=[])),
        ("cards", data(cards=[7, None, None], seen=[])),
        ("cards", data("deal", turn=0, cards=["2/7/GG", None, None])),
        ("cards", data("deal", turn=1, cards=[None, None, "2/7/GG"])),
        ("cards", data("over", cards=["2/7/GG", None, None])),
        ("seen", data(seen=None)),
        ("seen", data(seen=["2/7/GG", "2/7/GG"])),
        ("seen", data(seen=["2/7/gg"])),
        ("seen", data(seen=[["2/7/GG"]])),
        ("seen", data("deal", turn=0, seen=DECK)),
        ("seen", DRAWING | {"seen": DECK}),
        ("seen", data(seen=DECK)),
        ("seen", data("deal", turn=0, seen=DECK[1:])),
        ("choices", data(choices=["A", "B"])),
        ("choices", data(choices=["A", "D", None])),
        ("choices", data(choices=["a", None, None])),
        ("choices", data(choices=["A", "B", "C"])),
        ("choices", data("deal", turn=0, choices=["A", None, None])),
        ("choices", data("over", choices=["A", None, None])),
        ("choices", DRAWING | {"choices": ["A", "A", None]}),
        ("choices", DRAWING | {"choices": ["A", "A", "A"]}),
        ("choices", GIVING | {"choices": list("DDBBB")}),
        ("haggle", data(haggle=HAGGLING["haggle"])),
        ("haggle", HAGGLING | {"haggle": None}),
        ("haggle.action", change_haggle(action="D")),
        ("haggle.seats", change_haggle(seats=[0, 2])),
        ("haggle.seats", change_haggle(seats=[0, 0])),
        ("haggle.seats", change_haggle(action="B")),
        ("haggle.turn", change_haggle(turn=1)),
        ("haggle.offer", change_haggle(offer=[4, 0, 0, 0])),
        ("haggle.offer", change_haggle(offer=[0, 0, 0, 0])),
        ("haggle.offer", change_haggle(offer=[1, 0, 0])),
        ("haggle.offerer", change_haggle(offerer=2)),
        ("haggle.offerer", change_haggle(offer=None)),
        ("pending", data(pending=["A"])),
        ("pending", HAGGLING | {"pending": []}),
        ("pending", DRAWING | {"pending": ["C", "A"]}),
        ("pending", TAKING | {"pending": ["B", "D"]}),
        ("deals", data(deals=4)),
        ("deals", data(deals=3)),
        ("figures", data(figures=[0])),
        ("options.deck", data(options={"deck": "no such deck"})),
        ("options.board", data(options={"board": "souk"})),
        ("players", data(players=6)),
        ("game", data() | {"game": "basari"}),
    ],
)
def test_nonsense_is_refused_by_the_name_of_its_field(field: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"^{field}: "):
        GAME.from_json(wrong)


@pytest.mark.parametrize(
    "field", ["phase", "turn", "points", "workers", "gems", "supply", "cards", "seen", "choices"]
)
def test_a_missing_field_is_named(field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: missing"):
        GAME.from_json({name: value for name, value in data().items() if name != field})


@pytest.mark.parametrize(
    "given",
    [DRAWING, GIVING, TAKING, HAGGLING, data(), data("deal", turn=2), data("over", deals=3)],
)
def test_positions_come_back_as_they_were_given(given: dict[str, Any]) -> None:
    json = GAME.from_json(given).to_json()
    assert {name: json[name] for name in given} == given
    assert GAME.from_json(json).to_json() == json


def test_what_can_be_played_on_is_taken_as_it_is() -> None:
    """Unreachable positions: arbitrary points and workers, seats without cards, any order
    of seen cards.
    """
    pos = at(
        points=[9000, 0, 0],
        workers=[900, 0, 0],
        seen=["4/6/RR", "1/5/RYBB"],
        choices=["A", None, None],
        turn=None,
    )
    assert pos.to_json()["seen"] == ["1/5/RYBB", "4/6/RR"]
    assert at(choices=["A", "A", None], turn=None) == at(choices=["A", "A", None], turn=2)
    assert at("deal", turn=2, cards=[None, "2/7/GG", None]).to_json()["turn"] == 2
    assert at("over", workers=[3, 3, 3], seen=DECK, deals=1).over


def test_equal_positions_have_equal_bytes() -> None:
    pos = GAME.start(players=4)
    rng = random.Random(11)
    for _ in range(60):
        assert (
            GAME.from_json(pos.to_json()).array.tobytes()
            == pos.copy().array.tobytes()
            == pos.array.tobytes()
        )
        if pos.actors:
            pos.play(pos.actors[-1], rng.choice(pos.moves(pos.actors[-1])[:5]))
        else:
            pos.draw(rng)


# ---------------------------------------------------------------- the log


def test_the_log_tells_a_round() -> None:
    pos = at("deal", turn=2, cards=["2/7/GG", "4/6/RR", None], workers=[4, 4, 14])
    assert (
        happens(pos, None, "1/5/RYBB")
        == "{2} is dealt a card: 1 worker, 5 points, 1 red, 1 yellow and 2 blue."
    )
    assert happens(pos, 0, "C") == "{0} has chosen."  # and nothing more
    assert happens(pos, 1, "C") == "{1} has chosen."
    assert happens(pos, 2, "B") == (
        "Everyone has chosen: {0} Gems, {1} Gems and {2} Points. {2} scores 5 points. "
        "{0} and {1} both want gems: {0} offers first."
    )
    assert happens(pos, 0, "offer 1r2b") == "{0} offers 1 red and 2 blue gems."
    assert happens(pos, 1, "accept") == (
        "{1} accepts 1 red and 2 blue gems, so {0} gets Gems. "
        "{0} takes 2 green gems. Deal 1 is over. "
        "{1} has the most red gems: 14 points, and 2 gems go back. "
        "{0}, {1} and {2} tie for the most yellow gems: 4 points each, and 6 gems go back. "
        "{0} has the most green gems: 10 points, and 3 gems go back. "
        "{1} has the most blue gems: 8 points, and 3 gems go back. "
        "{2} has enough workers: 12 points."
    )


def test_the_log_tells_what_was_taken() -> None:
    pos = GAME.from_json(haggle("C", [0, 1, 0, 0], cards=["2/7/GG", "4/6/RR", None]))
    assert (
        happens(pos, 0, "accept")
        == "{0} accepts 1 yellow gem, so {1} gets Gems. {1} takes 2 red gems."
    )
    pos = exchange("give", "BBBBD", 4)
    assert happens(pos, 4, "give r") == "{4} returns 1 red gem to the supply."
    assert happens(pos, 4, "take yb") == "{4} takes 1 yellow and 1 blue gem."
    pos = GAME.from_json(
        haggle("A", gems=[[0] * 4, [0] * 4, [3] * 4], cards=["2/7/GG", "4/6/RR", "1/5/RYBB"])
    )
    assert happens(pos, 0, "pass") == "{0} has no gems to offer, so {1} gets Card."
    assert (
        happens(pos, None, "2/4/RRR")
        == "{1} draws a card: 2 workers, 4 points, 3 red. {2} scores 5 points."
    )


def test_the_log_tells_why_an_action_came_to_nothing() -> None:
    pos = with_an_empty_pile(cards=["4/6/RR", None, None], choices=["B", "C", None])
    assert happens(pos, 2, "A").endswith(
        "The pile is empty: Card brings {2} nothing. {0} scores 6 points. "
        "{1} has no card this round: Gems brings nothing."
    )
    hands = [[22, 22, 22, 0], [0, 0, 0, 20], [0] * 4, [0, 0, 0, 1], [0] * 4]
    pos = exchange("take", "BBBDD", 3, gems=hands)
    assert (
        happens(pos, 3, "take b")
        == "{3} takes 1 blue gem. The supply is empty: Exchange brings {4} nothing."
    )


def test_the_log_of_a_point_each() -> None:
    pos = at(players=5, gems=[[0, 0, 0, 1]] * 5, workers=[15, 0, 0, 0, 0], choices=[*"BBBB", None])
    shared = (
        "{0}, {1}, {2}, {3} and {4} tie for the most blue gems: 1 point each, and 5 gems go back."
    )
    assert shared in happens(pos.copy(), 4, "B")
    assert "haben gleichauf die meisten blauen Steine: je 1 Punkt, und 5 gehen zurück." in happens(
        pos.copy(), 4, "B", "de"
    )
    assert "staan gelijk met de meeste blauwe stenen: elk 1 punt, en 5 gaan terug." in happens(
        pos, 4, "B", "nl"
    )
