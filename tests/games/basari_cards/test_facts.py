"""Facts of the card game match what happened: cards, workers, haggles, exchanges and scorings."""

import pytest

import souk
from souk.core.facts import Chose, Ended, Fact
from souk.games.basari_cards.facts import (
    CameToNothing,
    CardTurnedUp,
    DealEnded,
    GemsReturned,
    WorkersScored,
)
from souk.games.basari_common import facts as shared
from tests.support.basari_cards_positions import GAME, at, exchange, haggle, with_an_empty_pile
from tests.support.marks import clause
from tests.support.play import facts_of
from tests.support.random_games import random_steps

SEEDS = range(5)
CARDS = ["1/5/RYBB", "2/7/GG", "4/4/RRG"]


def last_choice(pos: souk.Position, choices: str) -> list[Fact]:
    """Facts of the last choice of a round."""
    for seat, choice in enumerate(choices[:-1]):
        assert facts_of(pos, seat, choice) == [Chose(seat)]
    return facts_of(pos, len(choices) - 1, choices[-1])


# ---------------------------------------------------------------- random games


@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_is_told_with_what_it_shows(seed: int):
    for before, _, seat, text, facts in random_steps("basari-cards", 4, {}, seed):
        cards = [fact for fact in facts if isinstance(fact, CardTurnedUp)]
        assert len(cards) == (seat is None)
        if seat is None:
            workers, points, letters = text.split("/")
            gems = [letters.count(colour) for colour in "RYGB"]
            was = before.to_json()
            drawn = was["phase"] == "draw"
            assert facts[0] == CardTurnedUp(
                was["turn"], text, int(workers), int(points), gems, drawn
            )


# ---------------------------------------------------------------- a round


@clause("K11")
def test_a_choice_not_yet_revealed_tells_that_it_was_made_and_no_more():
    for action in "ABC":
        assert facts_of(at(cards=CARDS), 2, action) == [Chose(2)]


@clause("K16")
def test_the_last_choice_tells_all_and_what_is_lost():
    assert last_choice(at(cards=CARDS), "BBB") == [
        shared.Revealed(["B", "B", "B"]),
        shared.Lost("B", [0, 1, 2]),
    ]


@clause("K12", "K13", "K14", "K15")
def test_actions_are_told_in_their_order():
    pos = at(cards=CARDS)
    assert last_choice(pos, "BAC") == [shared.Revealed(["B", "A", "C"])]
    assert facts_of(pos, None, "3/7/BB") == [
        CardTurnedUp(1, "3/7/BB", 3, 7, [0, 0, 0, 2], True),
        shared.PointsScored(0, 5, "B"),
        shared.GemsTaken(2, [2, 0, 1, 0], [2, 0, 1, 0]),
    ]


@clause("K15")
def test_gems_that_the_supply_does_not_have():
    pos = at(cards=CARDS, gems=[[21, 3, 3, 3], [0, 3, 3, 3], [0, 3, 3, 3]])
    assert last_choice(pos, "BBC")[1:] == [shared.HaggleCalled("B", [0, 1], 0)]
    facts_of(pos, 0, "offer 1y")
    assert facts_of(pos, 1, "accept")[2:] == [shared.GemsTaken(2, [1, 0, 1, 0], [2, 0, 1, 0])]


@clause("K17")
def test_what_comes_to_nothing_is_told():
    """The pile is empty, and only seat 0 was dealt a card."""
    pos = with_an_empty_pile(cards=["4/6/RR", None, None])
    assert last_choice(pos, "BCA") == [
        shared.Revealed(["B", "C", "A"]),
        CameToNothing(2, "A"),
        shared.PointsScored(0, 6, "B"),
        CameToNothing(1, "C"),
    ]
    assert last_choice(with_an_empty_pile(cards=["4/6/RR", None, None]), "CBA")[1:] == [
        CameToNothing(2, "A"),
        CameToNothing(1, "B"),
        shared.GemsTaken(0, [2, 0, 0, 0], [2, 0, 0, 0]),
    ]


# ---------------------------------------------------------------- haggles


@clause("K20", "K21", "K22")
def test_a_haggle_from_its_call_to_its_end():
    pos = at(cards=CARDS, gems=[[3, 3, 3, 3], [3, 3, 3, 4], [3, 3, 3, 3]])
    assert last_choice(pos, "AAB")[1:] == [shared.HaggleCalled("A", [1, 0], 1)]
    assert facts_of(pos, 1, "offer 1b") == [shared.Offered(1, [0, 0, 0, 1])]
    assert facts_of(pos, 0, "offer 1r") == [shared.Offered(0, [1, 0, 0, 0])]
    assert facts_of(pos, 1, "accept") == [shared.HaggleEnded("A", 0, 1, [1, 0, 0, 0], 1)]


@clause("K21")
def test_an_opener_without_a_gem():
    pos = GAME.from_json(haggle("A", gems=[[0] * 4, [0] * 4, [3] * 4], cards=CARDS))
    assert facts_of(pos, 0, "pass") == [shared.HaggleEnded("A", 1, 0, [0, 0, 0, 0], 0)]


# ---------------------------------------------------------------- action D


@clause("K31")
def test_who_is_alone_on_d_gives_and_takes():
    pos = exchange("give", "BBBBD", 4)
    assert facts_of(pos, 4, "give r") == [GemsReturned(4, [1, 0, 0, 0])]
    assert facts_of(pos, 4, "take yb") == [shared.GemsTaken(4, [0, 1, 0, 1], [0, 1, 0, 1])]


@clause("K32")
def test_several_on_d_take_one_gem_each():
    pos = exchange("take", "BBBDD", 3)
    assert facts_of(pos, 3, "take r") == [shared.GemsTaken(3, [1, 0, 0, 0], [1, 0, 0, 0])]
    assert facts_of(pos, 4, "take g") == [shared.GemsTaken(4, [0, 0, 1, 0], [0, 0, 1, 0])]


@clause("K33")
def test_who_finds_the_supply_empty_gets_nothing():
    """Seat 3 takes the last gem, and seats 0 and 4 go without."""
    hands = [[0] * 4, [22, 22, 22, 0], [0, 0, 0, 20], [0, 0, 0, 1], [0] * 4]
    pos = exchange("take", "DBBDD", 3, gems=hands)
    assert facts_of(pos, 3, "take b") == [
        shared.GemsTaken(3, [0, 0, 0, 1], [0, 0, 0, 1]),
        CameToNothing(0, "D"),
        CameToNothing(4, "D"),
    ]


@clause("K33")
def test_nobody_gets_anything_from_a_supply_that_is_empty():
    hands = [[0] * 4, [22, 22, 22, 0], [0, 0, 0, 22], [0] * 4, [0] * 4]
    assert last_choice(at(players=5, gems=hands), "DBBDB") == [
        shared.Revealed(["D", "B", "B", "D", "B"]),
        shared.Lost("B", [1, 2, 4]),
        CameToNothing(0, "D"),
        CameToNothing(3, "D"),
    ]
    assert last_choice(at(players=5, gems=hands), "BBBBD")[2:] == [CameToNothing(4, "D")]


# ---------------------------------------------------------------- deals


@clause("K40", "K41", "K42", "K43")
def test_a_deal_is_scored_colour_by_colour_then_by_workers():
    hands = [[5, 0, 1, 3], [4, 2, 1, 0], [4, 2, 0, 0]]
    facts = last_choice(at(cards=CARDS, gems=hands, workers=[15, 3, 20]), "BBB")
    assert facts[2:] == [
        DealEnded(1),
        shared.MajorityScored(0, [0], 14, [3]),
        shared.MajorityScored(1, [1, 2], 6, [2, 2]),
        shared.MajorityScored(2, [0, 1], 5, [1, 1]),
        shared.MajorityScored(3, [0], 8, [2]),
        WorkersScored(0, 12),
        WorkersScored(2, 12),
    ]


@clause("K44")
def test_the_third_deal_is_told_in_full_before_the_end():
    facts = last_choice(at(cards=CARDS, workers=[15, 0, 0], deals=2), "BBB")
    assert [type(fact) for fact in facts[2:]] == [
        DealEnded,
        *[shared.MajorityScored] * 4,
        WorkersScored,
        Ended,
    ]
    assert facts[-1] == Ended([25, 13, 13], [0])
