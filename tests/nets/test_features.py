"""What minds see, in every game that has eyes for one: numbers in range, the same interpreted and compiled, and what is the same seen otherwise."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.desk import Desk
from souk.games import names
from souk.games.suleika.mind import symmetries
from souk.kernel.compiling import cpu_entry
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import outlook, sight, survey
from tests.random_games import VARIANTS, random_game, variant_name

SEED = 14
Variant = tuple[str, int, dict[str, Any]]
Seen = np.ndarray[Any, np.dtype[np.uint32]]
UNSEEN = 2**32 - 1  # the number of nothing
SEEING = [name for name in names() if souk.game(name).mind.ROWS > 1]
variants = pytest.mark.parametrize("variant", [each for each in VARIANTS if each[0] in SEEING], ids=variant_name)


@rule
def look(states, desks, lore):
    return i64(sight(states[0], desks[0], lore))


@rule
def look_and_judge(states, desks, lore):
    outlook(states[0], desks[0].values, lore)
    return i64(sight(states[0], desks[0], lore))


@rule
def look_once(states, desks, lore):
    return i64(survey(states[0], desks[0], lore))


def desk_for(pos: souk.Position) -> Desk:
    """One on which nothing has been seen."""
    desk = Desk(pos, 0)
    desk.array["seen"] = UNSEEN
    return desk


def seen(pos: souk.Position, compiled: bool = False) -> Seen:
    """What is seen of a position: for every seat the numbers of all that is the case. Nothing else is written, and the position stays as it is."""
    desk = desk_for(pos)
    arrays = (desk.states, desk.array) if compiled else desk.interpreted()
    n = (cpu_entry(pos.game, look) if compiled else look)(*arrays, desk.lore)
    assert desk.states[0].tobytes() == pos.array.tobytes()
    found: Seen = desk["seen"]
    assert (found[n:] == UNSEEN).all()
    assert (found[:, pos.players :] == UNSEEN).all()
    return found[:n, : pos.players]


@cache
def quiet_positions(name: str, players: int, options: tuple[tuple[str, Any], ...] = ()) -> list[souk.Position]:
    """Those of a random game."""
    quiet = souk.game(name).rules.quiet
    records = random_game(name, players, dict(options), SEED)
    return [record.position.copy() for record in records if quiet(record.position.state)]


def some(variant: Variant) -> list[souk.Position]:
    """Thirty quiet positions of a random game, from its beginning to its end."""
    name, players, options = variant
    found = quiet_positions(name, players, tuple(options.items()))
    return [found[k] for k in sorted({round(k * (len(found) - 1) / 29) for k in range(30)})]


@variants
def test_numbers_are_in_range_and_no_more_than_there_is_room_for(variant: Variant) -> None:
    mind = souk.game(variant[0]).mind
    for pos in some(variant):
        found = seen(pos)
        assert 0 < len(found) <= mind.MOST_SEEN
        assert found.max() < mind.ROWS


@variants
def test_interpreted_and_compiled_see_the_same(variant: Variant) -> None:
    for pos in some(variant):
        assert np.array_equal(seen(pos), seen(pos, compiled=True)), pos.to_json()


@variants
def test_who_judges_and_looks_at_once_finds_the_same_to_the_last_bit(variant: Variant) -> None:
    for pos in some(variant):
        found = []
        for kernel, compiled in ((look_and_judge, True), (look_once, True), (look_once, False)):
            desk = desk_for(pos)
            arrays = (desk.states, desk.array) if compiled else desk.interpreted()
            n = (cpu_entry(pos.game, kernel) if compiled else kernel)(*arrays, desk.lore)
            found.append((n, desk["seen"].tobytes(), desk["values"].tobytes()))
        assert found[0] == found[1] == found[2], pos.to_json()


@variants
def test_something_changes_from_turn_to_turn(variant: Variant) -> None:
    looks = [seen(pos).tobytes() for pos in some(variant)]
    assert len(set(looks)) > len(looks) / 2


@pytest.mark.parametrize("name", names())
def test_a_symmetry_gives_everything_another_number(name: str) -> None:
    mind = souk.game(name).mind
    first, *others = mind.symmetries()
    assert np.array_equal(first, np.arange(mind.ROWS))
    for rows in others:
        assert np.array_equal(np.sort(rows), first)
        assert not np.array_equal(rows, first)


# ---------------------------------------------------------------- Suleika's market, turned and mirrored

DIAGONAL, HALF_TURN = (str.maketrans("nesw", there) for there in ("enws", "swne"))  # where a direction then points


def mirrored(data: dict[str, Any]) -> dict[str, Any]:
    """S12: a position along the diagonal from a1 to g7. (The rows of the board go from 7 down to 1.)"""
    (column, row), facing = data["omar"]["at"], data["omar"]["facing"].translate(DIAGONAL)
    omar = {"at": "abcdefg"[int(row) - 1] + str("abcdefg".index(column) + 1), "facing": facing}
    board = [list(line) for line in zip(*data["board"][::-1], strict=True)][::-1]
    return data | {"omar": omar, "board": board}


def turned(data: dict[str, Any]) -> dict[str, Any]:
    """S12: a position by half a turn."""
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
