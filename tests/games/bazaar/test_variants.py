"""Bazaar's variants: double purchases and solitaire."""

import pytest

from tests.support.bazaar_positions import BAZAAR, buying, chips, double, hand, phase, position
from tests.support.marks import clause
from tests.support.play import refused

# ---------------------------------------------------------------- two at once


@clause("Z40")
def test_two_at_once_are_an_option():
    assert refused(buying("WWWRRWWBGY"), 0, "buy 1 3").clause == "Z40"
    pos = double("WWWRRWWBGY")
    assert pos.moves(0) == ["buy 1", "buy 3", "buy 4", "buy 1 3", "buy 3 1", "done"]


@clause("Z40")
def test_both_are_valued_by_the_chips_left_after_both():
    pos = double("WWWRRWWBGYYY", tops=["WWWRR", "BBGGY", "WWBGY", "RRRRR"])
    assert refused(pos, 0, "done").clause == "Z14"
    pos.play(0, "buy 1 3")
    assert (pos.scores[0], chips(pos), pos.to_json()["bought"]) == (2 + 2, hand("YY"), [2, 0])
    pos = double("WWWRRWWWWW")
    pos.play(0, "buy 1 4")
    assert (pos.scores[0], chips(pos)) == (5 + 8, hand(""))


@clause("Z40")
def test_after_both_the_lower_stall_is_turned_up_first():
    pos = double("WWWRRWWBGY")
    pos.play(0, "buy 3 1")
    assert pos.to_json()["turn"] == 0
    assert len(pos.chances()) == 41
    pos.resolve("RRRRR")
    assert phase(pos) == "reveal"
    assert pos.to_json()["turn"] == 0
    assert [stall["top"] for stall in pos.to_json()["stalls"]] == ["RRRRR", "BBGGY", None, "WWWWW"]
    assert len(pos.chances()) == 40
    pos.resolve("YYYYY")
    assert (phase(pos), pos.actors) == ("act", (1,))
    assert pos.to_json()["seen"][-2:] == ["RRRRR", "YYYYY"]
    assert pos.to_json()["turns_without_purchase"] == 0


@clause("Z40")
def test_all_ten_chips_are_needed_from_two_different_stalls():
    pos = double("WWWRRWBGYY")
    assert pos.moves(0) == ["buy 1", "buy 3", "done"]
    assert refused(pos, 0, "buy 1 3").clause == "Z40"
    assert refused(pos, 0, "buy 1 1").clause == "Z40"
    assert refused(pos, 0, "buy 1 2").clause == "Z12"
    same_colour = double("WWWWWWWWRR")
    assert same_colour.moves(0) == ["buy 1", "buy 4", "buy 1 4", "buy 4 1", "done"]
    assert double("WWWWWWWRRR").moves(0) == ["buy 1", "buy 4", "done"]
    assert refused(double("WWWRRB", left=[5, 5, 5, 0]), 0, "buy 1 4").clause == "Z12"


@clause("Z41")
def test_if_the_first_empties_a_stall_the_second_has_a_star_more():
    pos = double("WWWRRWWBGY", left=[1, 5, 5, 5])
    pos.play(0, "buy 1 3")
    assert pos.scores[0] == 5 + 8
    assert phase(pos) == "reveal"
    pos.resolve("RRRRR")
    assert [stall["left"] for stall in pos.to_json()["stalls"]] == [0, 5, 4, 5]
    assert [stall["top"] for stall in pos.to_json()["stalls"]] == [None, "BBGGY", "RRRRR", "WWWWW"]
    assert pos.actors == (1,)


@clause("Z41")
def test_a_starred_second_then_has_two_stars():
    pos = double("WWWRRWWWWW", left=[1, 5, 5, 5])
    pos.play(0, "buy 1 4")
    assert pos.scores[0] == 5 + 12


@clause("Z41", "Z21")
def test_the_buyer_names_the_order():
    pos = double("WWWRRWWBGY", left=[1, 5, 5, 5])
    pos.play(0, "buy 3 1")
    assert pos.scores[0] == 5 + 5


@clause("Z41", "Z30")
def test_the_second_may_empty_the_second_stall():
    pos = double("WWWRRWWBGY", left=[1, 5, 1, 5])
    pos.play(0, "buy 1 3")
    assert (pos.over, pos.scores[0], chips(pos), pos.to_json()["bought"]) == (
        True,
        5 + 8,
        hand(""),
        [2, 0],
    )
    one_empty = double("WWWRRWWBGY", left=[4, 0, 1, 5])
    one_empty.play(0, "buy 1 3")
    assert (one_empty.over, one_empty.scores[0]) == (True, 8 + 8)
    assert one_empty.to_json()["stalls"][0] == {"top": None, "left": 3}
    assert one_empty.to_json()["turns_without_purchase"] == 0


@clause("Z41")
def test_if_the_first_closes_the_bazaar_the_second_is_not_bought():
    pos = double("WWWRRWWBGYYY", left=[1, 0, 5, 5], tops=["WWWRR", "BBGGY", "WWBGY", "RRRRR"])
    assert "buy 1 3" in pos.moves(0)
    pos.play(0, "buy 1 3")
    assert pos.over
    assert pos.to_json()["bought"] == [1, 0]
    assert chips(pos) == hand("WWBGYYY")
    assert pos.scores[0] == 2  # seven chips are left, and one stall was empty
    assert pos.to_json()["stalls"][2] == {"top": "WWBGY", "left": 5}


@clause("Z41")
def test_the_ten_chips_must_be_held_all_the_same():
    pos = double("WWWRRBGYYY", left=[1, 0, 5, 5])
    assert pos.moves(0) == ["buy 1", "buy 3", "done"]
    assert refused(pos, 0, "buy 1 3").clause == "Z40"


# ---------------------------------------------------------------- solitaire


@clause("Z42")
def test_alone_there_are_two_rate_cards_and_one_ware():
    pos = BAZAAR.start(players=1)
    pos.resolve("rate 1")
    pos.resolve("rate 2")
    assert (phase(pos), len(pos.chances())) == ("stalls", 45)
    pos.resolve("WWWRR")
    assert pos.to_json()["stalls"] == [{"top": "WWWRR", "left": 1}]
    assert pos.to_json()["seen"] == ["WWWRR"]
    assert pos.to_json()["options"] == {"rates": None, "ware": None}
    assert pos.moves(0) == ["roll"]
    given = BAZAAR.start(players=1, rates=(1, 2), ware="rrwww")
    assert given.to_json() == pos.to_json() | {"options": {"rates": [1, 2], "ware": "WWWRR"}}


@clause("Z42")
def test_alone_a_given_ware_waits_for_the_rate_cards():
    pos = BAZAAR.start(players=1, ware="WWWRR")
    assert (phase(pos), pos.to_json()["seen"]) == ("rates", ["WWWRR"])
    pos.resolve("rate 1")
    pos.resolve("rate 2")
    assert pos.actors == (0,)


@clause("Z42")
def test_alone_the_score_is_the_number_of_rolls_and_trades():
    pos = BAZAAR.start(players=1, rates=(1, 2), ware="WWWRR")
    for rolled in ("red", "red", "red"):
        pos.play(0, "roll")
        pos.resolve(rolled)
    pos.play(0, "roll")
    pos.resolve("choice")
    pos.play(0, "take W")
    assert pos.scores == [4]
    pos.play(0, "trade R>WW")
    assert (pos.scores, pos.moves(0)) == ([5], ["buy 1", "done"])
    pos.play(0, "buy 1")
    assert (pos.over, pos.winners, pos.scores) == (True, (0,), [5])
    json = pos.to_json()
    assert (json["points"], json["bought"], json["stalls"]) == (
        [0],
        [1],
        [{"top": None, "left": 0}],
    )
    assert (json["chips"], json["actions"], json["turns_without_purchase"]) == ([[0] * 5], 5, 0)


@clause("Z42")
def test_alone_one_buys_with_exactly_the_five_chips():
    pos = position("WWWRRB")
    pos.play(0, "roll")
    pos.resolve("white")
    assert phase(pos) == "act"
    assert refused(pos, 0, "buy 1").clause == "Z12"
    with pytest.raises(ValueError, match=r"^phase: "):
        position("WWWRRB", phase="buy")
    assert refused(position("WWWRR", phase="buy"), 0, "buy 2").clause == "Z42"


@clause("Z42")
def test_alone_a_trade_never_ends_above_ten():
    pos = position("RRRWWRRRRR")
    assert pos.moves(0) == ["roll", "trade WW>R", "trade WRR>Y", "trade WR>YY"]
    assert refused(pos, 0, "trade R>WW").clause == "Z42"


@clause("Z42")
def test_alone_of_eleven_one_returns_a_chip_of_ones_own_choice():
    pos = position("RRRRRYYYYY")
    pos.play(0, "roll")
    pos.resolve("blue")
    assert (phase(pos), pos.actors, pos.moves(0)) == (
        "return",
        (0,),
        ["return B", "return R", "return Y"],
    )
    assert refused(pos, 0, "return G").clause == "Z42"
    pos.play(0, "return Y")
    assert (chips(pos), pos.to_json()["turns_without_purchase"]) == (hand("BRRRRRYYYY"), 1)
