"""A batch of events says the same as each event alone."""

import json
import random

import pytest

from souk.games import game as find_game
from souk.games import names
from souk.server.protocol.table import NOBODY
from souk.server.tables.game.game_events import GameEvent, moments
from souk.server.tables.game.game_state import GameState
from tests.server.support.clients import unfolded

SEED = bytes(range(32))


def played(game: str, seed: int, most: int) -> list[list[GameEvent]]:
    """The events of some moves."""
    rng = random.Random(seed)
    of = find_game(game)
    state = GameState(of.start(of.usual), SEED)
    state.begin()
    found = []
    while not state.over and len(found) < most:
        seat = rng.choice(state.actors)
        found.append(state.play(seat, rng.choice(state.position.moves(seat)[:4])))
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", names())
def test_events_told_together_are_those_told_alone(game: str, seed: int) -> None:
    together = 0
    for happenings in played(game, seed, 60):
        together += len(happenings) > 1
        for seat in (NOBODY, 0, 1):
            [moment] = moments(happenings, one_by_one=False)
            told = unfolded(json.loads(moment.message(seat)))
            alone = [json.loads(each.message(seat)) for each in happenings]
            assert told[-1] == alone[-1]
            for one, other in zip(told[:-1], alone[:-1], strict=True):
                assert {**one, "view": 0, "scene": 0} == {**other, "view": 0, "scene": 0}
                for part in ("position", "scores", "actors", "moves", "over"):
                    assert one["view"][part] == other["view"][part]
                assert one.get("scene", {}).get("lost", []) == other["view"]["scene"].get(
                    "lost", []
                )
    assert together


def test_many_events_are_several_messages_and_in_a_lesson_each_is_one() -> None:
    happenings = [each for several in played("suleika", 0, 200) for each in several]
    told = [
        unfolded(json.loads(each.message(NOBODY))) for each in moments(happenings, one_by_one=False)
    ]
    assert 1 < len(told) < len(happenings)
    assert [event["seq"] for each in told for event in each] == [each.seq for each in happenings]
    assert len(list(moments(happenings, one_by_one=True))) == len(happenings)
