"""Basari's board info must match what then happens: scorings, actions, haggles."""

import random

import msgspec
import pytest

from souk.games.basari import board_info
from souk.games.basari.board_info import ArchSign
from souk.games.basari_common.board_info import Deal, Payout
from tests.support.basari_positions import BASARI, choose, haggle, offered, position
from tests.support.marks import clause
from tests.support.random_games import random_steps

SEEDS = range(6)


def test_the_box_has_the_board():
    box = board_info.box(BASARI.start(players=3))
    assert box.arches[:2] == [ArchSign(5, [2, 1, 0, 0]), ArchSign(6, [0, 0, 3, 0])]
    assert len(box.arches) == box.lap == 28
    assert box.majority == [14, 12, 10, 8]
    assert box.dice == [5, 4, 3, 2, 1, 0]
    assert box.colours == ["red", "yellow", "green", "blue"]


@clause("B42")
def test_what_a_scoring_would_bring_as_in_the_example():
    gems = [[2, 0, 8, 1], [2, 7, 3, 1], [2, 5, 8, 1], [2, 5, 4, 2]]
    pos = position(players=4, gems=gems)
    seen = board_info.scene(pos, -1)
    assert seen.most == [
        Payout([0, 1, 2, 3], 3),
        Payout([1], 12),
        Payout([0, 2], 5),
        Payout([3], 8),
    ]
    assert seen.scoring == [8, 15, 8, 11]


def test_what_nobody_holds_brings_nothing():
    pos = position(players=3, gems=[[0, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert board_info.scene(pos, -1).most[0] == Payout([], 0)


def test_a_lap_already_walked_counts_in_what_a_scoring_would_bring():
    pos = position(players=3, walked=[28, 3, 3])
    without = board_info.scene(position(players=3, walked=[27, 3, 3]), -1).scoring
    assert board_info.scene(pos, -1).scoring == [without[0] + 10, *without[1:]]


@pytest.mark.parametrize("action", ["points", "gems"])
def test_an_action_brings_what_the_scene_says(action: str):
    pos = position(players=3)
    promised = board_info.scene(pos.seen_by(1), 1).brings
    assert promised is not None
    other = "points" if action == "gems" else "gems"
    before = pos.to_json()
    choose(pos, other, action, "dice")
    pos.draw(random.Random(1))
    after = pos.to_json()
    if action == "points":
        assert after["points"][1] - before["points"][1] == promised.points
    else:
        assert [
            a - b for a, b in zip(after["gems"][1], before["gems"][1], strict=True)
        ] == promised.gems


def test_a_spectator_is_told_no_seat_s_actions():
    assert "brings" not in msgspec.to_builtins(board_info.scene(position(), -1))


# ---------------------------------------------------------------- the haggle


def test_the_raises_are_legal_and_the_first_is_the_cheapest():
    pos = offered([0, 0, 1, 1])
    seat = pos.actors[0]
    deals = [deal.move for deal in board_info.scene(pos, seat).deals]
    assert deals[0] == "accept"
    assert deals[1] == pos.moves(seat)[1]
    assert len(set(deals)) == len(deals)
    assert all(pos.is_legal(seat, move) for move in deals)


def test_what_the_two_haggle_for():
    pos = choose(
        position(figures=[0, 3, 14, 21], points=[5, 4, 0, 0]), "points", "points", "dice", "dice"
    )
    while pos.to_json()["haggle"]["action"] == "dice":
        assert board_info.scene(pos, 2).stakes == []
        pos.draw(random.Random(1)) if not pos.actors else pos.play(
            pos.actors[0], pos.moves(pos.actors[0])[0]
        )
        if pos.to_json()["phase"] == "dice":
            pos.resolve("1")
    assert board_info.scene(pos, 2).stakes == [5, 7]


def test_only_the_one_to_speak_is_told_the_raises():
    pos = offered([0, 0, 1, 1])
    for seat in range(-1, pos.players):
        assert bool(board_info.scene(pos, seat).deals) == (seat in pos.actors)


@clause("B21", "B22")
def test_an_opener_may_pass():
    pos = BASARI.from_json(haggle())
    seen = board_info.scene(pos, pos.actors[0])
    assert seen.deals[0] == Deal(
        "pass", winner=1, loser=0, gems=[0, 0, 0, 0], scoring=seen.scoring[0]
    )
    assert board_info.scene(pos, 1).on_counter is None  # nothing is offered yet


@clause("B22")
def test_whoever_accepts_gets_the_gems_and_the_other_the_action():
    pos = offered([0, 0, 1, 1])
    accept, *raises = board_info.scene(pos, 1).deals
    assert (accept.winner, accept.loser, accept.gems) == (0, 1, [0, 0, 1, 1])
    assert {(deal.winner, deal.loser) for deal in raises} == {(1, 0)}
    before = pos.to_json()["gems"]
    pos.play(1, "accept")
    assert [a - b for a, b in zip(pos.to_json()["gems"][1], before[1], strict=True)] == accept.gems
    assert pos.to_json()["turn"] == accept.winner  # they haggled for the dice


def test_all_others_are_told_what_comes_of_the_offer_that_lies_there():
    """Seats also see what a scoring would then bring them; the speaker sees its deals instead."""
    pos = offered([0, 0, 1, 1])
    [deal_of_speaker] = [deal for deal in board_info.scene(pos, 1).deals if deal.move == "accept"]
    for seat in (-1, 0, 2, 3):
        lies = board_info.scene(pos, seat).on_counter
        assert lies is not None
        assert (lies.winner, lies.loser, lies.gems) == (
            deal_of_speaker.winner,
            deal_of_speaker.loser,
            deal_of_speaker.gems,
        )
        assert (lies.scoring is None) == (seat < 0)
    assert board_info.scene(pos, 1).on_counter is None
    assert "scoring" not in msgspec.to_builtins(board_info.scene(pos, -1).on_counter)


def test_what_a_scoring_would_bring_after_the_haggle():
    looked_at = 0
    for seed in SEEDS:
        for before, after, seat, text, _ in random_steps("basari", 3, {}, seed):
            if text != "accept" or after.to_json()["scorings"] != before.to_json()["scorings"]:
                continue
            if before.to_json()["pending"] != [before.to_json()["haggle"]["action"]]:
                continue  # another action follows at once
            assert seat is not None
            [expected] = [
                deal.scoring
                for deal in board_info.scene(before, seat).deals
                if deal.move == "accept"
            ]
            if max(before.to_json()["walked"]) < 22:
                assert board_info.scene(after, seat).scoring[seat] == expected
                looked_at += 1
    assert looked_at > 10
