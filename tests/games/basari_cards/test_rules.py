"""Basari, the card game, clause by clause."""

import random
from collections import Counter
from typing import Any

import pytest

import souk
from souk.core.game_contract import check_game
from souk.games.basari_cards import notation, rules
from souk.kernel import default_ops as defaults
from tests.support.basari_cards_positions import (
    DECK,
    GAME,
    at,
    choose,
    exchange,
    haggle,
    with_an_empty_pile,
)
from tests.support.marks import clause
from tests.support.play import refused

# ---------------------------------------------------------------- components


@clause("K1")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_there_are_22_gems_of_each_colour_and_all_are_open(players: int) -> None:
    json = GAME.start(players=players).to_json()
    assert [json["supply"][c] + sum(row[c] for row in json["gems"]) for c in range(4)] == [22] * 4
    assert at(gems=[[1, 2, 3, 4], [0] * 4, [5] * 4]).to_json(seat=-1)["gems"] == [
        [1, 2, 3, 4],
        [0] * 4,
        [5] * 4,
    ]


@clause("K1", "K22")
def test_red_ranks_above_yellow_above_green_above_blue() -> None:
    pos = GAME.from_json(haggle(offer=[0, 0, 0, 1], gems=[[1, 1, 1, 1], [3] * 4, [3] * 4]))
    assert pos.moves(0)[:4] == ["accept", "offer 1g", "offer 1y", "offer 1r"]


@clause("K2")
def test_the_deck_has_39_different_cards_within_the_limits() -> None:
    assert len(DECK) == 39
    for card in DECK:
        workers, points, gems = card.split("/")
        assert 1 <= int(workers) <= 4
        assert 4 <= int(points) <= 7
        assert 2 <= len(gems) <= 4
        assert set(gems) <= set("RYGB")
    assert Counter(card[0] for card in DECK) == {"1": 9, "2": 10, "3": 11, "4": 9}
    assert DECK[0] == "1/5/RYBB"
    assert DECK[-1] == "4/6/RR"
    assert "reconstruction" in GAME.about_box({"deck": "souk"})


@clause("K3")
@pytest.mark.parametrize(
    ("players", "supply", "actions"), [(3, 13, "ABC"), (4, 10, "ABC"), (5, 7, "ABCD")]
)
def test_everybody_starts_with_three_of_each_colour(
    players: int, supply: int, actions: str
) -> None:
    json = GAME.start(players=players).to_json()
    assert json["gems"] == [[3, 3, 3, 3]] * players
    assert json["supply"] == [supply] * 4
    assert at(players=players).moves(0) == list(actions)


@clause("K3")
def test_action_d_needs_five_players() -> None:
    assert refused(at(players=4), 0, "D").clause == "K3"
    assert at(players=5).is_legal(0, "D")


# ---------------------------------------------------------------- a round


@clause("K10")
def test_cards_are_dealt_in_turn_and_stay() -> None:
    pos = GAME.start(players=3)
    assert (pos.to_json()["phase"], pos.to_json()["turn"], pos.actors) == ("deal", 0, ())
    assert set(pos.chances().values()) == {1 / 39}
    pos.resolve("2/7/GG")
    assert pos.to_json()["turn"] == 1
    assert "2/7/GG" not in pos.chances()
    assert set(pos.chances().values()) == {1 / 38}
    pos.resolve("4/6/RR")
    pos.resolve("1/5/RYBB")
    json = pos.to_json()
    assert (json["phase"], json["turn"]) == ("choose", None)
    assert json["cards"] == ["2/7/GG", "4/6/RR", "1/5/RYBB"]
    assert json["workers"] == [2, 4, 1]
    assert json["seen"] == ["1/5/RYBB", "2/7/GG", "4/6/RR"]
    json = choose(pos, "BBB")  # lost: the next round is dealt, and the cards seen stay seen
    assert (json["phase"], json["turn"], json["cards"]) == ("deal", 0, [None] * 3)
    assert (json["workers"], len(json["seen"])) == ([2, 4, 1], 3)


@clause("K11")
def test_choices_are_secret_until_all_are_made() -> None:
    pos = at(cards=["2/7/GG", "4/6/RR", "1/5/RYBB"])
    assert pos.actors == (0, 1, 2)
    pos.play(1, "B")
    assert pos.actors == (0, 2)
    assert pos.moves(1) == []
    assert refused(pos, 1, "C").clause is None
    assert pos.to_json()["choices"] == [None, "B", None]
    assert pos.to_json()["ready"] == [False, True, False]
    assert pos.to_json(seat=1)["choices"] == [None, "B", None]
    for seat in (-1, 0, 2):
        assert pos.to_json(seat=seat)["choices"] == [None] * 3
        assert pos.to_json(seat=seat)["ready"] == [False, True, False]
    pos.play(2, "A")
    assert pos.to_json()["turn"] == 0  # the last one left
    pos.play(0, "A")
    for seat in (-1, 0, 1, 2):
        assert pos.to_json(seat=seat)["choices"] == ["A", "B", "A"]
        assert pos.to_json(seat=seat)["ready"] == [False] * 3


@clause("K11")
def test_what_is_not_a_choice_is_refused_while_choosing() -> None:
    assert refused(at(), 0, "accept").clause == "K11"
    assert refused(at(players=5), 0, "take r").clause == "K11"
    assert refused(at(), 0, "Z").clause is None


@clause("K12")
def test_actions_are_settled_in_order() -> None:
    pos = at(players=5, cards=["1/7/RBB", "1/7/RYY", "1/7/YGB", "4/6/RR", "4/6/BB"])
    json = choose(pos, "DCBAA")
    assert (json["phase"], json["pending"], json["points"]) == (
        "haggle",
        ["A", "B", "C", "D"],
        [0] * 5,
    )
    pos.play(3, "offer 1b")
    pos.play(4, "accept")
    assert (pos.to_json()["phase"], pos.to_json()["turn"]) == ("draw", 3)
    assert pos.to_json()["pending"] == ["A", "B", "C", "D"]
    pos.resolve("2/4/RRR")
    json = pos.to_json()
    assert (json["phase"], json["turn"], json["pending"]) == ("give", 0, ["D"])
    assert json["points"] == [0, 0, 7, 0, 0]  # B
    assert json["gems"][1] == [4, 5, 3, 3]  # C
    assert json["choices"] == list("DCBAA")  # visible until the round is over
    pos.play(0, "give b")
    assert pos.to_json()["pending"] == ["D"]
    pos.play(0, "take rr")
    assert (pos.to_json()["phase"], pos.to_json()["pending"], pos.to_json()["choices"]) == (
        "deal",
        [],
        [None] * 5,
    )


@clause("K12")
def test_c_comes_before_d() -> None:
    gems = [[0, 0, 0, 1], [2, 0, 0, 0], [10, 10, 10, 10], [10, 12, 12, 10], [0] * 4]
    pos = at(players=5, gems=gems, cards=[None, "4/6/BB", None, None, None])
    json = choose(pos, "DCBBB")
    assert json["supply"] == [0, 0, 0, 0]  # seat 1 took the only blue gem
    assert json["gems"][1] == [2, 0, 0, 1]
    assert json["phase"] == "give"
    pos.play(0, "give b")
    assert pos.moves(0) == ["take b"]


@clause("K13")
def test_a_draws_the_next_card_for_its_workers() -> None:
    pos = at(cards=["2/7/GG", "4/6/RR", "1/5/RYBB"], workers=[2, 4, 1])
    json = choose(pos, "BCA")
    assert (json["phase"], json["turn"], json["pending"]) == ("draw", 2, ["A", "B", "C"])
    assert pos.actors == ()
    assert len(pos.chances()) == 36
    with pytest.raises(souk.IllegalMove, match="a card for seat 2 is due"):
        pos.resolve("4/6/RR")
    pos.resolve("3/4/YYY")
    json = pos.to_json()
    assert json["workers"] == [2, 4, 4]
    assert "3/4/YYY" in json["seen"]


@clause("K13", "K15")
def test_the_card_drawn_for_a_gives_no_gems_or_points() -> None:
    pos = at(cards=["2/7/GG", "4/6/RR", "1/5/RYBB"], workers=[2, 4, 1])
    choose(pos, "ABC")
    pos.resolve("3/4/YYY")
    assert pos.to_json()["gems"] == [[3] * 4, [3] * 4, [4, 4, 3, 5]]
    assert pos.scores == [0, 6, 0]


@clause("K14")
def test_b_gives_the_points_of_the_card_of_this_round() -> None:
    seen = ["1/7/RBB", "2/7/GG", "4/6/RR", "1/5/RYBB"]
    pos = at(cards=["2/7/GG", "4/6/RR", "1/5/RYBB"], seen=seen, points=[10, 20, 30])
    choose(pos, "BCC")
    assert pos.scores == [17, 20, 30]


@clause("K15")
def test_c_gives_the_gems_of_the_card() -> None:
    json = choose(at(players=4, cards=["1/6/YYYG", "4/6/RR", "1/5/RYBB", None]), "CBBB")
    assert json["gems"][0] == [3, 6, 4, 3]
    assert json["supply"] == [10, 7, 9, 10]


@clause("K15")
def test_c_gives_what_is_left_of_a_colour_that_has_run_short() -> None:
    gems = [[0, 0, 0, 0], [0, 20, 0, 0], [0, 0, 22, 0], [0] * 4]
    json = choose(at(players=4, cards=["1/6/YYYG", None, None, None], gems=gems), "CBBB")
    assert json["gems"][0] == [0, 2, 0, 0]
    assert json["supply"][1:3] == [0, 0]


@clause("K16")
def test_one_carries_out_two_haggle_three_lose() -> None:
    cards = ["2/7/GG", "4/6/RR", "1/5/RYBB", "2/7/RG"]
    alone = choose(at(players=4, cards=cards), "BAAA")
    assert alone["points"] == [7, 0, 0, 0]
    assert alone["phase"] == "deal"
    both = choose(at(players=4, cards=cards), "BBAA")
    assert (both["phase"], both["haggle"]["action"], both["pending"]) == ("haggle", "A", ["A", "B"])
    lost = choose(at(players=4, cards=cards), "CCCC")
    assert (lost["phase"], lost["gems"]) == ("deal", [[3] * 4] * 4)
    assert refused(GAME.from_json(haggle()), 0, "B").clause == "K16"


@clause("K17")
def test_with_an_empty_pile_no_card_is_dealt_and_none_drawn() -> None:
    seen = [card for card in DECK if card != "2/7/GG"]
    last = at("deal", turn=1, cards=["4/6/RR", None, None], seen=seen, workers=[15, 0, 0])
    assert last.chances() == {"2/7/GG": 1.0}
    last.resolve("2/7/GG")
    json = last.to_json()
    assert (json["phase"], json["cards"]) == ("choose", ["4/6/RR", "2/7/GG", None])
    last = with_an_empty_pile(cards=json["cards"])
    json = choose(last, "BAC")  # A finds no card, C has none
    assert (json["phase"], json["cards"]) == (
        "choose",
        [None] * 3,
    )  # nothing to deal: at once the next choice
    assert json["points"] == [6, 0, 0]
    assert json["gems"] == [[3] * 4] * 3
    json = choose(last, "BBC")
    assert json["pending"] == ["B", "C"]
    last.play(json["turn"], "offer 1b")
    last.play(1, "accept")
    assert last.scores == [6, 0, 0]  # haggled for, yet worthless without a card
    assert last.to_json()["phase"] == "choose"


# ---------------------------------------------------------------- haggling


@clause("K20")
@pytest.mark.parametrize(
    ("zero", "one"),
    [
        ({"gems": [3, 9, 9, 9]}, {"gems": [4, 0, 0, 0]}),
        ({"gems": [3, 3, 9, 9]}, {"gems": [3, 4, 0, 0]}),
        ({"gems": [3, 3, 3, 9]}, {"gems": [3, 3, 4, 0]}),
        ({"gems": [3, 3, 3, 3], "points": 99}, {"gems": [3, 3, 3, 4]}),
        ({"points": 10, "workers": 14}, {"points": 11}),
        ({"points": 10, "workers": 3}, {"points": 10, "workers": 4}),
    ],
)
def test_who_opens_a_haggle(zero: dict[str, Any], one: dict[str, Any]) -> None:
    seats = [zero, one, {}]
    held = {name: [seat.get(name, 0) for seat in seats] for name in ("points", "workers")}
    pos = at(gems=[seat.get("gems", [3] * 4) for seat in seats], **held)
    json = choose(pos, "AAB")
    assert json["turn"] == 1
    assert json["haggle"] == {
        "action": "A",
        "seats": [1, 0],
        "turn": 1,
        "offer": None,
        "offerer": None,
    }
    assert pos.actors == (1,)


@clause("K20")
def test_on_a_full_tie_the_lower_seat_opens() -> None:
    json = choose(at(), "BAA")
    assert json["haggle"]["seats"] == [1, 2]
    assert json["turn"] == 1


@clause("K21")
def test_the_opener_must_offer_a_gem() -> None:
    pos = GAME.from_json(haggle(gems=[[1, 0, 0, 1], [0, 3, 3, 3], [3] * 4]))
    assert pos.moves(0) == ["offer 1b", "offer 1r", "offer 1r1b"]
    assert refused(pos, 0, "pass").clause == "K21"
    assert refused(pos, 0, "offer 1y").clause == "K21"
    assert refused(pos, 0, "offer 2r").clause == "K21"
    assert refused(pos, 0, "offer 99r").clause == "K21"
    assert refused(pos, 0, "accept").clause == "K22"


@clause("K21")
def test_without_any_gem_the_other_has_the_action_free() -> None:
    pos = at(gems=[[0] * 4, [0] * 4, [3] * 4], cards=["2/7/GG", "1/5/RYBB", "4/6/RR"])
    choose(pos, "BBC")
    assert pos.moves(0) == ["pass"]
    pos.play(0, "pass")
    assert pos.scores == [0, 5, 0]
    assert pos.to_json()["gems"] == [[0] * 4, [0] * 4, [5, 3, 3, 3]]


@clause("K22")
def test_a_raise_has_more_gems_or_as_many_of_higher_value() -> None:
    pos = GAME.from_json(haggle(offer=[0, 4, 0, 0], gems=[[3] * 4, [3, 4, 3, 3], [3] * 4]))
    assert pos.is_legal(0, "offer 1r3b")
    assert pos.is_legal(0, "offer 2g3b")
    assert refused(pos, 0, "offer 3y1g").clause == "K22"
    assert refused(pos, 0, "offer 3r").clause == "K22"
    assert refused(pos, 0, "pass").clause == "K22"
    sizes = [sum(int(n) for n in move.removeprefix("offer ")[::2]) for move in pos.moves(0)[1:]]
    assert sizes == sorted(sizes)  # from the lowest to the highest


@clause("K22")
def test_an_offer_equal_to_the_one_on_the_table_is_no_raise() -> None:
    pos = GAME.from_json(haggle(offer=[1, 0, 0, 1]))
    assert refused(pos, 0, "offer 1r1b").clause == "K22"
    assert pos.is_legal(0, "offer 1r1g")


@clause("K22")
def test_accepting_hands_over_the_offer_and_leaves_the_action_to_the_other() -> None:
    pos = GAME.from_json(haggle("B", [1, 0, 0, 2], cards=["2/7/GG", "1/5/RYBB", None]))
    pos.play(0, "accept")
    json = pos.to_json()
    assert json["gems"][:2] == [[4, 3, 3, 5], [2, 3, 3, 1]]
    assert json["points"] == [0, 5, 0]
    assert json["haggle"] is None


@clause("K22")
def test_who_cannot_raise_can_only_accept() -> None:
    pos = GAME.from_json(haggle(offer=[2, 0, 0, 0], gems=[[1, 1, 0, 0], [3] * 4, [3] * 4]))
    assert pos.moves(0) == ["accept"]


@clause("K22")
def test_the_haggle_of_max_and_hanna() -> None:
    """The rulebook's example: earlier offers bind nobody, only the accepted one changes hands."""
    pos = at(gems=[[4, 3, 3, 3], [3, 3, 3, 3], [3] * 4], cards=["2/7/GG", "1/5/RYBB", "4/6/RR"])
    choose(pos, "BBA")
    pos.resolve("3/4/YYY")
    for seat, offer in enumerate(["1y", "1r", "1g1b", "1r1b", "2r", "3b"]):
        pos.play(seat % 2, f"offer {offer}")
    assert pos.to_json()["haggle"]["offer"] == [0, 0, 0, 3]
    pos.play(0, "accept")
    assert pos.to_json()["gems"][:2] == [[4, 3, 3, 6], [3, 3, 3, 0]]
    assert pos.scores == [0, 5, 0]


@clause("K13", "K14", "K15")
def test_the_round_of_hanna_max_and_sarah() -> None:
    """The rulebook's example: 5 workers by A, 5 points by B, 2 red and 1 blue gem by C."""
    pos = at(cards=["3/5/RGB", "1/6/RRB", "2/4/RRR"], workers=[3, 1, 2])
    json = choose(pos, "BCA")
    pos.resolve("3/6/GB")
    json = pos.to_json()
    assert json["workers"] == [3, 1, 5]
    assert json["points"] == [5, 0, 0]
    assert json["gems"][1] == [5, 3, 3, 4]
    assert json["phase"] == "deal"


# ---------------------------------------------------------------- five players: action D


@clause("K30")
@pytest.mark.parametrize(
    ("choices", "takers"), [("DBBBC", 1), ("DDBBB", 2), ("DDDBB", 3), ("DDDDD", 5)]
)
def test_d_is_never_haggled_for_and_never_lost(choices: str, takers: int) -> None:
    pos = at(players=5)
    json = choose(pos, choices)
    while json["phase"] == "haggle":
        pos.play(json["turn"], pos.moves(json["turn"])[0])
        json = pos.to_json()
    assert json["pending"] == ["D"]
    taken = 0
    while pos.actors and pos.to_json()["phase"] != "choose":
        seat = pos.actors[0]
        taken += pos.to_json()["phase"] == "take"
        pos.play(seat, pos.moves(seat)[0])
    assert taken == takers
    assert pos.to_json()["phase"] == "deal"


@clause("K31")
def test_alone_on_d_one_returns_a_gem_and_takes_two() -> None:
    pos = exchange("give", "BBBDB", 3, gems=[[3] * 4, [3] * 4, [3] * 4, [1, 0, 2, 0], [3] * 4])
    assert pos.moves(3) == ["give r", "give g"]
    assert refused(pos, 3, "give y").clause == "K31"
    assert refused(pos, 3, "give rg").clause == "K31"
    assert refused(pos, 3, "take rr").clause == "K31"
    pos.play(3, "give g")
    json = pos.to_json()
    assert (json["phase"], json["turn"], json["gems"][3], json["supply"]) == (
        "take",
        3,
        [1, 0, 1, 0],
        [9, 10, 9, 10],
    )
    pairs = ["rr", "ry", "rg", "rb", "yy", "yg", "yb", "gg", "gb", "bb"]
    assert pos.moves(3) == [f"take {pair}" for pair in pairs]
    assert refused(pos, 3, "take r").clause == "K31"
    assert refused(pos, 3, "take ryg").clause == "K31"
    assert refused(pos, 3, "give g").clause == "K31"
    pos.play(3, "take yb")
    assert pos.to_json()["gems"][3] == [1, 1, 1, 1]
    assert pos.to_json()["phase"] == "deal"


@clause("K31")
def test_the_gem_returned_may_be_taken_again() -> None:
    pos = exchange("give", "BBBBD", 4, gems=[[6, 5, 5, 5], [5] * 4, [5] * 4, [5] * 4, [1, 2, 2, 2]])
    pos.play(4, "give r")
    pos.play(4, "take r")
    assert pos.to_json()["gems"][4] == [1, 2, 2, 2]


@clause("K31")
def test_who_holds_no_gem_returns_none() -> None:
    pos = at(players=5, gems=[[3] * 4, [3] * 4, [3] * 4, [3] * 4, [0] * 4])
    json = choose(pos, "BBBBD")
    assert (json["phase"], json["turn"]) == ("take", 4)
    assert len(pos.moves(4)) == 10


@clause("K32")
def test_several_on_d_take_one_each_in_the_order_of_k20() -> None:
    gems = [[1, 5, 0, 0], [3, 0, 0, 0], [3, 0, 0, 0], [1, 4, 9, 9], [2, 2, 2, 2]]
    pos = at(players=5, gems=gems, points=[0, 7, 8, 0, 0])
    json = choose(pos, "DDDDB")
    order = []
    while json["phase"] == "take":
        seat = json["turn"]
        order.append(seat)
        assert pos.actors == (seat,)
        assert pos.moves(seat) == ["take r", "take y", "take g", "take b"]
        assert refused(pos, seat, "take ry").clause == "K32"
        assert refused(pos, seat, "A").clause == "K32"
        pos.play(seat, "take y")
        json = pos.to_json()
    assert order == [2, 1, 0, 3]
    assert json["gems"] == [[1, 6, 0, 0], [3, 1, 0, 0], [3, 1, 0, 0], [1, 5, 9, 9], [2, 2, 2, 2]]


@clause("K32")
def test_the_order_stands_even_when_a_gem_taken_lifts_one_over_another() -> None:
    """Seat 0 takes blue, then seat 1 red, passing seat 0, which has had its turn: seat 2 is
    next.
    """
    pos = at(players=5)
    choose(pos, "DDDBC")
    for seat, move in enumerate(["take b", "take r", "take y"]):
        assert pos.to_json()["turn"] == seat
        assert pos == GAME.from_json(pos.to_json())
        pos.play(seat, move)
    assert pos.to_json()["phase"] == "deal"
    assert pos.to_json()["gems"][:3] == [[3, 3, 3, 4], [4, 3, 3, 3], [3, 4, 3, 3]]


@clause("K33")
def test_a_short_supply_gives_what_there_is() -> None:
    gems = [[22, 22, 21, 22], [0] * 4, [0] * 4, [0] * 4, [0] * 4]
    alone = exchange("take", "BBBBD", 4, gems=gems)
    assert alone.moves(4) == ["take g"]
    assert refused(alone, 4, "take gg").clause == "K33"
    assert refused(alone, 4, "take r").clause == "K33"
    alone.play(4, "take g")
    assert alone.to_json()["gems"][4] == [0, 0, 1, 0]
    short = exchange("take", "BBBBD", 4, gems=[[22, 22, 21, 20], *gems[1:]])
    assert short.moves(4) == ["take gb", "take bb"]
    assert refused(short, 4, "take gg").clause == "K33"


@clause("K33")
def test_an_empty_supply_gives_nothing() -> None:
    gems = [[22, 22, 21, 22], [0] * 4, [0] * 4, [0] * 4, [0] * 4]
    together = exchange("take", "DDBBB", 0, gems=gems)
    together.play(0, "take g")
    assert together.to_json()["phase"] == "deal"  # nothing is left for seat 1
    alone = at(players=5, gems=[[22] * 4, *gems[1:]])
    assert choose(alone, "BBBBD")["phase"] == "deal"  # nothing to return, nothing to take
    full = at(players=5, gems=[[22] * 4, *gems[1:]])
    assert choose(full, "DBBBB")["phase"] == "give"
    full.play(0, "give y")
    assert full.moves(0) == ["take y"]


# ---------------------------------------------------------------- the end of a deal


def end_of_deal(gems: list[list[int]], workers: list[int], deals: int = 0) -> dict[str, Any]:
    """A deal that ends with a round in which everybody chooses B, and it is lost."""
    players = len(gems)
    return choose(
        at(players=players, gems=gems, workers=workers, seen=DECK[:9], deals=deals), "B" * players
    )


@clause("K40")
def test_a_deal_ends_at_15_workers() -> None:
    json = end_of_deal([[3] * 4] * 3, [14, 14, 14])
    assert (json["deals"], json["workers"]) == (0, [14] * 3)
    json = end_of_deal([[3] * 4] * 3, [1, 15, 1])
    assert (json["deals"], json["workers"]) == (1, [0] * 3)


@clause("K40")
def test_the_round_is_played_to_its_end_first() -> None:
    pos = at(cards=["4/6/RR", "2/7/GG", "1/5/RYBB"], workers=[14, 3, 4])
    choose(pos, "ABC")
    pos.resolve("1/6/RRB")  # seat 0 has 15 now; B and C are still carried out, and count
    json = pos.to_json()
    assert json["deals"] == 1
    assert json["points"] == [12 + 10 // 3, 7 + 10 // 3, 14 + 12 + 8 + 10 // 3]
    assert json["supply"] == [22 - 8, 22 - 8, 22 - 3, 22 - 8]


@clause("K41")
@pytest.mark.parametrize(("colour", "points"), [(0, 14), (1, 12), (2, 10), (3, 8)])
def test_the_most_of_a_colour_scores_and_half_goes_back(colour: int, points: int) -> None:
    for held, kept in ((7, 3), (6, 3), (1, 0)):
        gems = [[0] * 4, [0] * 4, [0] * 4]
        gems[1][colour] = held
        json = end_of_deal(gems, [0, 0, 15])
        assert json["points"] == [0, points, 12]
        assert json["gems"][1][colour] == kept
        assert json["supply"][colour] == 22 - kept


@clause("K42")
def test_tied_holders_share_and_return_two_each() -> None:
    gems = [[5, 5, 1, 0], [5, 5, 1, 0], [4, 5, 1, 0], [0, 0, 1, 0]]
    json = end_of_deal(gems, [15, 0, 0, 0])
    assert json["points"] == [7 + 4 + 2 + 12, 7 + 4 + 2, 4 + 2, 2]
    assert json["gems"] == [[3, 3, 0, 0], [3, 3, 0, 0], [4, 3, 0, 0], [0, 0, 0, 0]]
    assert json["supply"] == [22 - 10, 22 - 9, 22, 22]


@clause("K42")
def test_a_colour_nobody_holds_scores_nothing() -> None:
    assert end_of_deal([[0] * 4] * 3, [15, 0, 0])["points"] == [12, 0, 0]


@clause("K43")
def test_everybody_with_15_workers_gets_12_points_unshared() -> None:
    assert end_of_deal([[0] * 4] * 4, [15, 14, 22, 0])["points"] == [12, 0, 12, 0]


@clause("K44")
def test_all_cards_go_back_gems_are_kept() -> None:
    json = end_of_deal([[3] * 4] * 3, [15, 3, 3], deals=1)
    assert (json["phase"], json["turn"], json["deals"]) == ("deal", 0, 2)
    assert (json["workers"], json["seen"], json["cards"]) == ([0] * 3, [], [None] * 3)
    assert json["gems"] == [[1] * 4] * 3
    assert len(GAME.from_json(json).chances()) == 39


@clause("K44")
def test_the_third_deal_is_scored_in_full_and_ends_the_game() -> None:
    json = end_of_deal([[4, 0, 0, 0], [0] * 4, [0] * 4], [15, 3, 3], deals=2)
    assert (json["phase"], json["turn"], json["deals"]) == ("over", None, 3)
    assert (json["workers"], json["seen"], json["choices"]) == ([0] * 3, [], [None] * 3)
    assert json["gems"][0] == [2, 0, 0, 0]
    assert json["points"] == [26, 0, 0]
    pos = GAME.from_json(json)
    assert pos.over
    assert pos.actors == ()
    assert pos.chances() == {}
    assert str(refused(pos, 0, "A")) == "the game is over"


@clause("K45")
def test_most_points_win_and_equal_points_share() -> None:
    assert at("over", deals=3, points=[50, 61, 60]).winners == (1,)
    assert at("over", deals=3, points=[61, 50, 61], gems=[[0] * 4, [9] * 4, [9] * 4]).winners == (
        0,
        2,
    )
    assert at(points=[50, 61, 60]).winners == ()
    assert at(points=[50, 61, 60]).scores == [50, 61, 60]


# ---------------------------------------------------------------- whole games


def test_the_contract_is_kept() -> None:
    assert check_game(GAME, games=1, processes=False).games == 3


def test_a_random_card_is_the_one_that_the_list_would_give() -> None:
    rng = random.Random(5)
    out, weights = [0] * 39, [0] * 39
    for n in range(1, 40):
        pos = at("deal", turn=0, workers=[15, 0, 0], seen=rng.sample(DECK, 39 - n))
        for _ in range(20):
            x = rng.getrandbits(64)
            picked = rules.random_outcome(pos.state, x, out, weights)
            assert picked == defaults.random_outcome(pos.state, x, out, weights)


def test_a_random_gem_is_taken_evenly() -> None:
    pos = exchange("take", "BBBBD", 4, gems=[[22, 22, 21, 20], *[[0] * 4] * 4])
    picked = Counter(rules.random_move(pos.state, 4, n << 54, [0] * 39) for n in range(1024))
    assert {notation.move_text(pos.state, move): times for move, times in picked.items()} == {
        "take gb": 512,
        "take bb": 512,
    }
