"""Basari's facts match what happened: walks, choices, haggles, gems and scorings."""

import souk
from souk.core.facts import Chose, Ended, Fact
from souk.games.basari.facts import DiscPlaced, FigureWalked, LapScored, OpenerFound, ScoringBegan
from souk.games.basari_common import facts as shared
from tests.support.basari_positions import BASARI, HANDS, choose, haggle, offered, position
from tests.support.marks import clause
from tests.support.play import facts_of


def last_choice(pos: souk.Position, *actions: str) -> list[Fact]:
    """Facts of the last choice of a round."""
    *first, last = actions
    choose(pos, *first)
    return facts_of(pos, len(first), last)


# ---------------------------------------------------------------- walks


@clause("B5")
def test_a_disc_is_told_where_it_is_placed():
    assert facts_of(BASARI.start(players=3, first=2), 2, "arch 12") == [DiscPlaced(2, 12)]


@clause("B10")
def test_a_figure_walks_arch_by_arch():
    pos = position(players=3, phase="walk", turn=1, figures=[3, 26, 5])
    assert facts_of(pos, None, "4") == [FigureWalked(1, 4, [27, 0, 1, 2], False)]


@clause("B12", "B16")
def test_another_roll_is_told_before_what_follows_it():
    pos = position(players=3, figures=[0, 3, 14])
    assert last_choice(pos, "dice", "points", "dice") == [
        shared.Revealed(["dice", "points", "dice"]),
        shared.HaggleCalled("dice", [0, 2], None),
    ]
    facts_of(pos, None, "opens 2")
    assert facts_of(pos, 2, "pass") == [shared.HaggleEnded("dice", 0, 2, [0, 0, 0, 0], 2)]
    assert facts_of(pos, None, "5") == [
        FigureWalked(0, 5, [1, 2, 3, 4, 5], True),
        shared.PointsScored(0, 1, "dice"),
        shared.PointsScored(1, 7, "points"),
    ]


# ---------------------------------------------------------------- choices


@clause("B11")
def test_a_choice_not_yet_revealed_tells_that_it_was_made_and_no_more():
    for action in ("dice", "points", "gems"):
        assert facts_of(position(), 0, action) == [Chose(0)]


@clause("B15")
def test_the_last_choice_tells_all_and_what_is_lost():
    facts = last_choice(position(players=4), "points", "points", "points", "gems")
    assert facts[:2] == [
        shared.Revealed(["points", "points", "points", "gems"]),
        shared.Lost("points", [0, 1, 2]),
    ]
    [taken] = facts[2:]
    assert isinstance(taken, shared.GemsTaken)
    assert (taken.seat, taken.gems) == (3, taken.wanted)


@clause("B14")
def test_gems_that_the_supply_does_not_have():
    bare = [[25, 3, 3, 3], [0, 3, 3, 3], [0, 3, 3, 3]]  # arch 0 shows two red and a yellow
    pos = position(players=3, gems=bare, figures=[7, 14, 0])
    assert last_choice(pos, "points", "points", "gems")[1:] == [
        shared.HaggleCalled("points", [0, 1], None)
    ]
    facts_of(pos, None, "opens 0")
    assert facts_of(pos, 0, "pass")[2:] == [shared.GemsTaken(2, [0, 1, 0, 0], [2, 1, 0, 0])]


# ---------------------------------------------------------------- haggles


@clause("B20")
def test_who_has_more_points_opens_and_on_equal_points_the_dice_say_who():
    pos = position(points=[4, 5, 0, 0])
    assert last_choice(pos, "gems", "gems", "points", "points")[1:] == [
        shared.HaggleCalled("points", [2, 3], None)
    ]
    assert facts_of(pos, None, "opens 3") == [OpenerFound(3)]
    assert facts_of(pos, 3, "pass") == [
        shared.HaggleEnded("points", 2, 3, [0, 0, 0, 0], 3),
        shared.PointsScored(2, 5, "points"),
        shared.HaggleCalled("gems", [1, 0], 1),
    ]


@clause("B21", "B22")
def test_offers_and_the_end_of_a_haggle():
    pos = BASARI.from_json(haggle())
    assert facts_of(pos, 0, "offer 1r2b") == [shared.Offered(0, [1, 0, 0, 2])]
    assert facts_of(pos, 1, "offer 3r") == [shared.Offered(1, [3, 0, 0, 0])]
    assert facts_of(pos, 0, "accept") == [shared.HaggleEnded("dice", 1, 0, [3, 0, 0, 0], 0)]


def test_who_opened_is_told_whoever_gives_in():
    assert facts_of(offered([0, 0, 1, 1]), 1, "accept") == [
        shared.HaggleEnded("dice", 0, 1, [0, 0, 1, 1], 0)
    ]


# ---------------------------------------------------------------- scorings


@clause("B42")
def test_a_scoring_is_told_colour_by_colour_as_in_the_example():
    facts = last_choice(position(gems=HANDS, walked=[28, 3, 3, 3], scorings=1), *["points"] * 4)
    assert facts == [
        shared.Revealed(["points"] * 4),
        shared.Lost("points", [0, 1, 2, 3]),
        ScoringBegan(2),
        LapScored(0, 10),
        shared.MajorityScored(0, [0, 1, 2, 3], 3, [2, 2, 2, 2]),
        shared.MajorityScored(1, [1], 12, [3]),
        shared.MajorityScored(2, [0, 2], 5, [2, 2]),
        shared.MajorityScored(3, [3], 8, [2]),
    ]


@clause("B32")
def test_a_colour_that_nobody_holds_is_told_with_nobody():
    facts = last_choice(position(gems=[[0, 3, 3, 3]] * 4, walked=[28, 3, 3, 3]), *["points"] * 4)
    assert facts[4] == shared.MajorityScored(0, [], 0, [])


@clause("B31")
def test_everybody_who_has_walked_a_lap_is_told():
    facts = last_choice(position(walked=[28, 27, 40, 3]), *["points"] * 4)
    assert facts[2:5] == [ScoringBegan(1), LapScored(0, 10), LapScored(2, 10)]


@clause("B30")
def test_without_a_lap_there_is_nothing_of_a_scoring():
    facts = last_choice(position(walked=[27, 27, 27, 27]), *["points"] * 4)
    assert [type(fact) for fact in facts] == [shared.Revealed, shared.Lost]


@clause("B35")
def test_the_third_scoring_is_told_in_full_before_the_end():
    facts = last_choice(position(walked=[28, 0, 0, 0], scorings=2), *["points"] * 4)
    assert [type(fact) for fact in facts[2:]] == [
        ScoringBegan,
        LapScored,
        *[shared.MajorityScored] * 4,
        Ended,
    ]
    assert facts[-1] == Ended([20, 10, 10, 10], [0])
