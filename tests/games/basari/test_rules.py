"""Basari, the board game: its clauses and the worked examples of its rulebook."""

import re

import pytest

from souk.core.rule_clauses import page
from souk.games.basari_common.notation import GEM_NAMES
from tests.support.basari_positions import (
    BASARI,
    HANDS,
    NO_OFFER,
    NUMBERS_5_6_7,
    at,
    choose,
    end_round,
    gems,
    position,
    shipped_arches,
)
from tests.support.marks import clause
from tests.support.play import play_out, refused

# ---------------------------------------------------------------- components


@clause("B1")
def test_28_arches_seven_of_each_number_with_two_to_four_gems():
    arches = shipped_arches()
    assert len(arches) == len(set(arches)) == 28
    assert sorted(arch[0] for arch in arches) == sorted("4567" * 7)
    assert all(re.fullmatch("[4-7]:R*Y*G*B*", arch) and 2 <= len(arch) - 2 <= 4 for arch in arches)
    assert arches[23] == "4:YGGG"


@clause("B1")
def test_the_rules_and_the_data_file_show_the_same_board():
    table = page("basari").split("| arches |")[1]
    assert re.findall("`([4-7]:[RYGB]+)`", table) == shipped_arches()


@clause("B1", "B13", "B14")
@pytest.mark.parametrize("arch", range(28))
def test_every_arch_pays_its_number_and_its_gems(arch: int):
    number, shown = shipped_arches()[arch].split(":")
    pos = choose(position(3, figures=[arch] * 3), "points", "gems", "dice")
    pos.resolve("6")
    assert pos.scores == [int(number), 0, 0]
    assert gems(pos, 1) == [3 + shown.count(colour) for colour in "RYGB"]


@clause("B1", "B10")
def test_the_ring_is_walked_clockwise_and_closes():
    pos = position(phase="walk", turn=0, figures=[26, 27, 0, 1])
    for roll in "1234":
        pos.resolve(roll)
    assert pos.to_json()["figures"] == [27, 1, 3, 5]


@clause("B2")
@pytest.mark.parametrize("players", [3, 4])
def test_25_gems_of_each_colour(players: int):
    for pos in play_out(BASARI.start(players=players), seed=players):
        json = pos.to_json()
        assert [sum(column) for column in zip(*json["gems"], json["supply"], strict=True)] == [
            25
        ] * 4
        assert BASARI.notation.pieces(pos.state) == {f"{colour} gems": 25 for colour in GEM_NAMES}


@clause("B2")
@pytest.mark.parametrize("colour", range(4))
def test_a_gem_too_many_or_too_few_is_refused(colour: int):
    for change in (-1, 1):
        json = at()
        json["supply"][colour] += change
        with pytest.raises(
            ValueError,
            match=r"^supply: there are 25 (red|yellow|green|blue) gems in all, not 2[46]$",
        ):
            BASARI.from_json(json)


@clause("B3", "B4")
@pytest.mark.parametrize("players", [3, 4])
def test_what_everybody_starts_with(players: int):
    json = BASARI.start(players=players).to_json()
    assert json["discs"] == json["figures"] == json["choices"] == [None] * players
    assert json["points"] == json["walked"] == [0] * players
    assert json["gems"] == [[3, 3, 3, 3]] * players
    assert json["supply"] == [25 - 3 * players] * 4
    assert json["options"] == {"first": 0, "board": "souk"}


@clause("B3")
def test_three_action_cards():
    assert position().moves(2) == ["dice", "points", "gems"]


@clause("B4")
def test_gems_are_open_to_all():
    pos = position(gems=[[1, 2, 3, 4], [4, 3, 2, 1], [0, 0, 0, 0], [5, 5, 5, 5]])
    for seat in range(-1, 4):
        assert pos.to_json(seat=seat)["gems"] == pos.to_json()["gems"]


@clause("B5")
@pytest.mark.parametrize("first", range(4))
def test_discs_are_placed_clockwise_from_the_first_seat(first: int):
    pos = BASARI.start(players=4, first=first)
    for step in range(4):
        seat = (first + step) % 4
        assert pos.to_json()["phase"] == "start"
        assert pos.to_json()["turn"] == seat
        assert pos.actors == (seat,)
        pos.play(seat, f"arch {3 * step}")
        assert pos.to_json()["discs"][seat] == pos.to_json()["figures"][seat] == 3 * step
    assert pos.to_json()["phase"] == "walk"
    assert pos.to_json()["turn"] == 0


@clause("B5")
def test_one_disc_to_an_arch():
    pos = BASARI.start(players=3)
    assert pos.moves(0) == [f"arch {arch}" for arch in range(28)]
    pos.play(0, "arch 12")
    pos.play(1, "arch 0")
    assert pos.moves(2) == [f"arch {arch}" for arch in range(28) if arch not in (0, 12)]
    assert refused(pos, 2, "arch 12").clause == "B5"
    assert refused(pos, 2, "arch 28").clause == "B1"
    assert refused(pos, 2, "gems").clause == "B5"
    assert refused(pos, 2, "offer 1r").clause == "B5"
    pos.play(2, "arch 27")
    assert pos.to_json()["discs"] == [12, 0, 27]


@clause("B5")
def test_figures_share_arches_and_others_discs_mean_nothing():
    pos = position(3, phase="walk", turn=0, figures=[5, 6, 7], discs=[8, 9, 10])
    for roll in "321":
        pos.resolve(roll)
    assert pos.to_json()["figures"] == [8, 8, 8]
    assert pos.to_json()["discs"] == [8, 9, 10]
    assert pos.scores == [0, 0, 0]


# ---------------------------------------------------------------- a round


@clause("B10")
def test_everyone_rolls_in_seat_order_and_gets_no_points_for_it():
    pos = position(
        phase="walk", turn=0, figures=[0, 0, 0, 0], points=[4, 3, 2, 1], walked=[1, 2, 3, 4]
    )
    for seat, roll in enumerate("1236"):
        assert pos.to_json()["turn"] == seat
        assert pos.actors == ()
        assert pos.chances() == {str(face): 1 / 6 for face in range(1, 7)}
        pos.resolve(roll)
    json = pos.to_json()
    assert json["figures"] == [1, 2, 3, 6]
    assert json["walked"] == [2, 4, 6, 10]
    assert json["points"] == [4, 3, 2, 1]
    assert json["phase"] == "choose"
    assert json["turn"] is None


@clause("B11")
def test_all_choose_at_once_and_in_any_order():
    pos = position()
    assert pos.actors == (0, 1, 2, 3)
    pos.play(2, "gems")
    assert pos.actors == (0, 1, 3)
    assert pos.moves(2) == []
    assert refused(pos, 2, "dice").clause is None
    pos.play(0, "points")
    assert pos.to_json()["turn"] is None
    pos.play(3, "points")
    assert pos.actors == (1,)
    assert pos.to_json()["turn"] == 1
    assert pos.to_json()["choices"] == ["points", None, "gems", "points"]
    assert pos.to_json()["ready"] == [True, False, True, True]


@clause("B11")
def test_choices_are_secret_until_all_are_revealed():
    pos = position(choices=["dice", "gems", None, None])
    assert pos.to_json(seat=0)["choices"] == ["dice", None, None, None]
    assert pos.to_json(seat=1)["choices"] == [None, "gems", None, None]
    for outsider in (-1, 2, 3):
        assert pos.to_json(seat=outsider)["choices"] == [None] * 4
    for seat in range(-1, 4):
        assert pos.to_json(seat=seat)["ready"] == [True, True, False, False]
    pos.play(2, "points")
    pos.play(3, "gems")
    for seat in range(-1, 4):
        assert pos.to_json(seat=seat) == pos.to_json()
    assert pos.to_json()["choices"] == ["dice", "gems", "points", "gems"]
    assert pos.to_json()["ready"] == [False] * 4


@clause("B11")
def test_views_of_different_secrets_are_alike():
    one, other = (
        position(choices=["dice", "gems", None, None]),
        position(choices=["dice", "points", None, None]),
    )
    assert one != other
    for seat in (-1, 0, 2, 3):
        assert one.to_json(seat) == other.to_json(seat)
        assert one.seen_by(seat) == other.seen_by(seat)


@clause("B11")
def test_choices_stay_open_until_the_round_is_settled():
    pos = choose(position(3), "dice", "points", "gems")
    assert pos.to_json()["choices"] == ["dice", "points", "gems"]
    pos.resolve("1")
    assert pos.to_json()["choices"] == [None] * 3
    assert pos.to_json()["pending"] == []
    assert pos.to_json()["phase"] == "walk"


@clause("B12", "B40")
@pytest.mark.parametrize(("roll", "points"), [(5, 1), (2, 4), (6, 0), (1, 5), (3, 3), (4, 2)])
def test_dice_walk_on_and_give_six_minus_the_roll(roll: int, points: int):
    pos = choose(
        position(figures=[25, 7, 14, 21], walked=[3, 0, 0, 0]), "dice", "points", "points", "points"
    )
    assert pos.to_json()["phase"] == "dice"
    assert pos.to_json()["turn"] == 0
    assert pos.to_json()["haggle"] is None
    assert pos.to_json()["pending"] == ["dice"]
    pos.resolve(str(roll))
    assert pos.scores == [points, 0, 0, 0]
    assert pos.to_json()["figures"] == [(25 + roll) % 28, 7, 14, 21]
    assert pos.to_json()["walked"] == [3 + roll, 0, 0, 0]


@clause("B13")
def test_points_are_the_number_of_ones_own_arch():
    pos = choose(
        position(figures=[0, 2, 3, 1], points=[80, 0, 0, 0]), "points", "gems", "gems", "gems"
    )
    assert pos.scores == [85, 0, 0, 0]


@clause("B14")
def test_gems_are_those_of_ones_own_arch():
    pos = choose(position(figures=[23, 0, 0, 0]), "gems", "points", "points", "points")
    assert pos.to_json()["gems"] == [[3, 4, 6, 3], *[[3] * 4] * 3]
    assert pos.to_json()["supply"] == [13, 12, 10, 13]


@clause("B14")
def test_of_a_colour_that_runs_short_one_takes_what_is_left():
    hands = [[3, 3, 3, 3], [11, 3, 8, 3], [11, 3, 14, 3], [0, 0, 0, 0]]
    pos = choose(
        position(figures=[2, 0, 0, 0], gems=hands), "gems", "points", "points", "points"
    )  # 4:RRGB
    assert gems(pos, 0) == [3, 3, 3, 4]
    hands = [[3, 3, 3, 3], [10, 3, 8, 3], [11, 3, 13, 3], [0, 0, 0, 0]]
    pos = choose(position(figures=[2, 0, 0, 0], gems=hands), "gems", "points", "points", "points")
    assert gems(pos, 0) == [4, 3, 4, 4]
    assert pos.to_json()["supply"] == [0, 16, 0, 15]


@clause("B14")
def test_what_the_supply_lacked_is_not_claimed_later():
    hands = [[3, 3, 3, 3], [11, 3, 0, 3], [11, 3, 0, 3], [0, 0, 0, 0]]
    fields = {
        "figures": [6, 0, 0, 0],
        "gems": hands,
        "walked": [28, 0, 0, 0],
    }  # 4:RRR, and a scoring at once
    pos = choose(position(**fields), "gems", "points", "points", "points")
    assert pos.to_json()["supply"][0] == 4  # two have returned 2 each
    assert gems(pos, 0)[0] == 3


@clause("B15", "B16")
@pytest.mark.parametrize("roll", [3, 6])
def test_chosen_by_one_each_is_carried_out_at_once_dice_first_then_points_then_gems(roll: int):
    pos = choose(position(3, figures=NUMBERS_5_6_7), "gems", "points", "dice")
    assert pos.to_json()["phase"] == "dice"
    assert pos.to_json()["pending"] == ["dice", "points", "gems"]
    assert pos.scores == [0, 0, 0]
    assert gems(pos, 0) == [3, 3, 3, 3]
    pos.resolve(str(roll))
    assert pos.scores == [0, 6, 6 - roll]
    assert gems(pos, 0) == [5, 4, 3, 3]


@clause("B15")
def test_chosen_by_two_it_is_haggled_for():
    pos = choose(position(points=[0, 2, 0, 1]), "gems", "points", "gems", "points")
    assert pos.to_json()["phase"] == "haggle"
    assert pos.to_json()["pending"] == ["points", "gems"]
    assert pos.to_json()["haggle"] == {"action": "points", "seats": [1, 3], "turn": 1} | NO_OFFER


@clause("B15")
@pytest.mark.parametrize("action", ["dice", "points", "gems"])
def test_chosen_by_three_or_four_nobody_gets_it(action: str):
    before = at()
    for players in (3, 4):
        pos = choose(position(players), *[action] * players)
        assert pos.to_json()["phase"] == "walk"
        assert pos.to_json()["gems"] == before["gems"][:players]
        assert pos.scores == [0] * players
        assert pos.to_json()["figures"] == before["figures"][:players]
    alone = "points" if action == "gems" else "gems"
    pos = choose(position(), action, action, alone, action)
    assert pos.to_json()["phase"] == "walk"
    assert pos.scores == ([0, 0, 5, 0] if alone == "points" else [0] * 4)


@clause("B16")
def test_two_haggles_in_the_same_order():
    pos = choose(position(points=[1, 2, 2, 1]), "gems", "dice", "gems", "dice")
    assert pos.to_json()["haggle"]["action"] == "dice"
    assert pos.to_json()["pending"] == ["dice", "gems"]
    pos.play(1, "pass")
    assert pos.to_json()["phase"] == "dice"
    assert pos.to_json()["turn"] == 3
    assert pos.to_json()["pending"] == ["dice", "gems"]
    pos.resolve("4")
    assert pos.to_json()["haggle"] == {"action": "gems", "seats": [2, 0], "turn": 2} | NO_OFFER
    assert pos.to_json()["pending"] == ["gems"]
    pos.play(2, "pass")
    assert pos.to_json()["phase"] == "walk"


# ---------------------------------------------------------------- scoring


@clause("B30")
@pytest.mark.parametrize(("walked", "scorings"), [(27, 0), (28, 1), (29, 1), (993, 1)])
def test_a_scoring_when_a_figure_has_reached_or_passed_its_disc(walked: int, scorings: int):
    pos = end_round(walked=[0, walked, 5, 0])
    assert pos.to_json()["scorings"] == scorings
    assert pos.to_json()["phase"] == "walk"
    assert pos.scores[1] >= 10 * scorings


@clause("B30")
def test_a_scoring_waits_for_the_end_of_the_round():
    pos = position(
        phase="walk", turn=3, walked=[0, 0, 0, 27], figures=[0, 0, 0, 20], discs=[0, 0, 0, 21]
    )
    pos.resolve("1")
    assert pos.to_json()["scorings"] == 0
    choose(pos, "points", "points", "gems", "dice")
    assert pos.to_json()["scorings"] == 0
    pos.resolve("6")
    assert pos.to_json()["haggle"] is not None
    assert pos.to_json()["walked"] == [0, 0, 0, 34]
    pos.resolve("opens 0")
    pos.play(0, "pass")
    assert pos.to_json()["scorings"] == 1


@clause("B30")
def test_dice_of_the_round_may_bring_the_scoring():
    for roll, scorings in (("4", 0), ("5", 1)):
        pos = choose(position(walked=[23, 0, 0, 0]), "dice", "points", "points", "points")
        pos.resolve(roll)
        assert pos.to_json()["scorings"] == scorings


@clause("B31")
def test_ten_points_once_for_everybody_who_got_round():
    pos = end_round(walked=[28, 27, 60, 40], gems=[[0] * 4] * 4)
    assert pos.scores == [10, 0, 10, 10]


@clause("B32")
@pytest.mark.parametrize(("colour", "points"), [(0, 14), (1, 12), (2, 10), (3, 8)])
def test_points_for_the_most_of_a_colour(colour: int, points: int):
    def hand(n: int) -> list[int]:
        return [n if index == colour else 0 for index in range(4)]

    fields = {"walked": [28, 0, 0, 0]}
    assert end_round(gems=[hand(n) for n in (5, 4, 6, 0)], **fields).scores == [10, 0, points, 0]
    assert end_round(gems=[hand(n) for n in (5, 6, 6, 0)], **fields).scores == [
        10,
        points // 2,
        points // 2,
        0,
    ]
    assert end_round(gems=[hand(n) for n in (4, 6, 6, 6)], **fields).scores == [
        10,
        *[points // 3] * 3,
    ]
    assert end_round(gems=[hand(1)] * 4, **fields).scores == [10 + points // 4, *[points // 4] * 3]


@clause("B32")
def test_a_colour_nobody_holds_scores_nothing():
    pos = end_round(walked=[28, 0, 0, 0], gems=[[0, 0, 0, 0]] * 4)
    assert pos.scores == [10, 0, 0, 0]
    assert pos.to_json()["supply"] == [25] * 4


@clause("B33")
def test_sole_holders_return_three_and_tied_holders_two_or_what_they_have():
    hands = [[6, 1, 2, 0], [5, 1, 4, 1], [0, 0, 4, 1], [0, 1, 0, 0]]
    pos = end_round(walked=[28, 0, 0, 0], gems=hands)
    assert pos.to_json()["gems"] == [[3, 0, 2, 0], [5, 0, 2, 0], [0, 0, 2, 0], [0, 0, 0, 0]]
    assert pos.to_json()["supply"] == [25 - 8, 25, 25 - 6, 25]
    pos = end_round(
        walked=[28, 0, 0, 0], gems=[[2, 0, 0, 3], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    )
    assert pos.to_json()["gems"] == [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]


@clause("B34")
def test_after_a_scoring_every_lap_begins_where_its_figure_stands():
    pos = end_round(walked=[28, 5, 0, 33], figures=[1, 1, 20, 4], discs=[1, 24, 20, 27])
    json = pos.to_json()
    assert json["discs"] == json["figures"] == [1, 1, 20, 4]
    assert json["walked"] == [0, 0, 0, 0]
    pos = end_round(walked=[27, 5, 0, 3], figures=[1, 1, 20, 4], discs=[2, 24, 20, 1])
    assert pos.to_json()["discs"] == [2, 24, 20, 1]
    assert pos.to_json()["walked"] == [27, 5, 0, 3]


@clause("B35")
def test_the_game_ends_after_the_third_scoring_carried_out_in_full():
    fields = {"walked": [28, 1, 2, 3], "gems": HANDS, "figures": [9, 8, 7, 6]}
    for scorings in range(3):
        pos = end_round(scorings=scorings, **fields)
        assert pos.over is (scorings == 2)
        json = pos.to_json()
        assert json["scorings"] == scorings + 1
        assert json["phase"] == ("over" if pos.over else "walk")
        assert json["turn"] == (None if pos.over else 0)
        assert pos.scores == [18, 15, 8, 11]
        assert json["gems"] == [[0, 0, 6, 1], [0, 4, 3, 1], [0, 5, 6, 1], [0, 5, 4, 0]]
        assert json["discs"] == [9, 8, 7, 6]
        assert json["walked"] == [0, 0, 0, 0]
        assert pos.winners == ((0,) if pos.over else ())
    assert pos.actors == ()
    assert pos.chances() == {}
    assert refused(pos, 0, "dice").clause is None


@clause("B36")
@pytest.mark.parametrize(
    ("points", "hands", "winners"),
    [
        ([50, 51, 50], [[9, 9, 9, 9], [0, 0, 0, 0], [0, 0, 0, 0]], (1,)),
        ([51, 51, 50], [[0, 0, 0, 6], [5, 0, 0, 0], [9, 9, 9, 9]], (0,)),
        ([51, 51, 50], [[3, 0, 0, 2], [2, 3, 0, 0], [0, 0, 0, 0]], (0,)),
        ([51, 51, 51], [[2, 0, 2, 1], [2, 1, 0, 2], [2, 0, 3, 0]], (1,)),
        ([51, 51, 51], [[2, 1, 1, 1], [2, 1, 2, 0], [2, 0, 3, 0]], (1,)),
        ([51, 51, 51], [[2, 1, 1, 1], [2, 1, 1, 1], [2, 1, 0, 2]], (0, 1)),
        ([51, 51, 51], [[2, 1, 1, 1]] * 3, (0, 1, 2)),
        ([0, 0, 0], [[0, 0, 0, 0]] * 3, (0, 1, 2)),
        ([9999, 51, 51], [[0, 0, 0, 0], [25, 25, 25, 25], [0, 0, 0, 0]], (0,)),
    ],
)
def test_points_then_gems_then_better_gems_win(
    points: list[int], hands: list[list[int]], winners: tuple[int, ...]
):
    pos = position(3, phase="over", points=points, gems=hands, scorings=3)
    assert pos.over
    assert pos.winners == winners
    assert pos.scores == points


@clause("B36")
def test_ties_are_broken_by_the_gems_left_after_the_last_return():
    # Seat 1 has more gems before; after, both have two, and green beats blue.
    hands = [[0, 0, 4, 0], [0, 0, 0, 5], [0, 0, 4, 0], [0, 0, 0, 0]]
    pos = end_round(scorings=2, walked=[28, 0, 0, 0], gems=hands, points=[0, 7, 0, 0])
    assert pos.scores == [15, 15, 5, 0]
    assert pos.to_json()["gems"][:2] == [[0, 0, 2, 0], [0, 0, 0, 2]]
    assert pos.winners == (0,)


@clause("B37")
def test_points_run_on_past_85():
    pos = choose(position(points=[84, 0, 0, 0]), "points", "gems", "gems", "gems")
    assert pos.scores[0] == 89
    pos = choose(position(points=[9000, 0, 0, 0]), "points", "gems", "gems", "gems")
    assert pos.scores[0] == 9005


@clause("B42")
def test_the_scoring_of_the_rulebook():
    pos = end_round(walked=[28, 0, 0, 0], gems=HANDS)
    assert pos.scores == [10 + 5 + 3, 12 + 3, 5 + 3, 8 + 3]
    assert pos.to_json()["gems"] == [[0, 0, 6, 1], [0, 4, 3, 1], [0, 5, 6, 1], [0, 5, 4, 0]]
