"""Suleika heuristics: moves are legal everywhere, and clear-cut judgements are right."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.games.suleika.rules import near_half
from souk.kernel.compiler import cpu_entry
from tests.games.suleika.test_rules import GAME, at, position
from tests.support.random_games import random_game
from tests.support.workspaces import desk_of

TABLES: list[tuple[int, dict[str, Any]]] = [(2, {}), (2, {"turn_at_end": True}), (3, {}), (4, {})]
tables = pytest.mark.parametrize(("players", "options"), TABLES)


def rugs(**fields: str) -> dict[str, str]:
    """A board in JSON: the rug on each field, from the fields of each rug."""
    return {field: rug for rug, covered in fields.items() for field in covered.split()}


def lookup(pos: souk.Position) -> Any:
    assert GAME.heuristics is not None
    return GAME.heuristics.build_lookup(pos.array)


def evaluate(pos: souk.Position) -> tuple[list[float], float]:
    values = [0.0] * pos.players
    spread = GAME.rules.evaluate(pos.state, values, lookup(pos))
    return values, spread


def likely(pos: souk.Position, seat: int, x: int = 0) -> str:
    return GAME.notation.move_text(
        pos.state, GAME.rules.rollout_move(pos.state, seat, x, desk_of(GAME), lookup(pos))
    )


def positions_to_move(
    players: int, options: dict[str, Any]
) -> Iterator[tuple[souk.Position, int, int]]:
    """Positions of a few random games with the seat to move and a random number."""
    for seed in range(3):
        for number, record in enumerate(random_game("suleika", players, options, seed)):
            for seat in record.position.actors:
                yield record.position, seat, (number + 1) * 0x9E3779B97F4A7C15 % 2**64


@tables
def test_candidates_are_all_legal_moves_once_and_a_likely_move_is_one_of_them(
    players: int, options: dict[str, Any]
) -> None:
    for pos, seat, x in positions_to_move(players, options):
        before = pos.copy()
        workspace = desk_of(GAME)
        n = GAME.rules.candidates(pos.state, seat, workspace, lookup(pos))
        listed = [GAME.notation.move_text(pos.state, move) for move in workspace.found[:n]]
        assert sorted(listed) == sorted(pos.moves(seat))
        assert likely(pos, seat, x) in listed
        assert pos == before


@tables
def test_compiled_insight_sees_what_interpreted_insight_sees(
    players: int, options: dict[str, Any]
) -> None:
    compiled_outlook, compiled_move = (
        cpu_entry(GAME, GAME.rules.evaluate),
        cpu_entry(GAME, GAME.rules.rollout_move),
    )
    workspace = np.zeros(1, GAME.workspace)
    for pos, seat, x in positions_to_move(players, options):
        values = np.zeros(players)
        spread = compiled_outlook(pos.array[0], values, lookup(pos))
        expected, expected_spread = evaluate(pos)
        assert values == pytest.approx(expected, abs=0.001)
        assert spread == pytest.approx(expected_spread)
        move = compiled_move(pos.array[0], seat, np.uint64(x), workspace[0], lookup(pos))
        assert GAME.notation.move_text(pos.state, move) == likely(pos, seat, x)


@tables
def test_every_turn_begins_quiet(players: int, options: dict[str, Any]) -> None:
    *_, record = random_game("suleika", players, options, 1)
    positions = list(record.positions())
    assert sum(GAME.rules.is_quiet(pos.state) for pos in positions) == (45 if players == 3 else 48)


def test_the_end_can_be_played_out_and_the_beginning_cannot() -> None:
    *_, record = random_game("suleika", 4, {}, 1)
    sizes = [GAME.rules.endgame_size(pos.state) for pos in record.positions() if not pos.over]
    assert sizes[0] == 0
    assert sizes[-1] == 10
    late = [size for size in sizes if size]
    assert late == sorted(late, reverse=True)


RED_ROW = rugs(r1="a6 b6", r2="c6 d6", r3="e6 f6")


def test_omar_is_turned_away_from_a_large_area() -> None:
    pos = position(4, RED_ROW, phase="turn", turn=1, omar=at("d3"))
    assert {likely(pos, 1, x) for x in (0, 2**64 - 1, 0x0123456789ABCDEF)} <= {"left", "right"}
    assert (
        likely(position(4, RED_ROW, phase="turn", turn=0, omar=at("d3")), 0, 0xF000) == "straight"
    )


def test_at_the_end_omar_is_turned_towards_the_large_area_for_the_next_player() -> None:
    pos = position(2, RED_ROW, phase="turn", turn=0, omar=at("d3"), options={"turn_at_end": True})
    assert likely(pos, 0) == "straight"


def test_a_rug_is_not_laid_over_ones_own_where_it_can_hide_anothers() -> None:
    board = rugs(r1="d5 d6", y2="d3 d2", r3="c4 b4", r4="e4 f4")
    pos = position(4, board, phase="rug", turn=0)
    move = GAME.notation.read_move(pos.state, likely(pos, 0))
    assert near_half(move) == 21 + 2  # d3


def test_piastres_halves_and_areas_are_worth_having() -> None:
    far = at("g1")
    even = position(4, rugs(r1="a7 b7", r2="d7 e7"), omar=far)
    joined = position(4, rugs(r1="a7 b7", r2="c7 d7"), omar=far)
    richer = position(4, rugs(r1="a7 b7", r2="d7 e7"), omar=far, money=[40, 20, 30, 30])
    base = evaluate(even)[0]
    assert base[0] > base[2]  # two rugs are out, and nobody else has any
    assert evaluate(joined)[0][0] > base[0]
    assert evaluate(richer)[0][0] == pytest.approx(base[0] + 10)


def test_who_must_walk_among_rugs_pays_in_the_outlook_and_less_is_open_at_the_end() -> None:
    ring = rugs(r1="d5 d6", r2="c4 b4", r3="e4 f4", r4="g4", r5="d7", r6="a4")
    early, late = (position(4, ring, phase="turn", turn=1, left=[n] * 4) for n in (6, 1))
    values, spread = evaluate(late)
    assert values[1] < values[2] == pytest.approx(values[3], abs=0.5)
    assert evaluate(early)[1] > 2 * spread


def test_a_beginner_sees_the_likeliest_throws_and_halves_of_their_own() -> None:
    def tempting(pos: souk.Position, text: str) -> float:
        move = GAME.notation.read_move(pos.state, text)
        return float(GAME.rules.beginner_score(pos.state, pos.actors[0], move, lookup(pos)))

    walk = position(4, RED_ROW, phase="turn", turn=1, omar=at("d3"))
    assert tempting(walk, "left") > tempting(walk, "straight")
    lay = position(4, rugs(r1="d5 d6"), phase="rug", turn=0)
    assert tempting(lay, "rug c4 c5") > tempting(lay, "rug d3 d2") > tempting(lay, "rug d5 c5") - 1
