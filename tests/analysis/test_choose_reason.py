"""Which of several true reasons is said: the verdict first, then weight, family and concession."""

import pytest

import souk
from souk.analysis import choose_reason
from souk.analysis.choose_reason import Chosen, choose, is_clear
from souk.core.messages import Message
from souk.core.reasons import Reason

POINT = 0.02


def reason(key: str, points: float, family: str = "", *, last: bool = False) -> Reason:
    return Reason(key, family or key, points, Message(key), last)


def keys(found: list[Chosen]) -> list[str]:
    return [each.reason.key for each in found]


@pytest.mark.parametrize(
    ("lead", "error", "expected"),
    [(0.015, 0.006, True), (0.014, 0.0, False), (0.1, 0.041, False), (0.1, 0.04, True)],
)
def test_a_verdict_is_large_and_sure(lead: float, error: float, expected: bool) -> None:
    assert is_clear(lead, error) == expected


def test_alone_a_verdict_is_in_actions() -> None:
    assert is_clear(0.2, 0.0, alone=True)
    assert not is_clear(0.1, 0.0, alone=True)


def test_the_largest_goes_first_and_the_second_has_another_cause() -> None:
    found = choose([reason("a", 1, "x"), reason("b", 3, "x"), reason("c", 0.5, "y")], [], POINT)
    assert keys(found) == ["b", "c"]
    assert not any(each.concedes for each in found)


def test_the_end_of_the_game_goes_before_everything() -> None:
    assert keys(choose([reason("a", 9), reason("b", 0.1, last=True)], [], POINT)) == ["b", "a"]


def test_among_equals_the_specific_goes_first_unless_it_was_said() -> None:
    rows = [reason("a", 0.9), reason("b", 1.0), reason("c", 0.7)]
    assert keys(choose(rows, [], POINT))[0] == "a"
    assert keys(choose(rows, [], POINT, said=("a",)))[0] == "b"


def test_little_is_not_said() -> None:
    assert choose([reason("a", 0.19)], [], POINT) == []
    assert keys(choose([reason("a", 0.21)], [], POINT)) == ["a"]


def test_what_weighs_less_than_the_other_side_is_conceded_or_left_out() -> None:
    against = [reason("z", 1.0)]
    assert choose([reason("a", 0.7)], against, POINT) == [Chosen(reason("a", 0.7), concedes=False)]
    assert choose([reason("a", 0.6)], against, POINT) == [Chosen(reason("a", 0.6), concedes=True)]
    assert choose([reason("a", 0.29)], against, POINT) == []


def test_what_holds_both_ways_is_no_reason() -> None:
    assert choose([reason("a", 2)], [reason("a", 1)], POINT) == []


def test_a_point_is_worth_what_the_game_says() -> None:
    assert choose([reason("a", 0.21)], [], POINT / 10) == []


# ---------------------------------------------------------------- with a game


def toll_ahead() -> tuple[souk.Position, int]:
    """Straight on lies a red carpet of three; to the right all is free."""
    pos = souk.game("suleika").start(players=4)
    rows = [["" for _ in range(7)] for _ in range(7)]
    for row, rug in ((0, "r2"), (1, "r1"), (2, "r1")):
        rows[row][3] = rug
    fields = {"board": rows, "turn": 1, "left": [10, 12, 12, 12], "phase": "turn"}
    return souk.game("suleika").from_json(pos.to_json() | fields), 1


def test_equal_moves_get_no_reason() -> None:
    pos, seat = toll_ahead()
    said = choose_reason.compare(pos, seat, "right", "straight", 0.01, 0.0)
    assert said == choose_reason.Comparison(equal=True)


def test_a_clear_lead_is_explained_by_what_differs() -> None:
    pos, seat = toll_ahead()
    said = choose_reason.compare(pos, seat, "right", "straight", 0.1, 0.01)
    assert said.sentence is not None
    assert said.sentence.text() == "Nothing to pay going east; north could cost seat 1 3."
    assert said.sentence.about == ("field d5", "field d6", "field d7")
    assert (said.equal, said.reason, said.key) == (False, True, "way_free")


@pytest.mark.parametrize(
    ("lead", "key"), [(0.06, "lead_in.further_ahead"), (0.02, "lead_in.slightly")]
)
def test_where_nothing_holds_it_says_so(lead: float, key: str) -> None:
    """On an empty market left is like right."""
    pos = souk.game("suleika").start(players=4)
    said = choose_reason.compare(pos, 0, "left", "right", lead, 0.0)
    assert said.sentence is not None
    assert (said.sentence.key, said.reason, said.key) == (key, False, "")


def test_what_speaks_for_the_other_move_too_is_conceded() -> None:
    """From the dear way a rug can cover a carpet: a reason, but not without drawbacks."""
    pos, seat = toll_ahead()
    said = choose_reason.compare(pos, seat, "straight", "right", 0.1, 0.0)
    assert said.sentence is not None
    reach = "In 6 of six rolls seat 1 can cover seat 0's carpet, otherwise in 1."
    assert said.sentence.text() == f"Not without drawbacks. {reach}"
