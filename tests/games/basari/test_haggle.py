"""Basari: the clauses of the haggle."""

import pytest

from tests.support.basari_positions import (
    BASARI,
    NO_OFFER,
    choose,
    gems,
    haggle,
    offered,
    position,
)
from tests.support.marks import clause
from tests.support.play import refused


@clause("B20")
def test_more_points_open():
    for points, seats in (([3, 4, 0, 0], [1, 0]), ([4, 3, 0, 0], [0, 1])):
        pos = choose(position(points=points), "dice", "dice", "points", "gems")
        assert pos.to_json()["phase"] == "haggle"
        assert pos.to_json()["haggle"]["seats"] == seats
        assert pos.to_json()["turn"] == seats[0]
        assert pos.actors == (seats[0],)


@clause("B20")
@pytest.mark.parametrize("opener", [1, 3])
def test_on_equal_points_either_opens_with_equal_chance(opener: int):
    pos = choose(position(points=[0, 7, 0, 7]), "dice", "gems", "points", "gems")
    pos.resolve("6")
    json = pos.to_json()
    assert json["phase"] == "opener"
    assert json["turn"] is None
    assert json["haggle"] == {"action": "gems", "seats": [1, 3], "turn": None} | NO_OFFER
    assert json["pending"] == ["gems"]
    assert pos.actors == ()
    assert pos.chances() == {"opens 1": 0.5, "opens 3": 0.5}
    pos.resolve(f"opens {opener}")
    assert pos.to_json()["phase"] == "haggle"
    assert pos.to_json()["turn"] == pos.to_json()["haggle"]["turn"] == opener
    assert pos.to_json()["haggle"]["seats"] == [opener, 4 - opener]


@clause("B21")
def test_the_opening_offer_is_any_selection_of_ones_own_gems():
    hands = [[1, 0, 2, 1], [9, 9, 9, 9], [0, 0, 0, 0], [0, 0, 0, 0]]
    pos = BASARI.from_json(haggle(gems=hands))
    offers = ["1b", "1g", "1r", "1g1b", "2g", "1r1b", "1r1g", "2g1b", "1r1g1b", "1r2g", "1r2g1b"]
    assert pos.moves(0) == ["pass", *(f"offer {offer}" for offer in offers)]
    assert refused(pos, 0, "offer 1y").clause == "B21"
    assert refused(pos, 0, "offer 2r").clause == "B21"
    assert refused(pos, 0, "offer 3g").clause == "B21"
    assert refused(pos, 0, "offer 26r").clause == "B21"
    assert refused(pos, 0, "offer 100000000000000000000b").clause == "B21"
    pos.play(0, "offer 1r2g1b")
    assert pos.to_json()["haggle"] == {
        "action": "dice",
        "seats": [0, 1],
        "turn": 1,
        "offer": [1, 0, 2, 1],
        "offerer": 0,
    }
    assert pos.to_json()["gems"] == hands


@clause("B21")
def test_who_offers_nothing_loses_the_haggle_and_nothing_is_paid():
    pos = BASARI.from_json(haggle())
    hands = pos.to_json()["gems"]
    pos.play(0, "pass")
    assert pos.to_json()["gems"] == hands
    assert pos.to_json()["phase"] == "dice"
    assert pos.to_json()["turn"] == 1
    assert pos.to_json()["haggle"] is None
    pos.resolve("1")
    assert pos.scores[:2] == [0, 5]


@clause("B21")
def test_who_has_no_gem_can_only_pass():
    pos = BASARI.from_json(haggle(gems=[[0] * 4, [0] * 4, [3] * 4, [3] * 4]))
    assert pos.moves(0) == ["pass"]
    assert pos.actors == (0,)


@clause("B22")
def test_accepting_takes_the_offer_and_leaves_the_action_to_the_offerer():
    pos = offered([1, 0, 0, 2])
    assert pos.moves(1)[0] == "accept"
    pos.play(1, "accept")
    assert gems(pos, 0) == [2, 3, 3, 1]
    assert gems(pos, 1) == [4, 3, 3, 5]
    assert pos.to_json()["phase"] == "dice"
    assert pos.to_json()["turn"] == 0


@clause("B22")
def test_the_two_raise_in_turn_until_one_accepts():
    pos = offered([0, 0, 0, 1])
    assert pos.actors == (1,)
    pos.play(1, "offer 1g")
    assert pos.actors == (0,)
    assert pos.to_json()["haggle"]["offer"] == [0, 0, 1, 0]
    assert pos.to_json()["haggle"]["offerer"] == 1
    pos.play(0, "offer 1y")
    assert pos.actors == (1,)
    pos.play(1, "offer 1r")
    pos.play(0, "accept")
    assert gems(pos, 0) == [4, 3, 3, 3]
    assert gems(pos, 1) == [2, 3, 3, 3]
    assert pos.to_json()["turn"] == 1


@clause("B22")
@pytest.mark.parametrize(
    ("action", "points", "hand"), [("points", 5, [3, 3, 3, 2]), ("gems", 0, [5, 4, 3, 2])]
)
def test_the_action_haggled_for_is_carried_out_at_the_end(
    action: str, points: int, hand: list[int]
):
    other = "gems" if action == "points" else "points"
    inner = {"action": action, "turn": 1, "offer": [0, 0, 0, 1], "offerer": 0}
    pending = ["points", "gems"] if action == "points" else ["gems"]
    fields = {
        "choices": [action, action, other, "dice"],
        "pending": pending,
        "turn": 1,
        "haggle": inner,
    }
    pos = BASARI.from_json(haggle(**fields))
    pos.play(1, "accept")
    assert pos.scores[0] == points
    assert gems(pos, 0) == hand
    assert gems(pos, 1) == [3, 3, 3, 4]
    assert pos.to_json()["phase"] == "walk"


@clause("B22")
def test_nothing_can_be_accepted_before_and_nobody_passes_after_an_offer():
    assert refused(BASARI.from_json(haggle()), 0, "accept").clause == "B22"
    pos = offered([0, 0, 0, 1])
    assert "pass" not in pos.moves(1)
    assert refused(pos, 1, "pass").clause == "B22"
    assert refused(pos, 0, "accept").clause is None  # not this seat's turn


FULL = [[6] * 4, [6] * 4, [0] * 4, [0] * 4]


@clause("B23")
@pytest.mark.parametrize(
    ("offer", "raises", "refusals"),
    [
        ([0, 0, 0, 2], ["1g1b", "2g", "1y1b", "1r1b", "3b"], ["2b", "1b", "1r", "1y"]),
        ([1, 0, 0, 1], ["1r1g", "1r1y", "2r", "3b"], ["1r1b", "2y", "1y1g", "1r"]),
        ([0, 2, 0, 1], ["2y1g", "3y", "1r2b", "4b"], ["2y1b", "1y2g", "3g", "2r"]),
        ([2, 0, 0, 0], ["3b", "1y2b"], ["1r1y", "2y", "2r", "1r"]),
    ],
)
def test_a_raise_has_more_gems_or_as_many_of_higher_value(
    offer: list[int], raises: list[str], refusals: list[str]
):
    pos = offered(offer, gems=FULL)
    assert set(pos.moves(1)) >= {f"offer {text}" for text in raises}
    assert not set(pos.moves(1)) & {f"offer {text}" for text in refusals}
    for text in raises:
        assert pos.is_legal(1, f"offer {text}")
    for text in refusals:
        assert refused(pos, 1, f"offer {text}").clause == "B23"


@clause("B23")
def test_one_red_and_nine_blue_beat_ten_yellow():
    hands = [[0, 10, 0, 0], [1, 10, 0, 9], [0] * 4, [0] * 4]
    pos = offered([0, 10, 0, 0], gems=hands)
    assert pos.is_legal(1, "offer 1r9b")
    back = offered([0, 9, 0, 0], gems=hands)
    assert back.is_legal(1, "offer 10y")
    back.play(1, "offer 1r9b")
    assert refused(back, 0, "offer 10y").clause == "B23"


@clause("B24")
def test_an_own_earlier_offer_does_not_bind():
    pos = BASARI.from_json(haggle())
    pos.play(0, "offer 3r")
    pos.play(1, "offer 3r1b")
    pos.play(0, "offer 2g2b1y")
    assert pos.to_json()["haggle"]["offer"] == [0, 1, 2, 2]
    pos.play(1, "accept")
    assert gems(pos, 0) == [3, 2, 1, 1]


@clause("B25")
def test_who_cannot_raise_must_accept():
    pos = offered([1, 0, 0, 0], gems=[[3] * 4, [1, 0, 0, 0], [3] * 4, [3] * 4])
    assert pos.moves(1) == ["accept"]
    assert pos.actors == (1,)
    pos = offered([1, 0, 0, 0], gems=[[3] * 4, [0] * 4, [3] * 4, [3] * 4])
    assert pos.moves(1) == ["accept"]


@clause("B25")
def test_who_accepts_keeps_their_own_gems():
    pos = offered([0, 0, 0, 1])
    pos.play(1, "offer 3r3y")
    pos.play(0, "offer 3r3y1b")
    pos.play(1, "accept")
    assert gems(pos, 1) == [6, 6, 3, 4]
    assert gems(pos, 0) == [0, 0, 3, 2]


@clause("B26")
def test_point_values_play_no_part_in_haggling():
    pos = offered([2, 0, 0, 0])  # worth 28, and three blue ones 24
    assert pos.is_legal(1, "offer 3b")
    pos = offered([0, 3, 0, 0])  # worth 36, and this 30
    assert pos.is_legal(1, "offer 1r2b")


@clause("B41")
def test_the_haggle_of_the_rulebook():
    hands = [[1, 1, 4, 0], [0, 1, 0, 3], [0] * 4, [0] * 4]
    pos = BASARI.from_json(haggle(gems=hands, points=[2, 1, 0, 0]))
    for turn, offer in enumerate(["1r", "2b", "1r1y", "3b", "3g", "1y2b", "4g"]):
        seat = turn % 2
        assert f"offer {offer}" in pos.moves(seat)
        pos.play(seat, f"offer {offer}")
    assert pos.moves(1)[0] == "accept"
    pos.play(1, "accept")
    assert pos.to_json()["gems"][:2] == [[1, 1, 0, 0], [0, 1, 4, 3]]
    assert pos.to_json()["phase"] == "dice"
    assert pos.to_json()["turn"] == 0
    pos.resolve("2")
    assert pos.scores[:2] == [6, 1]
