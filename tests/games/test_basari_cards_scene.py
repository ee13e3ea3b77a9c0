"""What the browser is told of a table of the card game is what then happens: scorings, actions, haggles, cards and gems."""

from itertools import pairwise
from typing import Any

import pytest

import souk
from souk.games.basari_cards import scene
from tests.random_games import whole_random_game

CARDS = souk.game("basari-cards")
SEEDS = range(5)


def events_of(players: int, seed: int) -> list[tuple[souk.Position, souk.Position, int | None, str]]:
    """Every event of a random game, with the positions before and after it."""
    record = whole_random_game("basari-cards", players, {}, seed)
    positions = list(record.positions())
    return [(*both, *event) for both, event in zip(pairwise(positions), record.events, strict=True)]


def dealt(*cards: str) -> souk.Position:
    pos = CARDS.start(players=len(cards))
    for card in cards:
        pos.resolve(card)
    return pos


def test_the_box_has_the_actions_of_the_table():
    assert scene.box(CARDS.start(players=4))["actions"] == ["A", "B", "C"]
    box = scene.box(CARDS.start(players=5))
    assert box["actions"] == ["A", "B", "C", "D"]
    assert (box["workers"], box["workers_points"], box["deals"]) == (15, 12, 3)


def test_actions_by_the_card():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    assert scene.scene(pos.seen_by(0), 0)["actions"] == {"B": 5, "C": [1, 1, 0, 2]}
    assert scene.scene(pos.seen_by(1), 1)["actions"] == {"B": 7, "C": [0, 0, 2, 0]}
    assert "actions" not in scene.scene(pos.seen_by(-1), -1)


def test_the_pile_by_workers():
    pos = CARDS.start(players=3)
    assert scene.scene(pos, 0)["pile"] == [9, 10, 11, 9]
    pos.resolve("1/5/RYBB")
    assert scene.scene(pos, 0)["pile"] == [8, 10, 11, 9]


def test_what_a_scoring_would_bring():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    assert scene.scene(pos, -1)["most"] == [[[0, 1, 2], 4], [[0, 1, 2], 4], [[0, 1, 2], 3], [[0, 1, 2], 2]]
    assert scene.scene(pos, -1)["scoring"] == [13, 13, 13]
    for seat, action in enumerate("ABC"):
        pos.play(seat, action)
    pos.resolve("3/7/BB")
    # The third seat has 2 red and 1 green more.
    assert scene.scene(pos, -1)["most"] == [[[2], 14], [[0, 1, 2], 4], [[2], 10], [[0, 1, 2], 2]]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [3, 5])
def test_points_and_gems_shown_are_those_that_moved(players: int, seed: int):
    deals = 0
    for before, after, seat, text in events_of(players, seed):
        event: dict[str, Any] = scene.shown(before, after, seat, text)
        held, points = before.to_json()["gems"], list(before.scores)
        for giver, taker, gems in event.get("gems", []):
            for colour, n in enumerate(gems):
                for each, sign in ((giver, -1), (taker, 1)):
                    if each >= 0:
                        held[each][colour] += sign * n
        scoring = event.get("scoring", {"colours": [], "besides": []})
        for each, n in event.get("points", []) + scoring["besides"]:
            points[each] += n
        for colour, (seats, each_gets, back) in enumerate(scoring["colours"]):
            for each, n in zip(seats, back, strict=True):
                held[each][colour] -= n
                points[each] += each_gets
        deals += "scoring" in event
        assert (held, points) == (after.to_json()["gems"], after.scores)
    assert deals == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_workers_shown_are_those_of_the_card(seed: int):
    for before, after, seat, text in events_of(4, seed):
        event = scene.shown(before, after, seat, text)
        assert ("card" in event) == (seat is None)
        if seat is None:
            assert event["to"] == before.to_json()["turn"]
            assert event["workers"] == int(text[0])


def test_a_choice_not_yet_revealed_shows_nothing():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    before = pos.copy()
    pos.play(2, "A")
    assert scene.shown(before, pos, 2, "A") == {}
    assert scene.scene(before.seen_by(1), 1) == scene.scene(pos.seen_by(1), 1)


def test_the_last_choice_shows_all_and_what_is_lost():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    pos.play(0, "B")
    pos.play(1, "B")
    before = pos.copy()
    pos.play(2, "B")
    assert scene.shown(before, pos, 2, "B") == {"choices": ["B", "B", "B"], "lost": ["B"]}


def test_raises_are_legal_and_the_first_is_the_cheapest():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    for seat, action in enumerate("AAC"):
        pos.play(seat, action)
    assert [move for move, _ in scene.scene(pos, 1)["deals"]] == ["offer 1b", "offer 1g", "offer 2b"]
    pos.play(1, "offer 1b")
    deals = [move for move, _ in scene.scene(pos, 0)["deals"]]
    assert deals[:2] == ["accept", "offer 1g"]
    assert all(pos.is_legal(0, move) for move in deals)
    assert "deals" not in scene.scene(pos, 1)


def test_how_many_gems_are_to_be_taken():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG", "1/6/RRB", "3/4/YYY")
    for seat, action in enumerate("DABCC"):
        pos.play(seat, action)
    pos.resolve("3/7/BB")
    while pos.to_json()["phase"] == "haggle":
        seat = pos.actors[0]
        pos.play(seat, "accept" if "accept" in pos.moves(seat) else pos.moves(seat)[0])
    pos.play(0, "give b")
    assert scene.scene(pos, 0)["take"] == 2


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_sources_add_up_to_the_scores(players: int, seed: int):
    record = whole_random_game("basari-cards", players, {}, seed)
    positions = list(record.positions())
    found = scene.sources(positions, record.events)
    assert [sum(by_name.values()) for by_name in found] == positions[-1].scores
    assert sum(by_name["workers"] for by_name in found) >= 36
