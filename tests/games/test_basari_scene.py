"""What the browser is told of a Basari table is what then happens: scorings, actions, haggles, the ways of figures and gems."""

import random
from itertools import pairwise
from typing import Any

import pytest

import souk
from souk.games.basari import scene
from tests.games.basari_positions import BASARI, choose, haggle, offered, position
from tests.marks import clause
from tests.random_games import whole_random_game

SEEDS = range(6)


def events_of(players: int, seed: int) -> list[tuple[souk.Position, souk.Position, int | None, str]]:
    """Every event of a random game, with the positions before and after it."""
    record = whole_random_game("basari", players, {}, seed)
    positions = list(record.positions())
    return [(*both, *event) for both, event in zip(pairwise(positions), record.events, strict=True)]


def test_the_box_has_the_board():
    box = scene.box(BASARI.start(players=3))
    assert box["arches"][:2] == [[5, 2, 1, 0, 0], [6, 0, 0, 3, 0]]
    assert len(box["arches"]) == box["lap"] == 28
    assert box["majority"] == [14, 12, 10, 8]
    assert box["dice"] == [5, 4, 3, 2, 1, 0]
    assert box["colours"] == ["red", "yellow", "green", "blue"]


@clause("B42")
def test_what_a_scoring_would_bring_as_in_the_example():
    gems = [[2, 0, 8, 1], [2, 7, 3, 1], [2, 5, 8, 1], [2, 5, 4, 2]]
    pos = position(players=4, gems=gems)
    shown = scene.scene(pos, -1)
    assert shown["most"] == [[[0, 1, 2, 3], 3], [[1], 12], [[0, 2], 5], [[3], 8]]
    assert shown["scoring"] == [8, 15, 8, 11]


def test_what_nobody_holds_brings_nothing():
    pos = position(players=3, gems=[[0, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert scene.scene(pos, -1)["most"][0] == [[], 0]


def test_a_lap_already_walked_counts_in_what_a_scoring_would_bring():
    pos = position(players=3, walked=[28, 3, 3])
    without = scene.scene(position(players=3, walked=[27, 3, 3]), -1)["scoring"]
    assert scene.scene(pos, -1)["scoring"] == [without[0] + 10, *without[1:]]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scoring_brings_what_the_scene_said_before_it(seed: int):
    scorings = 0
    for before, after, seat, text in events_of(4, seed):
        if "scoring" not in (event := scene.shown(before, after, seat, text)):
            continue
        scorings += 1
        gained = [0] * 4
        for each, points in event.get("points", []) + event["scoring"]["besides"]:
            gained[each] += points
        for seats, points, _ in event["scoring"]["colours"]:
            for each in seats:
                gained[each] += points
        assert [b + g for b, g in zip(before.scores, gained, strict=True)] == after.scores
        assert event["scoring"]["number"] == scorings
    assert scorings == 3


@pytest.mark.parametrize("action", ["points", "gems"])
def test_an_action_brings_what_the_scene_says(action: str):
    pos = position(players=3)
    told = scene.scene(pos.seen_by(1), 1)["actions"]
    other = "points" if action == "gems" else "gems"
    before = pos.to_json()
    choose(pos, other, action, "dice")
    pos.draw(random.Random(1))
    after = pos.to_json()
    if action == "points":
        assert after["points"][1] - before["points"][1] == told["points"]
    else:
        assert [a - b for a, b in zip(after["gems"][1], before["gems"][1], strict=True)] == told["gems"]


def test_a_spectator_is_told_no_seat_s_actions():
    assert "actions" not in scene.scene(position(), -1)


# ---------------------------------------------------------------- the haggle


def test_the_raises_are_legal_and_the_first_is_the_cheapest():
    pos = offered([0, 0, 1, 1])
    seat = pos.actors[0]
    deals = [move for move, _ in scene.scene(pos, seat)["deals"]]
    assert deals[0] == "accept"
    assert deals[1] == pos.moves(seat)[1]
    assert len(set(deals)) == len(deals)
    assert all(pos.is_legal(seat, move) for move in deals)


def test_what_the_two_haggle_for():
    pos = choose(position(figures=[0, 3, 14, 21], points=[5, 4, 0, 0]), "points", "points", "dice", "dice")
    while pos.to_json()["haggle"]["action"] == "dice":
        assert "stakes" not in scene.scene(pos, 2)
        pos.draw(random.Random(1)) if not pos.actors else pos.play(pos.actors[0], pos.moves(pos.actors[0])[0])
        if pos.to_json()["phase"] == "dice":
            pos.resolve("1")
    assert scene.scene(pos, 2)["stakes"] == [5, 7]


def test_only_the_one_to_speak_is_told_the_raises():
    pos = offered([0, 0, 1, 1])
    for seat in range(-1, pos.players):
        assert ("deals" in scene.scene(pos, seat)) == (seat in pos.actors)


def test_an_opener_may_pass():
    pos = BASARI.from_json(haggle())
    assert scene.scene(pos, pos.actors[0])["deals"][0][0] == "pass"


def test_what_a_scoring_would_bring_after_the_haggle():
    for seed in SEEDS:
        for before, after, seat, text in events_of(3, seed):
            if text != "accept" or after.to_json()["scorings"] != before.to_json()["scorings"]:
                continue
            if before.to_json()["pending"] != [before.to_json()["haggle"]["action"]]:
                continue  # another action follows at once
            told = dict(scene.scene(before, seat)["deals"])["accept"]
            walked = before.to_json()["walked"]
            if max(walked) < 22:
                assert scene.scene(after, seat)["scoring"][seat] == told


# ---------------------------------------------------------------- what is shown


def test_a_choice_not_yet_revealed_shows_nothing():
    pos = position()
    before = pos.copy()
    pos.play(0, "dice")
    assert scene.shown(before, pos, 0, "dice") == {}


def test_the_last_choice_shows_all_and_what_is_lost():
    pos = position(players=4)
    choose(pos, "points", "points", "points")
    before = pos.copy()
    pos.play(3, "gems")
    event = scene.shown(before, pos, 3, "gems")
    assert event["choices"] == ["points", "points", "points", "gems"]
    assert event["lost"] == ["points"]
    assert event["gems"][0][:2] == [-1, 3]


def test_a_figure_walks_arch_by_arch():
    pos = position(players=3, phase="walk", turn=1, figures=[3, 26, 5])
    before = pos.copy()
    pos.resolve("4")
    assert scene.shown(before, pos, None, "4") == {"roller": 1, "path": [27, 0, 1, 2]}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [3, 4])
def test_gems_shown_are_those_that_moved(players: int, seed: int):
    for before, after, seat, text in events_of(players, seed):
        event: dict[str, Any] = scene.shown(before, after, seat, text)
        held = before.to_json()["gems"]
        for giver, taker, gems in event.get("gems", []):
            for colour, n in enumerate(gems):
                if giver >= 0:
                    held[giver][colour] -= n
                if taker >= 0:
                    held[taker][colour] += n
        for colour, (seats, _, back) in enumerate(event.get("scoring", {}).get("colours", [])):
            for each, n in zip(seats, back, strict=True):
                held[each][colour] -= n
        assert held == after.to_json()["gems"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [3, 4])
def test_sources_add_up_to_the_scores(players: int, seed: int):
    record = whole_random_game("basari", players, {}, seed)
    positions = list(record.positions())
    found = scene.sources(positions, record.events)
    assert [sum(by_name.values()) for by_name in found] == positions[-1].scores
    assert sum(by_name["lap"] for by_name in found) >= 30
