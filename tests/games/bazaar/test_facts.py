"""Bazaar's facts match what happened: chips, wares, points and the end."""

from typing import Any

import pytest

import souk
from souk.core.facts import Ended, Fact
from souk.games.bazaar.facts import (
    BankOut,
    BazaarClosed,
    BeginnerDrawn,
    BoughtNothing,
    ChipReturned,
    ChipTaken,
    DieThrown,
    RateDrawn,
    Rolled,
    Sold,
    Traded,
    WareTurnedUp,
    sources,
)
from tests.support.bazaar_positions import BAZAAR, TABLES, buying, double, hand, position
from tests.support.marks import clause
from tests.support.play import facts_of
from tests.support.random_games import random_steps, whole_random_game

SEED = 20


def facts_after(pos: souk.Position, event: str) -> list[Fact]:
    return facts_of(pos, pos.actors[0] if pos.actors else None, event)


# ---------------------------------------------------------------- chips


def change(seats: int, facts: list[Fact]) -> list[list[int]]:
    """Change of each seat's chips according to the facts."""
    chips = [[0] * 5 for _ in range(seats)]
    for fact in facts:
        match fact:
            case ChipTaken(seat, chip):
                gives, gets = "", chip
            case ChipReturned(seat, chip):
                gives, gets = chip, ""
            case Traded(seat, gives, gets):
                pass
            case Sold(seat, _, ware):
                gives, gets = ware, ""
            case _:
                continue
        moved = zip(chips[seat], hand(gives), hand(gets), strict=True)
        chips[seat] = [count - lost + won for count, lost, won in moved]
    return chips


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_chips_told_to_move_are_those_that_moved(players: int, options: dict[str, Any]) -> None:
    for before, after, _, _, facts in random_steps("bazaar", players, options, SEED):
        moved = zip(before.to_json()["chips"], change(players, facts), strict=True)
        chips = [[n + more for n, more in zip(*both, strict=True)] for both in moved]
        assert chips == after.to_json()["chips"]
        sold = sum(fact.points for fact in facts if isinstance(fact, Sold))
        if players > 1:
            assert sum(before.scores) + sold == sum(after.scores)


@clause("Z10", "Z13")
def test_the_die_is_told_with_the_chip_it_brings() -> None:
    assert facts_after(position("W", ""), "roll") == [Rolled(0)]
    assert facts_after(position("W", "", phase="die"), "red") == [
        DieThrown(0, "red"),
        ChipTaken(0, "R", "die"),
    ]
    dry = position("", "WWWWWWWWWW", "WWWWWWWWWW", phase="die")
    assert facts_after(dry, "white") == [DieThrown(0, "white"), BankOut(0, "W")]


@clause("Z10")
def test_choice_brings_nothing_until_a_chip_is_chosen() -> None:
    pos = position("W", "", phase="die")
    assert facts_after(pos, "choice") == [DieThrown(0, "choice")]
    assert facts_after(pos, "take Y") == [ChipTaken(0, "Y", "choice")]


@clause("Z11")
def test_a_trade_is_told_with_both_sides() -> None:
    assert facts_after(position("YR", ""), "trade RY>GGW") == [Traded(0, "RY", "WGG")]


@clause("Z15", "Z42")
def test_an_eleventh_chip_is_told_with_who_picked_it() -> None:
    assert facts_after(position("RRRRRYYYYYB", "", "", phase="return"), "return B") == [
        ChipReturned(0, "B", 1)
    ]
    assert facts_after(position("RRRRRYYYYYB", phase="return"), "return B") == [
        ChipReturned(0, "B", 0)
    ]


# ---------------------------------------------------------------- cards


def test_what_is_drawn_is_told() -> None:
    pos = BAZAAR.start(players=2)
    assert facts_after(pos, "rate 3") == [RateDrawn(3)]
    assert facts_after(pos, "rate 8") == [RateDrawn(8)]
    for stall, ware in enumerate(["WWWRR", "BBGGY", "WWBGY", "WWWWW"], 1):
        assert facts_after(pos, ware) == [WareTurnedUp(stall, ware)]
    assert facts_after(pos, "first 1") == [BeginnerDrawn(1)]


@clause("Z12")
def test_after_a_sale_the_next_ware_is_told_where_it_comes_up() -> None:
    pos = double("WWWRRWWBGY")
    sold = facts_after(pos, "buy 3 1")
    assert [fact.stall for fact in sold if isinstance(fact, Sold)] == [3, 1]
    assert facts_after(pos, "RRRRR") == [WareTurnedUp(1, "RRRRR")]
    assert facts_after(pos, "YYYYY") == [WareTurnedUp(3, "YYYYY")]


@clause("Z12")
def test_who_could_have_bought_and_did_not() -> None:
    assert facts_after(buying("WWWRR"), "done") == [BoughtNothing(0)]


# ---------------------------------------------------------------- sales


@clause("Z20", "Z21")
def test_a_sale_is_told_with_what_its_points_are_made_of() -> None:
    assert facts_after(buying("WWWWWB"), "buy 4") == [Sold(0, 4, "WWWWW", 1, 5, 3, 2, 0, 0)]
    lifted = buying("WWWWWB", left=[0, 5, 5, 5])
    assert facts_after(lifted, "buy 4") == [Sold(0, 4, "WWWWW", 1, 8, 3, 2, 3, 0)]
    plain = buying("WWWRRYYYY")
    assert facts_after(plain, "buy 1") == [Sold(0, 1, "WWWRR", 4, 1, 1, 0, 0, 0)]


@clause("Z40", "Z41")
def test_two_wares_are_told_one_after_the_other() -> None:
    lifting = double("WWWRRBBGGY", left=[1, 3, 3, 3])
    assert facts_after(lifting, "buy 1 2") == [
        Sold(0, 1, "WWWRR", 0, 5, 5, 0, 0, 0),
        Sold(0, 2, "BBGGY", 0, 8, 5, 0, 3, 0),
    ]


@clause("Z30", "Z41")
def test_a_first_ware_that_closes_the_bazaar_is_told_alone() -> None:
    closing = double("WWWRRBBGGY", left=[1, 3, 0, 3])
    assert facts_after(closing, "buy 1 2") == [
        Sold(0, 1, "WWWRR", 5, 2, 1, 0, 1, 0),
        BazaarClosed("stalls"),
        Ended([2, 0], [0]),
    ]


# ---------------------------------------------------------------- the end


@clause("Z32")
def test_too_long_without_a_sale() -> None:
    pos = position("W", "", phase="die", turns_without_purchase=99)
    assert facts_after(pos, "red")[2:] == [BazaarClosed("quiet"), Ended([0, 0], [0, 1])]


@clause("Z42")
def test_alone_the_ware_is_bought_or_it_took_too_long() -> None:
    bought = position("WWWRR", phase="buy", actions=7)
    assert facts_after(bought, "buy 1") == [
        Sold(0, 1, "WWWRR", 0, 0, 0, 0, 0, 7),
        BazaarClosed("ware"),
        Ended([7], [0]),
    ]
    late = position("W", phase="die", actions=200)
    assert facts_after(late, "red")[2:] == [BazaarClosed("actions"), Ended([200], [])]


# ---------------------------------------------------------------- sources of points


@pytest.mark.parametrize(("players", "options"), [*TABLES, (1, {"rates": (1, 2), "ware": "WWWRR"})])
@pytest.mark.parametrize("seed", range(5))
def test_sources_add_up_to_the_scores(players: int, options: dict[str, Any], seed: int) -> None:
    record = whole_random_game("bazaar", players, options, seed)
    by_seat = sources(record.start, [fact for facts in record.facts() for fact in facts])
    assert [sum(parts.values()) for parts in by_seat] == record.position.scores


def test_sources_tell_plain_points_from_stars() -> None:
    pos = buying("WWWWWB", left=[0, 5, 5, 5])
    assert sources(pos, facts_after(pos.copy(), "buy 4")) == [
        {"left_1": 3, "star": 2, "empty_stall": 3},
        {"left_1": 0, "star": 0, "empty_stall": 0},
    ]
