"""Net evaluation: by definition, and the same bytes on every target."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots.kernels.search import memory_type, think
from souk.bots.kernels.tree import EDGE, NODE
from souk.bots.workspace import Workspace, kernel
from souk.kernel.interpreter import interpreted_kernel
from souk.kernel.net import evaluate_with_net, first_layer, pad_features, run_net
from souk.kernel.net_layout import CEILING, FRACTION_BITS, NetArray
from souk.kernel.state import States, state_class
from tests.support.random_games import VARIANTS, random_game, variant_name
from tests.support.random_nets import SEEING, random_net

SEED, PLAYOUTS = 41, 8
Variant = tuple[str, int, dict[str, Any]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
variants = pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each[0] in SEEING], ids=variant_name
)


def positions(variant: Variant, times: int, is_quiet: bool) -> Iterator[souk.Position]:
    """Some positions of a random game with a seat to move, or quiet ones."""
    name, players, options = variant
    rules = souk.game(name).rules
    found = [
        record.position.copy()
        for record in random_game(name, players, options, SEED)
        if (rules.is_quiet(record.position.state) if is_quiet else record.position.actors)
    ]
    yield from (found[k * (len(found) - 1) // (times - 1)] for k in range(times))


def views(records: Any) -> States:
    return States(records, state_class(records.dtype))


def as_meant(net: NetArray, rows: Whole) -> Whole:
    """The outputs for these feature rows, straight from the definition."""
    floor, second_floor, third_floor = (
        net[f][0].astype(np.int64) for f in ("floor", "second_floor", "third_floor")
    )
    first = np.clip(floor + net["rows"][0][rows].sum(axis=0, dtype=np.int64), 0, CEILING)
    second = np.clip(
        np.maximum(second_floor + first @ net["second"][0], 0) >> FRACTION_BITS, 0, CEILING
    )
    found: Whole = third_floor + net["third"][0] @ second
    return found


@variants
def test_the_net_is_what_it_is_meant_to_be(variant: Variant) -> None:
    said = set()
    for k, pos in enumerate(positions(variant, 4, is_quiet=True)):
        workspace, net = Workspace(pos, 0), random_net(pos.game, k)
        states, notes = workspace.interpreted()
        n = pos.game.rules.features(states[0], notes[0], workspace.lookup)
        seen = workspace["seen"][:n].astype(np.int64)
        run_net(states[0], notes[0], workspace.lookup, views(net)[0])
        for seat in range(pos.players):
            assert np.array_equal(workspace["answers"][seat], as_meant(net, seen[:, seat]))
            said.add(workspace["answers"][seat].tobytes())
    assert len(said) > pos.players  # the net is not constant


def test_however_much_is_seen_is_added_up() -> None:
    """Rows are summed in blocks: none is missed or counted twice."""
    pos = souk.game("suleika").start(2)
    workspace, net = Workspace(pos, 0), random_net(pos.game)
    _, notes = workspace.interpreted()
    for n in range(26):
        workspace["seen"][:] = 7  # what was seen before
        workspace["seen"][:n, 0] = seen = np.arange(100, 100 + n)
        first_layer(
            notes[0], views(net)[0], 0, pad_features(notes[0], n, 1, pos.game.net_features.ROWS)
        )
        added = net["floor"][0] + net["rows"][0][seen].sum(axis=0)
        assert np.array_equal(workspace["sums"], np.clip(added, 0, CEILING))


@variants
def test_chances_add_up_to_one(variant: Variant) -> None:
    for pos in positions(variant, 3, is_quiet=True):
        workspace = Workspace(pos, 0)
        states, notes = workspace.interpreted()
        evaluate_with_net(states[0], notes[0], workspace.lookup, views(random_net(pos.game))[0])
        assert abs(workspace["wins"][: pos.players].sum() - 1.0) < 1e-12
        assert (workspace["wins"][: pos.players] >= 0).all()


def searched(view: souk.Position, how: str) -> dict[str, bytes]:
    """The state after a short search with a random net, field by field."""
    workspace = Workspace(view, view.actors[-1], SEED)
    nodes = np.zeros(256, NODE)
    edges = np.zeros(8192, EDGE)
    workspace["guided"], workspace["exploration"] = True, 0.3
    net, memory = random_net(view.game), np.zeros(PLAYOUTS, memory_type(view.game))
    if how == "by Python":
        think(
            *workspace.interpreted(),
            views(nodes),
            views(edges),
            workspace.lookup,
            views(net),
            PLAYOUTS,
            views(memory),
        )
    else:
        run = (
            kernel(view.game, think) if how == "compiled" else interpreted_kernel(view.game, think)
        )
        run(
            workspace.states, workspace.array, nodes, edges, workspace.lookup, net, PLAYOUTS, memory
        )
    found = {"workspace": workspace.array, "node": nodes, "edge": edges, "memory": memory}
    return {
        f"{name}.{field}": array[field].tobytes()
        for name, array in found.items()
        for field in array.dtype.names
    }


@variants
def test_a_search_with_a_net_is_the_same_on_every_target(variant: Variant) -> None:
    asked = False
    for pos in positions(variant, 2, is_quiet=False):
        view = pos.seen_by(pos.actors[-1])
        expected = searched(view, "compiled")
        asked |= any(expected["workspace.answers"])
        assert searched(view, "by Python") == expected, view.to_json()
        assert searched(view, "by Python at once") == expected, view.to_json()
    assert asked


def digests() -> list[str]:
    """Digests of the state after a search, for every game with net features."""
    found = []
    for name in SEEING:
        for pos in positions((name, souk.game(name).players[-1], {}), 3, is_quiet=False):
            view = pos.seen_by(pos.actors[-1])
            found.append(hashlib.sha256(b"".join(searched(view, "compiled").values())).hexdigest())
    return found


def test_two_processes_find_the_same_bytes() -> None:
    code = "from tests.nets.test_evaluation import digests; print(*digests())"
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
