"""Suleika's board info must match what playing on then does."""

import random
from typing import Any

import msgspec
import pytest

import souk
from souk.games.suleika.board_info import BALCONIES, Way, box, scene
from souk.games.suleika.notation import field_at
from souk.games.suleika.rules import price
from tests.games.suleika.test_rules import at, position
from tests.support.marks import clause
from tests.support.random_games import random_game

TABLES: list[tuple[int, dict[str, Any]]] = [(2, {}), (2, {"turn_at_end": True}), (3, {}), (4, {})]
tables = pytest.mark.parametrize(("players", "options"), TABLES)


def positions(players: int, options: dict[str, Any], seed: int) -> list[souk.Position]:
    return [record.position.copy() for record in random_game("suleika", players, options, seed)]


def walked(pos: souk.Position, seat: int, move: str, die: str) -> souk.Position:
    """The position after a direction and a die; if the next player walks, after the rug
    drawn for them.
    """
    after = pos.copy()
    after.play(seat, move)
    if after.to_json()["phase"] == "card":
        after.draw(random.Random(0))
    after.resolve(die)
    return after


# ---------------------------------------------------------------- ways


@tables
def test_stops_and_prices_are_those_of_the_walk(players: int, options: dict[str, Any]) -> None:
    for pos in positions(players, options, seed=1):
        if pos.to_json()["phase"] != "turn":
            continue
        [seat] = pos.actors
        seen = scene(pos, seat)
        assert list(seen.ways) == pos.moves(seat)
        assert seen.walker is not None
        for move, way in seen.ways.items():
            for steps, stop in enumerate(way.way.split()):
                after = walked(pos, seat, move, str(steps + 1))
                assert after.to_json()["omar"]["at"] == stop[:2]
                assert paid(pos, after) == promised(way, seen.walker, steps, players)


def paid(before: souk.Position, after: souk.Position) -> list[int]:
    return [
        now - then
        for then, now in zip(before.to_json()["money"], after.to_json()["money"], strict=True)
    ]


def promised(way: Way, walker: int, steps: int, players: int) -> list[int]:
    """The change of every purse that a way predicts for a stop."""
    change = [0] * players
    if way.owed and way.owed[steps]:
        assert way.pays[steps] <= way.owed[steps]
        change[walker] -= way.pays[steps]
        change[way.to[steps]] += way.pays[steps]
    return change


@clause("S12")
def test_a_way_marks_where_a_balcony_leads_and_how_omar_then_faces() -> None:
    pos = position(omar=at("a6"))
    assert scene(pos, 0).ways["straight"] == Way("n", "a7 b7s b6 b5")
    corner = position(omar=at("f7", "e"))
    assert scene(corner, 0).ways["straight"].way == "g7 g7s g6 g5"


@clause("S16")
def test_a_way_says_what_is_owed_and_what_the_purse_can_pay() -> None:
    board = {"d5": "y1", "d6": "y1", "e6": "y2", "e7": "y2"}
    pos = position(board=board, money=[3, 57, 30, 30])
    way = scene(pos, 0).ways["straight"]
    assert (way.owed, way.pays, way.to) == ([4, 4, 0, 0], [3, 3, 0, 0], [1, 1, -1, -1])


def test_only_the_seat_on_turn_is_shown_ways_and_areas() -> None:
    for phase in ("turn", "rug"):
        pos = position(phase=phase)
        for seat in (1, -1):
            assert set(msgspec.to_builtins(scene(pos, seat))) == {"halves", "rugs", "covered"}


@tables
def test_halves_and_rugs_are_counted_as_they_lie(players: int, options: dict[str, Any]) -> None:
    for pos in positions(players, options, seed=2):
        seen, truth = scene(pos, -1), pos.to_json()
        assert [
            have + money for have, money in zip(seen.halves, truth["money"], strict=True)
        ] == pos.scores
        left = [sum(own) for own in truth["left"]] if players == 2 else truth["left"]
        assert seen.rugs == left


# ---------------------------------------------------------------- rugs


@tables
def test_a_rugs_area_is_what_others_would_pay_for_it(players: int, options: dict[str, Any]) -> None:
    for pos in positions(players, options, seed=3)[::5]:
        if pos.to_json()["phase"] != "rug":
            continue
        [seat] = pos.actors
        for move, area in zip(pos.moves(seat), scene(pos, seat).areas, strict=True):
            after = pos.copy()
            after.play(seat, move)
            assert price(after.state, (seat + 1) % players, field_at(move.split()[1])) == area


# ---------------------------------------------------------------- the box


@clause("S12")
def test_there_are_fourteen_balconies_two_of_them_at_corners() -> None:
    assert len(BALCONIES) == 14
    assert {"a7n b7n", "f1s g1s", "g7e g7n", "a1s a1w", "a2w a3w", "g5e g6e"} <= set(BALCONIES)


@clause("S3", "S4", "S6")
def test_the_box_holds_colours_and_the_die() -> None:
    two, three, four = (box(souk.game("suleika").start(players=players)) for players in (2, 3, 4))
    assert (two.colours, three.colours, four.colours) == (["ry", "bg"], list("ryb"), list("rybg"))
    assert two.sixths == [1, 2, 2, 1]


@tables
def test_a_scene_is_small(players: int, options: dict[str, Any]) -> None:
    for pos in positions(players, options, seed=5):
        for seat in range(-1, players):
            assert len(msgspec.json.encode(scene(pos, seat))) <= 600
