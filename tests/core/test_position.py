"""Positions as Python objects: copying, comparing, pickling, NumPy arguments."""

import copy
import json
import pickle
import random
from typing import Any

import numpy as np
import pytest

import souk
from tests.support.random_games import VARIANTS, variant_name, whole_random_game


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
@pytest.mark.parametrize(
    "again",
    [copy.copy, copy.deepcopy, lambda pos: pickle.loads(pickle.dumps(pos)), lambda pos: pos.copy()],
)
def test_a_copy_is_equal_and_goes_its_own_way(
    variant: tuple[str, int, dict[str, Any]], again: Any
) -> None:
    name, players, options = variant
    start = souk.game(name).start(players, **options)
    twin = again(start)
    assert twin == start
    assert hash(twin) == hash(start)
    assert twin.game is start.game
    if twin.actors:
        twin.play(twin.actors[0], twin.moves(twin.actors[0])[0])
    else:
        twin.draw(random.Random(1))
    assert twin != start
    assert start == souk.game(name).start(players, **options)


def test_positions_differ_by_their_options_too() -> None:
    game = souk.game("suleika")
    assert game.start(players=3) != game.start(players=4)
    assert game.start(players=2) != game.start(players=2, turn_at_end=True)
    assert game.start(players=3) != "a position"
    assert len({game.start(players=3), game.start(players=3), game.start(players=3, first=1)}) == 2


def test_numpys_numbers_are_numbers() -> None:
    pos = souk.game("bazaar").start(
        players=np.int64(2), rates=(np.int64(1), np.int32(2)), first=np.int8(1)
    )
    assert json.loads(json.dumps(pos.to_json()))["options"]["rates"] == [1, 2]
    while not pos.actors:
        pos.draw(random.Random(1))
    assert pos.moves(np.int64(1)) == ["roll"]
    assert pos.is_legal(np.int64(1), "roll")
    pos.play(np.int64(1), "roll")
    assert json.dumps(pos.to_json(np.int64(0)))


def test_a_position_says_what_it_is() -> None:
    assert (
        repr(souk.game("suleika").start(players=2)) == "<suleika, 2 players, card, scores [60, 60]>"
    )
    assert repr(souk.game("bazaar")) == "souk.game('bazaar')"


@pytest.mark.parametrize("tell", [None, lambda fact: None], ids=["untold", "told"])
def test_what_happens_is_returned_as_it_is_written(tell: Any) -> None:
    """Input is normalized, so callers can record the result as is."""
    for game in (
        souk.game("bazaar").start(players=2, rates=(1, 2), first=0),
        souk.Record("bazaar", 2, rates=(1, 2), first=0),
    ):
        turned_up = [game.resolve(ware, tell) for ware in (" rrwww", "yggbb", "W W B G Y", "wwwww")]
        assert turned_up == ["WWWRR", "BBGGY", "WWBGY", "WWWWW"]
        assert game.play(0, " ROLL ", tell) == "roll"
        assert game.draw(random.Random(4), tell) in (
            "white",
            "blue",
            "green",
            "red",
            "yellow",
            "choice",
        )


def test_draw_follows_the_chances() -> None:
    """Frequencies of the slipper die are within five standard deviations."""
    rng, shown, n = random.Random(5), {"1": 0, "2": 0, "3": 0, "4": 0}, 6000
    pos = souk.game("suleika").start(players=3)
    pos.play(0, "straight")
    for _ in range(n):
        shown[pos.copy().draw(rng)] += 1
    for face, chance in pos.chances().items():
        assert abs(shown[face] - n * chance) < 5 * (n * chance * (1 - chance)) ** 0.5


def test_a_record_of_positions_never_changes_under_ones_hands() -> None:
    record = whole_random_game("suleika", 3, {}, 1)
    first = next(record.positions())
    first.play(0, "back")
    assert next(record.positions()) == souk.game("suleika").start(players=3)
    ended = record.position
    assert ended == record.position
    assert ended is not record.position
