"""Bazaar's board info must match what then happens: every value is checked by playing."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import souk
from souk.games.bazaar.board_info import aside, box, choices, scene
from tests.support.bazaar_positions import BAZAAR, TABLES, TOPS, buying, double, position
from tests.support.random_games import random_game

SEED = 20


def decisions(
    players: int, options: dict[str, Any], phase: str
) -> Iterator[tuple[souk.Position, int]]:
    """Positions of a random game in which a seat decides in this phase, with the seat."""
    for record in random_game("bazaar", players, options, SEED):
        pos = record.position
        if pos.to_json()["phase"] == phase:
            yield pos, pos.actors[0]


def points_gained(pos: souk.Position, seat: int, move: str) -> int:
    after = pos.copy()
    after.play(seat, move)
    return after.scores[seat] - pos.scores[seat]


def equations_in_play(pos: souk.Position) -> list[tuple[str, str]]:
    cards = box(pos).rates
    return [equation for card in pos.to_json()["rates"] for equation in cards[card - 1]]


# ---------------------------------------------------------------- fixed for a game


def test_the_box_holds_the_cards_and_the_table_of_values() -> None:
    held = box(BAZAAR.start(players=3, rates=(1, 2)))
    assert held.rates[0][:2] == [("R", "WW"), ("R", "WBGY")]
    assert [len(card) for card in held.rates] == [5] * 10
    assert len(held.starred) == 15
    assert "WWWWW" in held.starred
    assert held.values == [[5, 3, 2, 1], [8, 5, 3, 2], [12, 8, 5, 3]]
    assert held.limit == 10


def test_the_box_is_the_same_all_through_a_game() -> None:
    boxes = [box(record.position) for record in random_game("bazaar", 3, {}, SEED)]
    assert all(held == boxes[0] for held in boxes)


# ---------------------------------------------------------------- the position


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_trades_shown_as_open_are_the_legal_ones(players: int, options: dict[str, Any]) -> None:
    for pos, seat in decisions(players, options, "act"):
        open_trades = scene(pos, seat).trades
        for i, (left, right) in enumerate(equations_in_play(pos)):
            assert bool(open_trades >> 2 * i & 1) == pos.is_legal(seat, f"trade {left}>{right}")
            assert bool(open_trades >> 2 * i + 1 & 1) == pos.is_legal(seat, f"trade {right}>{left}")


@pytest.mark.parametrize(("players", "options"), TABLES[1:])
def test_what_a_purchase_would_bring_is_what_it_brings(
    players: int, options: dict[str, Any]
) -> None:
    bought = 0
    for pos, seat in decisions(players, options, "buy"):
        for stall, prospect in enumerate(scene(pos, seat).stalls):
            assert (prospect.points is not None) == pos.is_legal(seat, f"buy {stall + 1}")
            if prospect.points is not None:
                assert prospect.points == points_gained(pos, seat, f"buy {stall + 1}")
                bought += 1
    assert bought > 5


def test_alone_a_purchase_brings_no_points_and_must_be_exact() -> None:
    """Random play never gets there."""
    for letters, points in [("WWWRR", 0), ("WWWRRB", None), ("WWWR", None)]:
        [prospect] = scene(position(letters, phase="buy" if points == 0 else "act"), 0).stalls
        assert prospect.points == points
    assert position("WWWRR", phase="buy").is_legal(0, "buy 1")


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_what_a_trade_brings_into_reach_can_be_bought_then(
    players: int, options: dict[str, Any]
) -> None:
    for pos, seat in decisions(players, options, "act"):
        reach = scene(pos, seat).reach
        for move in pos.moves(seat)[1:]:
            after = pos.copy()
            after.play(seat, move)
            purchases = [
                text
                for text in after.moves(seat)
                if text.count(" ") == 1 and text.startswith("buy")
            ]
            bought = {
                text[4:]: points_gained(after, seat, text) if players > 1 else 0
                for text in purchases
            }
            assert reach.get(move.removeprefix("trade "), {}) == bought


def test_double_purchases_are_shown_with_the_points_of_both() -> None:
    pos = double("WWWRRBBGGY")
    pairs = scene(pos, 0).pairs
    assert pairs == {"1 2": [5, 5], "2 1": [5, 5]}
    assert all(
        sum(points) == points_gained(pos, 0, f"buy {pair}") for pair, points in pairs.items()
    )
    assert scene(pos, 1).pairs == {}
    assert scene(buying("WWWRRBBGGY"), 0).pairs == {}


def test_a_double_purchase_whose_first_ware_empties_a_stall_lifts_the_second() -> None:
    pos = double("WWWRRBBGGY", left=[1, 3, 3, 3])
    assert scene(pos, 0).pairs == {"1 2": [5, 8], "2 1": [5, 5]}


def test_a_double_purchase_whose_first_ware_closes_the_bazaar_brings_that_alone() -> None:
    pos = double("WWWRRBBGGY", left=[1, 3, 0, 3])
    assert scene(pos, 0).pairs["1 2"] == [points_gained(pos, 0, "buy 1 2")] == [2]


def test_how_far_each_seat_is_from_each_ware() -> None:
    pos = position("WWW", "GGY", left=[5, 5, 0, 5])
    assert TOPS == ["WWWRR", "BBGGY", "WWBGY", "WWWWW"]
    assert scene(pos, 0).lack == [[2, 5, None, 2], [5, 2, None, 5]]


def test_stars_that_count_now() -> None:
    assert [stall.stars for stall in scene(position("", ""), 0).stalls] == [0, 0, 0, 1]
    assert [stall.stars for stall in scene(position("", "", left=[5, 0, 5, 5]), 0).stalls] == [
        1,
        None,
        1,
        2,
    ]


def test_a_spectator_sees_the_prospects_of_whoever_is_on_turn() -> None:
    pos = position("WWW", "GGY")
    assert scene(pos, -1) == scene(pos, 0)
    assert scene(pos, 1).whose == 1
    assert scene(BAZAAR.start(players=2), -1).stalls == []


def test_who_picks_an_eleventh_chip() -> None:
    assert scene(position("WWWWWBBBB", ""), 0).picker is None
    assert scene(position("WWWWRBBBBG", "", ""), 0).picker == 1
    assert scene(position("BBBBBGRRRR", rates=[1, 2]), 0).picker == 0
    pos = position("WWWWRBBBBGG", "", "", phase="return")
    assert [scene(pos, 0).picker] == list(pos.actors)


def test_how_near_the_end_is() -> None:
    info = scene(position("", "", left=[1, 4, 2, 3], turns_without_purchase=90), 0)
    assert (info.sales_left, info.quiet_left) == (3, 10)
    assert (scene(position(""), 0).sales_left, scene(position(""), 0).quiet_left) == (None, None)


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_a_scene_is_small_and_plain(players: int, options: dict[str, Any]) -> None:
    for record in random_game("bazaar", players, options, SEED):
        for seat in range(-1, players):
            assert len(msgspec.json.encode(scene(record.position, seat))) < 500


# ---------------------------------------------------------------- slow to compute


def test_par_of_the_puzzle() -> None:
    pos = BAZAAR.start(players=1, rates=(1, 2), ware="WWWRR")
    assert aside(pos) == {"par": round(souk.solve(rates=(1, 2), ware="WWWRR").actions, 2)}


def test_there_is_no_par_before_all_is_drawn_nor_with_others() -> None:
    assert aside(BAZAAR.start(players=1)) == {}
    assert aside(BAZAAR.start(players=3)) == {}


def test_what_is_shown_to_choose_from_can_be_chosen() -> None:
    shown = choices(souk.game("bazaar").start(1))
    cards = range(1, len(shown["rates"]) + 1)
    for rates in zip(cards, [*cards[1:], 1], strict=True):
        assert equations_in_play(souk.game("bazaar").start(2, rates=rates)) == [
            *shown["rates"][rates[0] - 1],
            *shown["rates"][rates[1] - 1],
        ]
    for ware in shown["ware"]:
        pos = souk.game("bazaar").start(1, rates=(1, 2), ware=ware)
        assert pos.to_json()["stalls"][0]["top"] == ware
