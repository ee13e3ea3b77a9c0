"""What a mind says of a position: as the net was meant, and the same bytes whatever runs it."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.desk import Desk, kernel
from souk.bots.kernels.search import memory_type, think
from souk.bots.kernels.tree import EDGE, NODE
from souk.kernel.interpreting import interpreted
from souk.kernel.mind import add_up, ask, fill_up, weigh_up
from souk.kernel.mind_shape import CEILING, FINE_BITS, MindArray
from souk.kernel.state import States, state_class
from tests.minds.random_minds import SEEING, random_mind
from tests.random_games import VARIANTS, random_game, variant_name

SEED, PLAYOUTS = 41, 8
Variant = tuple[str, int, dict[str, Any]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
variants = pytest.mark.parametrize("variant", [each for each in VARIANTS if each[0] in SEEING], ids=variant_name)


def positions(variant: Variant, times: int, quiet: bool) -> Iterator[souk.Position]:
    """Some positions of a random game where somebody is to move; or some that a mind may judge."""
    name, players, options = variant
    rules = souk.game(name).rules
    found = [
        record.position.copy()
        for record in random_game(name, players, options, SEED)
        if (rules.quiet(record.position.state) if quiet else record.position.actors)
    ]
    yield from (found[k * (len(found) - 1) // (times - 1)] for k in range(times))


def views(records: Any) -> States:
    return States(records, state_class(records.dtype))


def as_meant(mind: MindArray, rows: Whole) -> Whole:
    """The outputs for somebody who sees these rows, straight from the definition."""
    floor, second_floor, third_floor = (mind[f][0].astype(np.int64) for f in ("floor", "second_floor", "third_floor"))
    first = np.clip(floor + mind["rows"][0][rows].sum(axis=0, dtype=np.int64), 0, CEILING)
    second = np.clip(np.maximum(second_floor + first @ mind["second"][0], 0) >> FINE_BITS, 0, CEILING)
    found: Whole = third_floor + mind["third"][0] @ second
    return found


@variants
def test_the_net_is_what_it_is_meant_to_be(variant: Variant) -> None:
    said = set()
    for k, pos in enumerate(positions(variant, 4, quiet=True)):
        desk, mind = Desk(pos, 0), random_mind(pos.game, k)
        states, notes = desk.interpreted()
        n = pos.game.rules.sight(states[0], notes[0], desk.lore)
        seen = desk["seen"][:n].astype(np.int64)
        ask(states[0], notes[0], desk.lore, views(mind)[0])
        for seat in range(pos.players):
            assert np.array_equal(desk["answers"][seat], as_meant(mind, seen[:, seat]))
            said.add(desk["answers"][seat].tobytes())
    assert len(said) > pos.players  # it is no net that always says the same


def test_however_much_is_seen_is_added_up() -> None:
    """Rows are added up in heaps: none is left out, and none counted that is not there."""
    pos = souk.game("suleika").start(2)
    desk, mind = Desk(pos, 0), random_mind(pos.game)
    _, notes = desk.interpreted()
    for n in range(26):
        desk["seen"][:] = 7  # what was seen before
        desk["seen"][:n, 0] = seen = np.arange(100, 100 + n)
        add_up(notes[0], views(mind)[0], 0, fill_up(notes[0], n, 1, pos.game.mind.ROWS))
        added = mind["floor"][0] + mind["rows"][0][seen].sum(axis=0)
        assert np.array_equal(desk["sums"], np.clip(added, 0, CEILING))


@variants
def test_chances_add_up_to_one(variant: Variant) -> None:
    for pos in positions(variant, 3, quiet=True):
        desk = Desk(pos, 0)
        states, notes = desk.interpreted()
        weigh_up(states[0], notes[0], desk.lore, views(random_mind(pos.game))[0])
        assert abs(desk["wins"][: pos.players].sum() - 1.0) < 1e-12
        assert (desk["wins"][: pos.players] >= 0).all()


def searched(view: souk.Position, how: str) -> dict[str, bytes]:
    """All that a short search with a random mind leaves behind, field by field."""
    desk, nodes, edges = Desk(view, view.actors[-1], SEED), np.zeros(256, NODE), np.zeros(8192, EDGE)
    desk["guided"], desk["exploration"] = True, 0.3
    mind, memory = random_mind(view.game), np.zeros(PLAYOUTS, memory_type(view.game))
    if how == "by Python":
        think(*desk.interpreted(), views(nodes), views(edges), desk.lore, views(mind), PLAYOUTS, views(memory))
    else:
        run = kernel(view.game, think) if how == "compiled" else interpreted(view.game, think)
        run(desk.states, desk.array, nodes, edges, desk.lore, mind, PLAYOUTS, memory)
    found = {"desk": desk.array, "node": nodes, "edge": edges, "memory": memory}
    return {f"{name}.{field}": array[field].tobytes() for name, array in found.items() for field in array.dtype.names}


@variants
def test_a_search_with_a_mind_is_the_same_however_it_runs(variant: Variant) -> None:
    asked = False
    for pos in positions(variant, 2, quiet=False):
        view = pos.seen_by(pos.actors[-1])
        expected = searched(view, "compiled")
        asked |= any(expected["desk.answers"])
        assert searched(view, "by Python") == expected, view.to_json()
        assert searched(view, "by Python at once") == expected, view.to_json()
    assert asked


def digests() -> list[str]:
    """Of what a search with a mind leaves behind, for every game that has eyes for one."""
    found = []
    for name in SEEING:
        for pos in positions((name, souk.game(name).players[-1], {}), 3, quiet=False):
            view = pos.seen_by(pos.actors[-1])
            found.append(hashlib.sha256(b"".join(searched(view, "compiled").values())).hexdigest())
    return found


def test_two_processes_find_the_same_bytes() -> None:
    code = "from tests.minds.test_evaluation import digests; print(*digests())"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    for process in running:
        out, _ = process.communicate()
        assert out.split() == digests()
