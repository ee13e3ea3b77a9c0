"""Net features of every game: in range, equal on every target, and equivariant."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.workspace import Workspace
from souk.games import names
from souk.games.suleika.net_features import symmetries
from souk.kernel.compiler import cpu_entry
from souk.kernel.game_ops import evaluate, evaluate_with_features, features
from souk.kernel.rule import i64, rule
from tests.support.random_games import VARIANTS, random_game, variant_name

SEED = 14
Variant = tuple[str, int, dict[str, Any]]
Seen = np.ndarray[Any, np.dtype[np.uint32]]
UNSEEN = 2**32 - 1  # the number of nothing
SEEING = [name for name in names() if souk.game(name).net_features.ROWS > 1]
variants = pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each[0] in SEEING], ids=variant_name
)


@rule
def look(states, desks, lookup):
    return i64(features(states[0], desks[0], lookup))


@rule
def look_and_judge(states, desks, lookup):
    evaluate(states[0], desks[0].values, lookup)
    return i64(features(states[0], desks[0], lookup))


@rule
def look_once(states, desks, lookup):
    return i64(evaluate_with_features(states[0], desks[0], lookup))


def desk_for(pos: souk.Position) -> Workspace:
    """A fresh workspace."""
    workspace = Workspace(pos, 0)
    workspace.array["seen"] = UNSEEN
    return workspace


def seen(pos: souk.Position, compiled: bool = False) -> Seen:
    """The features of a position by seat; checks that nothing else is written."""
    workspace = desk_for(pos)
    arrays = (workspace.states, workspace.array) if compiled else workspace.interpreted()
    n = (cpu_entry(pos.game, look) if compiled else look)(*arrays, workspace.lookup)
    assert workspace.states[0].tobytes() == pos.array.tobytes()
    found: Seen = workspace["seen"]
    assert (found[n:] == UNSEEN).all()
    assert (found[:, pos.players :] == UNSEEN).all()
    return found[:n, : pos.players]


@cache
def quiet_positions(
    name: str, players: int, options: tuple[tuple[str, Any], ...] = ()
) -> list[souk.Position]:
    """The quiet positions of a random game."""
    is_quiet = souk.game(name).rules.is_quiet
    records = random_game(name, players, dict(options), SEED)
    return [record.position.copy() for record in records if is_quiet(record.position.state)]


def some(variant: Variant) -> list[souk.Position]:
    """Thirty quiet positions spread over a random game."""
    name, players, options = variant
    found = quiet_positions(name, players, tuple(options.items()))
    return [found[k] for k in sorted({round(k * (len(found) - 1) / 29) for k in range(30)})]


@variants
def test_numbers_are_in_range_and_no_more_than_there_is_room_for(variant: Variant) -> None:
    net = souk.game(variant[0]).net_features
    for pos in some(variant):
        found = seen(pos)
        assert 0 < len(found) <= net.MOST_SEEN
        assert found.max() < net.ROWS


@variants
def test_interpreted_and_compiled_see_the_same(variant: Variant) -> None:
    for pos in some(variant):
        assert np.array_equal(seen(pos), seen(pos, compiled=True)), pos.to_json()


@variants
def test_who_judges_and_looks_at_once_finds_the_same_to_the_last_bit(variant: Variant) -> None:
    for pos in some(variant):
        found = []
        for kernel, compiled in ((look_and_judge, True), (look_once, True), (look_once, False)):
            workspace = desk_for(pos)
            arrays = (workspace.states, workspace.array) if compiled else workspace.interpreted()
            n = (cpu_entry(pos.game, kernel) if compiled else kernel)(*arrays, workspace.lookup)
            found.append((n, workspace["seen"].tobytes(), workspace["values"].tobytes()))
        assert found[0] == found[1] == found[2], pos.to_json()


@variants
def test_something_changes_from_turn_to_turn(variant: Variant) -> None:
    looks = [seen(pos).tobytes() for pos in some(variant)]
    assert len(set(looks)) > len(looks) / 2


@pytest.mark.parametrize("name", names())
def test_a_symmetry_gives_everything_another_number(name: str) -> None:
    net = souk.game(name).net_features
    first, *others = net.symmetries()
    assert np.array_equal(first, np.arange(net.ROWS))
    for rows in others:
        assert np.array_equal(np.sort(rows), first)
        assert not np.array_equal(rows, first)


# ---------------------------------------------------------------- symmetries of Suleika

DIAGONAL, HALF_TURN = (
    str.maketrans("nesw", there) for there in ("enws", "swne")
)  # the new direction


def mirrored(data: dict[str, Any]) -> dict[str, Any]:
    """S12: a position mirrored along the diagonal a1–g7 (rows are stored from 7 to 1)."""
    (column, row), facing = data["omar"]["at"], data["omar"]["facing"].translate(DIAGONAL)
    omar = {"at": "abcdefg"[int(row) - 1] + str("abcdefg".index(column) + 1), "facing": facing}
    board = [list(line) for line in zip(*data["board"][::-1], strict=True)][::-1]
    return data | {"omar": omar, "board": board}


def turned(data: dict[str, Any]) -> dict[str, Any]:
    """S12: a position rotated by 180°."""
    (column, row), facing = data["omar"]["at"], data["omar"]["facing"].translate(HALF_TURN)
    omar = {"at": "gfedcba"["abcdefg".index(column)] + str(8 - int(row)), "facing": facing}
    return data | {"omar": omar, "board": [line[::-1] for line in data["board"][::-1]]}


@pytest.mark.parametrize("players", souk.game("suleika").players)
def test_no_field_of_the_market_is_seen_twice(players: int) -> None:
    for pos in some(("suleika", players, {})):
        assert all(len(set(column)) == len(column) for column in seen(pos).T.tolist())


@pytest.mark.parametrize("players", souk.game("suleika").players)
def test_a_mirrored_market_is_seen_as_the_symmetries_say(players: int) -> None:
    game = souk.game("suleika")
    for pos in some(("suleika", players, {})):
        data = pos.to_json()
        others = data, mirrored(data), turned(data), turned(mirrored(data))
        assert len({repr(each) for each in others}) > 1
        for rows, other in zip(symmetries(), others, strict=True):
            found, expected = seen(game.from_json(other)), rows[seen(pos)]
            assert np.array_equal(np.sort(found, axis=0), np.sort(expected, axis=0)), other
