"""Bazaar: its clauses and the worked examples of its rulebook."""

import re

import pytest

import souk
from tests.support.bazaar_positions import (
    BAZAAR,
    PAGE,
    buying,
    chips,
    hand,
    phase,
    position,
    shipped,
)
from tests.support.marks import clause
from tests.support.play import play_out, refused

# ---------------------------------------------------------------- components


@clause("Z1")
@pytest.mark.parametrize("players", range(1, 7))
def test_twenty_chips_of_each_colour_stay_twenty(players: int):
    start = BAZAAR.start(players=players)
    assert start.to_json()["bank"] == [20] * 5
    assert start.to_json()["chips"] == [[0] * 5] * players
    for pos in play_out(start, players):
        json = pos.to_json()
        assert [sum(column) for column in zip(json["bank"], *json["chips"], strict=True)] == [
            20
        ] * 5


@clause("Z1")
def test_everything_is_open():
    pos = position("WWR", "BY")
    assert pos.to_json(seat=1) == pos.to_json(seat=-1) == pos.to_json()


@clause("Z2")
def test_the_die_has_five_colours_and_choice():
    pos = position("", "")
    pos.play(0, "roll")
    assert list(pos.chances()) == ["white", "blue", "green", "red", "yellow", "choice"]
    assert set(pos.chances().values()) == {1 / 6}


@clause("Z3")
def test_rate_cards_are_the_table_of_the_rules():
    table = PAGE.read_text(encoding="utf-8").split("## Rate cards")[1]
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", table, re.MULTILINE)
    assert [row[1].split(" | ") for row in rows] == shipped()["rates"]
    assert [int(row[0]) for row in rows] == list(range(1, 11))


@clause("Z3", "Z11")
@pytest.mark.parametrize("card", range(1, 11))
def test_every_equation_can_be_traded_both_ways(card: int):
    for equation in shipped()["rates"][card - 1]:
        for given, got in (equation.split("="), reversed(equation.split("="))):
            pos = position(given, "", rates=[card, card % 10 + 1])
            pos.play(0, f"trade {given}>{got}")
            assert chips(pos) == hand(got)


@clause("Z3")
def test_two_rate_cards_are_drawn_unless_given():
    pos = BAZAAR.start(players=2)
    assert phase(pos) == "rates"
    assert pos.chances() == {f"rate {card}": 1 / 10 for card in range(1, 11)}
    pos.resolve("rate 7")
    assert pos.to_json()["rates"] == [7]
    assert pos.chances() == {f"rate {card}": 1 / 9 for card in range(1, 11) if card != 7}
    pos.resolve("rate 3")
    assert pos.to_json()["rates"] == [7, 3]
    assert phase(pos) == "stalls"
    assert BAZAAR.start(players=2, rates=(7, 3)).to_json() | {"options": {}} == pos.to_json() | {
        "options": {}
    }


@clause("Z4")
def test_45_wares_15_of_them_starred_with_four_or_five_of_a_colour():
    table = re.search(
        r"```\n(.*?)```", PAGE.read_text(encoding="utf-8").split("## Ware cards")[1], re.DOTALL
    )
    assert table is not None
    listed = [
        ware + "*" * line.startswith("*")
        for line in table[1].splitlines()
        for ware in line.strip("* ").split()
    ]
    wares = shipped()["wares"]
    assert listed == wares
    assert len({"".join(sorted(ware.strip("*"))) for ware in wares}) == 45
    starred = [ware for ware in wares if ware.endswith("*")]
    assert len(starred) == 15
    for ware in wares:
        assert re.fullmatch(r"W*B*G*R*Y*\*?", ware)
        assert (ware in starred) == (max(hand(ware)) >= 4)


@clause("Z5")
def test_four_stalls_of_five_show_their_top_card_only():
    pos = BAZAAR.start(players=2, rates=(1, 2), first=0)
    wares = [ware.strip("*") for ware in shipped()["wares"]]
    assert pos.to_json()["stalls"] == [{"top": None, "left": 5}] * 4
    for stall, ware in enumerate(["WWWRR", "BBGGY", "WWBGY", "WWWWW"]):
        assert phase(pos) == "stalls"
        assert pos.to_json()["turn"] is None
        assert pos.chances() == {other: 1 / len(wares) for other in wares}
        pos.resolve(ware)
        wares.remove(ware)
        assert pos.to_json()["stalls"][stall] == {"top": ware, "left": 5}
    assert pos.to_json()["seen"] == ["WWWRR", "BBGGY", "WWBGY", "WWWWW"]
    assert phase(pos) == "act"


@clause("Z5")
def test_the_next_card_of_a_stall_is_any_that_was_never_seen():
    pos = buying("WWWRR")
    pos.play(0, "buy 1")
    assert phase(pos) == "reveal"
    assert pos.to_json()["turn"] == 0
    assert pos.actors == ()
    assert pos.to_json()["stalls"][0] == {"top": None, "left": 4}
    assert len(pos.chances()) == 41
    assert not {"WWWRR", "BBGGY", "WWBGY", "WWWWW"} & set(pos.chances())
    with pytest.raises(
        souk.IllegalMove, match="a card for stall 1 is due, and it cannot show 'WWWRR'"
    ):
        pos.resolve("WWWRR")
    pos.resolve("RRRRR")
    assert pos.to_json()["stalls"][0] == {"top": "RRRRR", "left": 4}
    assert pos.to_json()["seen"][-1] == "RRRRR"
    assert (phase(pos), pos.to_json()["turn"]) == ("act", 1)


@clause("Z6")
@pytest.mark.parametrize("players", range(2, 7))
def test_each_seat_is_equally_likely_to_begin(players: int):
    pos = position(*[""] * players, phase="first")
    assert pos.chances() == {f"first {seat}": 1 / players for seat in range(players)}
    pos.resolve("first 1")
    assert pos.actors == (1,)


@clause("Z6")
def test_a_given_seat_begins_and_it_goes_on_clockwise():
    pos = BAZAAR.start(players=3, rates=(1, 2), first=2)
    for ware in ("WWWRR", "BBGGY", "WWBGY", "WWWWW"):
        pos.resolve(ware)
    order = []
    for _ in range(4):
        order += pos.actors
        pos.play(pos.actors[0], "roll")
        pos.resolve("white")
    assert order == [2, 0, 1, 2]


# ---------------------------------------------------------------- a turn


@clause("Z10")
@pytest.mark.parametrize("players", range(1, 7))
def test_on_the_first_turn_one_can_only_roll(players: int):
    assert position(*[""] * players).moves(0) == ["roll"]


@clause("Z10")
def test_a_rolled_colour_brings_a_chip_of_it():
    for colour, name in enumerate(["white", "blue", "green", "red", "yellow"]):
        pos = position("", "")
        pos.play(0, "roll")
        assert (phase(pos), pos.to_json()["turn"], pos.actors) == ("die", 0, ())
        pos.resolve(name)
        assert chips(pos) == [int(colour == other) for other in range(5)]
        assert pos.to_json()["bank"] == [20 - int(colour == other) for other in range(5)]
        assert pos.actors == (1,)


@clause("Z10")
def test_choice_brings_any_chip():
    pos = position("", "")
    pos.play(0, "roll")
    pos.resolve("choice")
    assert phase(pos) == "choice"
    assert pos.moves(0) == ["take W", "take B", "take G", "take R", "take Y"]
    pos.play(0, "take G")
    assert chips(pos) == hand("G")
    assert pos.actors == (1,)


@clause("Z11")
def test_the_rulebooks_example_of_a_trade():
    pos = position("R", "")
    assert "trade R>WBGY" in pos.moves(0)
    pos.play(0, "trade R>WW")
    assert chips(pos) == hand("WW")
    assert pos.to_json()["bank"] == [18, 20, 20, 20, 20]
    assert pos.actors == (1,)
    back = position("WW", "")
    back.play(0, "trade WW>R")
    assert chips(back) == hand("R")


@clause("Z11")
def test_one_rolls_or_trades_in_the_order_of_the_rate_cards():
    assert position("R", "").moves(0) == ["roll", "trade R>WW", "trade R>WBGY"]
    assert position("WWW", "", rates=[1, 2]).moves(0) == ["roll", "trade WW>R", "trade W>BBG"]
    assert position("WWW", "", rates=[2, 1]).moves(0) == ["roll", "trade W>BBG", "trade WW>R"]
    assert position("RY", "").moves(0) == [
        "roll",
        "trade R>WW",
        "trade R>WBGY",
        "trade Y>WRR",
        "trade RY>WGG",
    ]


@clause("Z11")
def test_never_both_and_never_neither():
    assert refused(position("R", ""), 0, "done").clause == "Z11"
    pos = buying("WWWRRR")
    assert refused(pos, 0, "roll").clause == "Z11"
    assert refused(pos, 0, "trade R>WW").clause == "Z11"
    choice = position("R", "", phase="choice")
    assert refused(choice, 0, "roll").clause == "Z11"
    assert refused(choice, 0, "trade R>WW").clause == "Z11"


@clause("Z11")
def test_only_the_ten_equations_and_only_chips_one_has():
    pos = position("R", "WW")
    assert refused(pos, 0, "trade WW>R").clause == "Z11"
    assert refused(pos, 0, "trade R>YY").clause == "Z11"
    assert refused(pos, 0, "trade R>RR").clause == "Z11"
    assert "rate cards 1 and 2 have no such equation" in str(refused(pos, 0, "trade RRRRRRRRRR>W"))
    for many in (16, 32, 63):  # number of whites that packing could confuse with a blue chip
        assert "have no such equation" in str(
            refused(position("B", ""), 0, f"trade {'W' * many}>GG")
        )
    assert refused(position("R", "", rates=[2, 3]), 0, "trade R>WW").clause == "Z11"


@clause("Z12")
def test_one_buys_after_a_roll():
    pos = position("WWWR", "")
    assert refused(pos, 0, "buy 1").clause == "Z12"
    pos.play(0, "roll")
    pos.resolve("red")
    assert phase(pos) == "buy"
    assert pos.moves(0) == ["buy 1", "done"]
    pos.play(0, "buy 1")
    assert chips(pos) == [0] * 5
    assert pos.to_json()["bank"] == [20] * 5
    assert pos.to_json()["bought"] == [1, 0]
    assert pos.to_json()["stalls"][0]["left"] == 4


@clause("Z12")
def test_one_buys_after_a_trade_or_a_choice():
    pos = position("WRRR", "")
    pos.play(0, "trade R>WW")
    assert pos.moves(0) == ["buy 1", "done"]
    choice = position("WWRR", "", phase="choice")
    choice.play(0, "take W")
    assert choice.moves(0) == ["buy 1", "done"]


@clause("Z12")
def test_buying_is_optional_and_once():
    pos = buying("WWWRRWWBGY")
    assert pos.moves(0) == ["buy 1", "buy 3", "buy 4", "done"]
    pos.play(0, "done")
    assert (chips(pos), pos.actors) == ([5, 1, 1, 2, 1], (1,))
    pos = buying("WWWRRWWBGY")
    pos.play(0, "buy 1")
    pos.resolve("RRRRR")
    assert pos.actors == (1,)


@clause("Z12")
def test_without_anything_to_buy_the_turn_ends():
    pos = position("RRR", "WWWRR")
    pos.play(0, "trade R>WW")
    assert (phase(pos), pos.actors) == ("act", (1,))


@clause("Z12")
def test_what_cannot_be_bought():
    pos = buying("WWWRRB", left=[5, 0, 5, 5])
    assert refused(pos, 0, "buy 2").clause == "Z12"
    assert "stall 2 is empty" in str(refused(pos, 0, "buy 2"))
    assert refused(pos, 0, "buy 3").clause == "Z12"
    assert "costs 2 white, 1 blue, 1 green and 1 yellow" in str(refused(pos, 0, "buy 3"))
    assert refused(position("WWWRR", "", phase="choice"), 0, "buy 1").clause == "Z10"


@clause("Z13")
def test_the_bank_cannot_pay_what_it_has_not():
    pos = position("R", "WWWWWWWWWW", "WWWWWWWWW")
    assert pos.to_json()["bank"][0] == 1
    assert pos.moves(0) == ["roll", "trade R>WBGY"]
    assert refused(pos, 0, "trade R>WW").clause == "Z13"


@clause("Z13")
def test_a_colour_that_has_run_out_gives_nothing():
    pos = position("R", "WWWWWWWWWW", "WWWWWWWWWW")
    pos.play(0, "roll")
    assert pos.chances()["white"] == 1 / 6
    pos.resolve("white")
    assert chips(pos) == hand("R")
    assert pos.actors == (1,)
    assert pos.to_json()["turns_without_purchase"] == 1


@clause("Z13")
def test_a_roll_that_gives_nothing_still_lets_one_buy():
    pos = position("WWWRR", "WWWWWWWWWW", "WWWWWWW")
    pos.play(0, "roll")
    pos.resolve("white")
    assert chips(pos) == hand("WWWRR")
    assert pos.moves(0) == ["buy 1", "done"]


@clause("Z13")
def test_choice_takes_what_the_bank_has():
    pos = position("R", "WWWWWWWWWW", "WWWWWWWWWW", phase="choice")
    assert pos.moves(0) == ["take B", "take G", "take R", "take Y"]
    assert refused(pos, 0, "take W").clause == "Z13"


@clause("Z14")
def test_a_trade_may_lift_one_over_ten_only_to_buy():
    pos = position("RRRRRRRRRR", "")
    assert pos.moves(0) == ["roll"]
    assert refused(pos, 0, "trade R>WBGY").clause == "Z14"
    pos = position("RRRWWRRRRR", "")
    assert pos.moves(0) == [
        "roll",
        "trade R>WW",
        "trade WW>R",
        "trade R>WBGY",
        "trade WRR>Y",
        "trade WR>YY",
    ]
    pos.play(0, "trade R>WBGY")
    assert sum(chips(pos)) == 13
    assert pos.moves(0) == ["buy 1", "buy 3"]
    assert refused(pos, 0, "done").clause == "Z14"
    pos.play(0, "buy 1")
    assert sum(chips(pos)) == 8


@clause("Z14")
def test_what_the_trade_gives_away_cannot_pay_any_more():
    pos = position("WWWRRBBBBB", "", rates=[1, 6], tops=["WWWRR", "BBGGY", "WWBGY", "GGGGG"])
    assert refused(pos, 0, "trade W>RBBG").clause == "Z14"
    assert "trade R>WW" not in pos.moves(0)
    assert refused(pos, 0, "trade R>WW").clause == "Z14"


@clause("Z14")
def test_eight_of_a_colour_count_as_eight_after_a_trade():
    """Chips beyond seven of a colour matter when some are traded away."""
    tops = ["RRRRR", "BBBBB", "GGGGG", "YYYYY"]
    pos = position("RRRRRRRRRR", "", rates=[1, 2], tops=tops)
    pos.play(0, "trade R>WBGY")
    assert pos.moves(0) == ["buy 1"]


@clause("Z14")
def test_ten_are_allowed():
    pos = position("RRRRRRRRR", "")
    pos.play(0, "trade R>WW")
    assert sum(chips(pos)) == 10
    assert pos.actors == (1,)
    assert buying("WWWRRYYYYY").moves(0) == ["buy 1", "done"]


@clause("Z14")
def test_eleven_after_a_roll_must_buy_if_they_can():
    pos = position("WWWRRRRRRR", "")
    pos.play(0, "roll")
    pos.resolve("red")
    assert pos.moves(0) == ["buy 1"]
    assert refused(pos, 0, "done").clause == "Z14"


@clause("Z15")
def test_the_neighbour_takes_the_eleventh_chip_away():
    pos = position("", "RRRRRYYYYY", "", turn=1)
    pos.play(1, "roll")
    pos.resolve("blue")
    assert (phase(pos), pos.to_json()["turn"], pos.actors) == ("return", 1, (2,))
    assert pos.moves(2) == ["return B", "return R", "return Y"]
    assert pos.moves(1) == []
    assert refused(pos, 2, "return W").clause == "Z15"
    assert refused(pos, 2, "roll").clause == "Z15"
    pos.play(2, "return Y")
    assert chips(pos, 1) == hand("BRRRRRYYYY")
    assert (phase(pos), pos.to_json()["turn"], pos.actors) == ("act", 2, (2,))


@clause("Z15")
def test_the_last_seats_neighbour_is_seat_0():
    pos = position("", "RRRRRYYYYYB", phase="return", turn=1)
    assert pos.actors == (0,)
    assert refused(position("R", ""), 0, "return R").clause == "Z15"


# ---------------------------------------------------------------- value of a purchase

VALUES = [(0, 5, 8, 12), (1, 3, 5, 8), (2, 2, 3, 5), (3, 1, 2, 3), (4, 1, 2, 3), (5, 1, 2, 3)]


@clause("Z20", "Z21")
@pytest.mark.parametrize(("rest", "plain", "star", "stars"), VALUES)
def test_points_by_chips_left_and_stars(rest: int, plain: int, star: int, stars: int):
    def points(letters: str, buy: str, left: list[int]) -> int:
        pos = buying(letters + "Y" * rest, left=left)
        pos.play(0, buy)
        return pos.scores[0]

    assert points("WWWRR", "buy 1", [5, 5, 5, 5]) == plain
    assert points("WWWWW", "buy 4", [5, 5, 5, 5]) == star
    assert points("WWWRR", "buy 1", [5, 0, 5, 5]) == star
    assert points("WWWWW", "buy 4", [5, 0, 5, 5]) == stars


@clause("Z20")
def test_points_add_up():
    pos = buying("WWWRRB", points=[7, 3])
    pos.play(0, "buy 1")
    assert pos.scores == [10, 3]


@clause("Z21")
def test_the_purchase_that_empties_a_stall_has_no_star_yet():
    pos = buying("WWWRR", left=[1, 5, 5, 5])
    pos.play(0, "buy 1")
    assert pos.scores[0] == 5
    assert pos.to_json()["stalls"][0] == {"top": None, "left": 0}
    assert (phase(pos), pos.actors) == ("act", (1,))


# ---------------------------------------------------------------- end


@clause("Z30")
def test_two_empty_stalls_end_the_game_at_once():
    pos = buying("WWWRR", left=[1, 0, 5, 5])
    pos.play(0, "buy 1")
    assert (phase(pos), pos.to_json()["turn"], pos.actors, pos.chances()) == ("over", None, (), {})
    assert pos.over
    assert pos.scores[0] == 8


@clause("Z31")
@pytest.mark.parametrize(
    ("points", "bought", "winners"),
    [
        ([5, 8, 8], [1, 2, 3], (1,)),
        ([5, 8, 8], [0, 3, 3], (1, 2)),
        ([9, 8, 8], [9, 0, 0], (0,)),
        ([0, 0, 0], [0, 0, 0], (0, 1, 2)),
    ],
)
def test_most_points_then_fewer_wares_then_a_shared_win(
    points: list[int], bought: list[int], winners: tuple[int, ...]
):
    left = [2, 2, 2, 2]
    assert (
        position("", "", "", phase="over", points=points, bought=bought, left=left).winners
        == winners
    )
    assert position("", "", "", points=points, bought=bought, left=left).winners == ()


@clause("Z32")
@pytest.mark.parametrize("players", range(2, 7))
def test_fifty_turns_each_without_a_purchase_end_the_game(players: int):
    pos = position(*[""] * players, turns_without_purchase=50 * players - 2)
    pos.play(0, "roll")
    pos.resolve("white")
    assert not pos.over
    pos.play(1, "roll")
    pos.resolve("white")
    assert pos.over
    assert pos.winners == tuple(range(players))
    assert pos.to_json()["turns_without_purchase"] == 50 * players


@clause("Z32")
def test_turns_without_a_purchase_are_counted_when_they_end():
    def count(pos: souk.Position) -> int:
        return int(pos.to_json()["turns_without_purchase"])

    pos = position("WWWR", "RRRRRYYYYY", turns_without_purchase=98)
    pos.play(0, "roll")
    pos.resolve("red")
    assert count(pos) == 98
    skipped = pos.copy()
    skipped.play(0, "done")
    assert count(skipped) == 99
    skipped.play(1, "roll")
    skipped.resolve("green")
    assert (count(skipped), phase(skipped)) == (99, "return")
    skipped.play(0, "return R")
    assert (count(skipped), phase(skipped)) == (100, "over")
    pos.play(0, "buy 1")
    assert count(pos) == 0
    pos.resolve("GGGGG")
    assert count(pos) == 0
    pos.play(1, "roll")
    pos.resolve("red")
    pos.play(0, "return R")
    assert count(pos) == 1


@clause("Z32")
def test_alone_200_actions_are_enough():
    pos = position("", actions=199, turns_without_purchase=199)
    pos.play(0, "roll")
    assert pos.scores == [200]
    assert not pos.over
    pos.resolve("white")
    assert (pos.over, pos.winners, pos.scores) == (True, (), [200])
    fifty = position("", actions=60, turns_without_purchase=60)
    fifty.play(0, "roll")
    fifty.resolve("white")
    assert not fifty.over


def after_200_actions(letters: str) -> souk.Position:
    """Solitaire after the 200th action, a roll that brought a red chip."""
    pos = position(letters, actions=199)
    pos.play(0, "roll")
    pos.resolve("red")
    return pos


@clause("Z32")
def test_alone_one_may_still_buy_with_the_200th_action():
    pos = after_200_actions("WWWR")
    assert phase(pos) == "buy"
    not_bought = pos.copy()
    not_bought.play(0, "done")
    assert (not_bought.over, not_bought.winners) == (True, ())
    pos.play(0, "buy 1")
    assert (pos.over, pos.winners, pos.scores) == (True, (0,), [200])


@clause("Z32")
def test_alone_the_chip_of_the_200th_action_is_still_returned():
    pos = after_200_actions("RRRRRYYYYY")
    assert phase(pos) == "return"
    pos.play(0, "return R")
    assert pos.over
